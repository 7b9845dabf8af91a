"""Figures that differ are never told as one: where rounding would make them alike they stand exact."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.pipeline import answer
from apps.analyst.tables.catalog import catalog_from_files
from apps.analyst.types import Question


def test_the_first_and_the_second_are_told_apart(tmp_path: Path) -> None:
    fees = {"Iris": 1340, "Jonas": 1335, "Kim": 1308}
    rows = [f"{coach},{fee / 100 + step:.2f}" for coach, fee in fees.items() for step in (-1, 0, 1)]
    (tmp_path / "visits.csv").write_text("\n".join(["coach,fee", *rows]))
    catalog = catalog_from_files([tmp_path / "visits.csv"], tmp_path / "tables")
    asked = Question("average fee by coach", today=date(2026, 11, 23))
    text = answer(asked, catalog=catalog, warehouse=LocalWarehouse(threads=1), onward=False).text
    assert "Iris" in text.partition(":")[0]
    assert "13.35" in text
    assert text.count("13.4") == 1
