"""Small made-up tables of a hiking club, read and joined as uploaded files are, and a way to ask about them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from apps.analyst.computing.compute import compute
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.language import Reading
from apps.analyst.language.choose import read
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Question, Turn

TODAY = date(2025, 7, 15)

FILES = {
    "trails.csv": """trail_id,trail_name,surface,country,visitors
1,Acorn Ridge,Gravel,Germany,120
2,Bluebell Bay,Rock,France,800
3,Copper Coast,Sand,Germany,35
4,Dune Walk,Gravel,Spain,60
5,Elm & Oak Way,Rock,France,15
6,Fjord Path,Sand,Norway,210
""",
    "guides.csv": """guide_id,first_name,last_name,hire_date
1,Ana,Ruiz,2019-03-01
2,Ben,Okafor,2021-06-15
3,Chloe,Lind,2023-01-10
4,Dario,Conti,2024-11-05
""",
    "trips.csv": """trip_id,trip_name,trail_id,guide_id,status,amount,start_date,discount
1,Acorn pilot,1,1,Finished,1200.50,2024-01-15,0.10
2,Acorn rollout,1,1,Finished,8400.00,2024-05-20,0.00
3,Bluebell audit,2,2,Cancelled,5000.00,2024-06-02,0.05
4,Bluebell core,2,1,Planned,22000.00,2025-08-30,0.15
5,Copper booking,3,3,Finished,900.00,2025-02-11,0.00
6,Dune arms,4,2,Finished,15000.00,2025-03-19,0.20
7,Dune sensors,4,2,Cancelled,3000.00,2025-04-01,0.00
8,Elm ledger,5,3,Offered,1100.00,,0.00
9,Acorn support,1,3,Finished,2500.00,2025-06-25,0.00
""",
}


@pytest.fixture(scope="session")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    """The three files as a catalog."""
    folder: Path = tmp_path_factory.mktemp("sales")
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return catalog_from_files([folder / name for name in FILES], folder / "tables")


@pytest.fixture(scope="session")
def best(catalog: FixedCatalog) -> Callable[..., Reading]:
    """The surest reading of a question, after earlier turns if there are any."""

    def reading(text: str, *before: str) -> Reading:
        turns = tuple(Turn(earlier) for earlier in before)
        return read(Question(text, today=TODAY, turns=turns), catalog)[0]

    return reading


@pytest.fixture(scope="session")
def rows(catalog: FixedCatalog, best: Callable[..., Reading]) -> Callable[..., list[list[object]]]:
    """The rows that a question's surest reading gives, with money as plain numbers and dates as text."""
    warehouse = LocalWarehouse()

    def computed(text: str, *before: str) -> list[list[object]]:
        result = compute(best(text, *before).plan, catalog, warehouse).result
        return [[plain(cell) for cell in row] for row in result.rows]

    return computed


def plain(cell: object) -> object:
    """A cell as a test writes it."""
    if cell is None or isinstance(cell, str | bool):
        return cell
    if isinstance(cell, date):
        return cell.isoformat()[:10]
    number = float(str(cell))
    return int(number) if number == int(number) else round(number, 2)
