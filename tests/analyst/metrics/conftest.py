"""A small CRM whose figures can be counted on one's fingers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.pipeline import answer
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Answer, Question

TODAY = date(2025, 5, 15)
DEALS = """Deal Name,Stage,Amount,Created,Close Date,Owner,Last Activity,Probability
Acorn,Closed Won,1000,2025-01-01,2025-02-10,Ada,2025-02-10,1
Birch,Closed Won,3000,2025-01-05,2025-04-05,Bob,2025-04-05,1
Cedar,Closed Lost,500,2025-02-01,2025-03-01,Ada,2025-02-20,0
Dogwood,Closed Lost,2500,2025-03-01,2025-04-20,Ada,2025-04-01,0
Elm,Proposal,4000,2025-04-01,2025-06-30,Bob,2025-05-10,0.5
Fir,Proposal,2000,2025-02-01,2025-05-01,Ada,2025-05-14,0.5
Gum,Qualified,800,2025-05-02,2025-06-15,Ada,2025-03-01,0.25
Hazel,Abandoned,700,2025-01-10,2025-02-28,Ada,2025-02-01,0
"""
TARGETS = """Rep,Start,Quota
Ada,2025-01-01,2000
Bob,2025-01-01,1000
Ada,2025-04-01,2000
Bob,2025-04-01,2000
Cyn,2025-04-01,1500
"""

Ask = Callable[[str], Answer]


def catalog_of(folder: Path, **tables: str) -> FixedCatalog:
    """A catalog of tables given as CSV text."""
    paths = []
    for name, text in tables.items():
        path = folder / f"{name}.csv"
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    return catalog_from_files(paths, folder)


@pytest.fixture
def asked(tmp_path: Path) -> Iterator[Callable[..., Ask]]:
    """Gives, for tables as CSV text, a way to ask about them."""
    warehouse = LocalWarehouse()

    def of(**tables: str) -> Ask:
        catalog = catalog_of(tmp_path, **tables)
        return lambda text: answer(
            Question(text, today=TODAY), catalog=catalog, warehouse=warehouse, learned=False, onward=False
        )

    yield of
    warehouse.close()


@pytest.fixture
def ask(asked: Callable[..., Ask]) -> Ask:
    """Asks about the deals and targets."""
    return asked(deals=DEALS, targets=TARGETS)
