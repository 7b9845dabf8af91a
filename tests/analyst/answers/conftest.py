"""The sales organization of the plan tests, and a way to have any plan answered."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from apps.analyst.computing.compute import compute
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.pipeline import answer
from apps.analyst.plan import Plan
from apps.analyst.ports import Catalog
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.telling.narrate import View
from apps.analyst.types import Answer, Question, ResponseStyle

TODAY = date(2025, 1, 10)


class Planned:
    """A planner that always has the same plan."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan

    def plan(self, question: Question, catalog: Catalog) -> Plan:
        return self._plan


@pytest.fixture(scope="session")
def catalog(sales: FixedCatalog) -> FixedCatalog:
    return sales


@pytest.fixture(scope="session")
def seen(catalog: FixedCatalog, warehouse: LocalWarehouse) -> Callable[[Plan], View]:
    return lambda plan: View(compute(plan, catalog, warehouse), catalog)


@pytest.fixture(scope="session")
def answered(catalog: FixedCatalog, warehouse: LocalWarehouse) -> Callable[..., Answer]:
    def ask(plan: Plan, style: ResponseStyle = "Standard") -> Answer:
        question = Question("?", today=TODAY, style=style)
        return answer(question, catalog=catalog, warehouse=warehouse, planner=Planned(plan), onward=False)

    return ask
