"""The recount by hand comes to the engine's figures for generated plans, wherever it does not say that it differs."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, assume, given, settings

from apps.analyst.approaches.consensus import same
from apps.analyst.approaches.recounting import recount_here
from apps.analyst.computing.compute import compute
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.errors import PlanRejected
from apps.analyst.plan import Plan
from apps.analyst.tables.catalog import FixedCatalog
from tests.analyst.plans.generated import plans

EXAMPLES = int(os.environ.get("RECOUNT_EXAMPLES", "25"))


@pytest.fixture(scope="session")
def catalog(sales: FixedCatalog) -> FixedCatalog:
    return sales


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(plan=plans())
def test_a_generated_plan_is_recounted_to_the_same_figures_or_the_difference_is_named(
    plan: Plan, catalog: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    computed = compute(plan, catalog, warehouse)
    try:
        found = recount_here("sheet", computed.plan, catalog)
    except PlanRejected:
        assume(False)
        return
    assert found.partings or same(computed.result, found.result), plan
