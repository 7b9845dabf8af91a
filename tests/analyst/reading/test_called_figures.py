"""Files that are called by a figure: the figure is told, not how many rows they have."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from apps.analyst.computing.compute import compute
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.pipeline import answer
from apps.analyst.plan import Clarify
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Answer, Question

STAGES = ("Lead in", "Quote sent", "Won", "Lost")
ROWS = [(f"Boat {n}", ("Ida", "Jon", "Kim")[n % 3], STAGES[n * 7 % 4], 1_000 + 37 * n) for n in range(60)]


@pytest.fixture(scope="module")
def boats(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    folder: Path = tmp_path_factory.mktemp("boats")
    path = folder / "Boat pipeline.csv"
    lines = [",".join(map(str, (*row, f"2026-0{1 + n % 9}-05"))) for n, row in enumerate(ROWS)]
    path.write_text("\n".join(["Deal name,Seller,Stage,Amount ($),Close date", *lines]) + "\n")
    return catalog_from_files([path], folder / "tables")


def asked(text: str, catalog: FixedCatalog) -> Answer:
    return answer(Question(text, date(2026, 5, 4)), catalog=catalog, warehouse=LocalWarehouse())


def told(made: Answer, catalog: FixedCatalog) -> dict[str, float]:
    """What is told, or what the first reading that is offered comes to."""
    plan = made.plan.options[0].plan if isinstance(made.plan, Clarify) else made.plan
    assert plan is not None, made.text
    rows = compute(plan, catalog, LocalWarehouse()).result.rows
    return {str(row[0]): float(str(row[1])) for row in rows}


@pytest.mark.parametrize(("column", "place"), [("stage", 2), ("seller", 1)])
def test_a_figure_that_a_file_is_called_by_is_added_up(boats: FixedCatalog, column: str, place: int) -> None:
    wanted: dict[str, float] = {}
    for row in ROWS:
        if row[2] not in ("Won", "Lost"):
            wanted[str(row[place])] = wanted.get(str(row[place]), 0) + row[3]
    assert told(asked(f"pipeline by {column}", boats), boats) == wanted


def test_where_a_number_is_asked_for_rows_are_counted(boats: FixedCatalog) -> None:
    assert max(told(asked("how many in the pipeline by seller", boats), boats).values()) <= len(ROWS)
