"""The generated plans of the property test give the same result on DuckDB and on Spark. SPARK_PLANS=400 runs more."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, given, settings

from apps.analyst.computing.compute import compute
from apps.analyst.plan import Plan
from apps.analyst.plan.validate import validate
from apps.analyst.tables.catalog import FixedCatalog
from tests.analyst.plans.generated import plans
from tests.spark.same import differences

PLANS = int(os.environ.get("SPARK_PLANS", "24"))


@pytest.fixture(scope="session")
def catalog(sales: FixedCatalog) -> FixedCatalog:
    return sales


@settings(max_examples=PLANS, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True, database=None)
@given(plan=plans())
def test_a_generated_plan_gives_the_same_result_on_spark(plan: Plan, catalog, local, warehouse):
    validate(plan, catalog)
    here, there = compute(plan, catalog, local), compute(plan, catalog, warehouse)
    assert differences(here.result, there.result) == []
    assert here.row_count == there.row_count
