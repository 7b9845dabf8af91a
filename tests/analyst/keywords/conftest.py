"""The sales organization with keywords of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date

import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.pipeline import answer
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.types import Answer, Question

TODAY = date(2025, 1, 10)
KEYWORDS = {
    "Win rate": "won / (won + lost)",
    "AOV": "total amount / number of deals",
    "Seat price": "amount divided by seats",
    "Active": "stage not closed",
    "Enterprise": "seats over 20",
    "Western": "region is West",
    "Northern": "Northern = region is North",
    "Key deals": "deals with an amount over 20,000",
    "TDV": "total amount",
}
Ask = Callable[..., Answer]


@pytest.fixture(scope="session")
def catalog(sales: FixedCatalog) -> FixedCatalog:
    return sales


@pytest.fixture
def ask(catalog: FixedCatalog, warehouse: LocalWarehouse) -> Ask:
    """Asks with the organization's keywords, or with others."""

    def of(text: str, keywords: Mapping[str, str] = KEYWORDS, context: str = "") -> Answer:
        question = Question(text, today=TODAY, keywords=keywords, context=context)
        return answer(question, catalog=catalog, warehouse=warehouse, learned=False, onward=False)

    return of
