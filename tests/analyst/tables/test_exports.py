"""Tables leave as CSV and XLSX and come back unchanged; no cell of them is taken for a formula on the way."""

from __future__ import annotations

import csv
import io
import os
import random
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import pyarrow.parquet as parquet
import pytest

from apps.analyst.errors import ExportFailed
from apps.analyst.tables import exporting, ingest
from apps.analyst.tables.export_child import export_in_child
from apps.analyst.tables.exporting import ExportColumn, export_table, rows_as_csv, write_book
from apps.analyst.tables.neutral import TRIGGERS, neutral, restored

TABLES = int(os.environ.get("EXPORTED_TABLES", "160"))
"""EXPORTED_TABLES=2000 is the whole claim."""
HOSTILE = (
    "=1+1", "=HYPERLINK(\"http://x\",\"y\")", "+49 30 1234", "-2+3", "@SUM(A1:A9)", "＝1+1", "＋1", "－x", "＠x",
    "'=1", "''@x", "=cmd|' /C calc'!A0", "-", "--", "+", "=", "=\"a,b\"", "@\nnext", "'", "''", "O'Hara",
    "rock 'n' roll",
)  # fmt: skip
HARMLESS = (
    "West", "Müller & Söhne", "日本", "a,b", 'say "hi"', "two\nlines", "x;y", "50% off", "#1", "😀", "C:\\x", "<b>",
    "1-2-x", "007", "1e5x", "NULLABLE", "café", "a|b", "semi;colon", "tab\tinside",
)  # fmt: skip


@pytest.mark.parametrize("text", [*HOSTILE, *HARMLESS, "", " ", "\t=1", "\r=1"])
def test_what_is_made_harmless_is_read_back_to_the_letter(text):
    made = neutral(text)
    assert made[:1] not in TRIGGERS or not made
    assert restored(made) == text


def cells_of(chance: random.Random, kind: str, count: int) -> list[str]:
    """Cells of one kind as people write them; now and then one is empty."""

    def one() -> str:
        if chance.random() < 0.06:
            return ""
        number = chance.randint(-(10 ** chance.randint(1, 9)), 10 ** chance.randint(1, 9))
        match kind:
            case "integer":
                return str(number)
            case "decimal":
                return f"{number / 100:.2f}"
            case "float":
                return repr(chance.uniform(-1, 1) * 10 ** chance.randint(-3, 3))
            case "date":
                return date.fromordinal(chance.randint(700_000, 740_000)).isoformat()
            case "datetime":
                moment = datetime(2024, chance.randint(1, 12), chance.randint(1, 28), chance.randint(0, 23), 30)
                return str(moment)
            case "boolean":
                return chance.choice(["true", "false"])
            case "hostile":
                return chance.choice(HOSTILE)
            case "money":
                return f"${abs(number):,}.{chance.randint(10, 99)}"
            case _:
                return chance.choice((*HARMLESS, *HOSTILE, f"name {number}"))

    return [one() for _ in range(count)]


def a_table(chance: random.Random, folder: Path) -> Path:
    """A CSV file of random shape and content, some column names hostile as well."""
    kinds = [chance.choice(["integer", "decimal", "float", "date", "datetime", "boolean", "hostile", "text", "money"])
             for _ in range(chance.randint(1, 6))]  # fmt: skip
    rows = chance.randint(2, 40)
    columns = [[f"row {index}" for index in range(rows)], *(cells_of(chance, kind, rows) for kind in kinds)]
    heads = ["label", *(chance.choice([f"{kind} {n}", f"={kind}{n}", f"@{kind}{n}"]) for n, kind in enumerate(kinds))]
    path = folder / "upload"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([heads, *zip(*columns, strict=True)])
    return path


def rows_of(path: Path) -> list[tuple[object, ...]]:
    return list(zip(*parquet.read_table(path).to_pydict().values(), strict=True))


def test_generated_tables_come_back_unchanged_and_without_a_formula(tmp_path):
    chance = random.Random(20_261_121)
    for number in range(TABLES):
        kind = "csv" if number % 2 else "xlsx"
        (made,) = ingest(a_table(chance, tmp_path), "table.csv", tmp_path / "first")
        columns = [ExportColumn(column.name, column.type, column.unit) for column in made.table.columns]
        target = tmp_path / f"table.{kind}"
        export_table(made.table.path, columns, made.table.rows, target, kind)
        if kind == "csv":
            assert_no_formula(target.read_text("utf-8-sig"), columns)
        (back,) = ingest(target, target.name, tmp_path / "second")
        assert [column.name for column in back.table.columns] == [column.name for column in columns]
        assert_same(rows_of(back.table.path), rows_of(made.table.path), number)


def assert_no_formula(text: str, columns: list[ExportColumn]) -> None:
    head, *rows = csv.reader(io.StringIO(text, newline=""))
    texts = [index for index, column in enumerate(columns) if column.type == "text"]
    for cell in (*head, *(row[index] for row in rows for index in texts)):
        assert cell[:1] not in TRIGGERS or not cell, cell


def assert_same(back: list[tuple[object, ...]], made: list[tuple[object, ...]], number: int) -> None:
    """Equal to the last digit; of fractions a workbook keeps 15 digits."""
    assert len(back) == len(made), number
    for one, other in zip(back, made, strict=True):
        for cell, before in zip(one, other, strict=True):
            if isinstance(before, float) and isinstance(cell, float | int | Decimal):
                assert cell == pytest.approx(before, rel=1e-14), number
            else:
                assert cell == before, (number, cell, before)


def booked(columns, rows) -> io.BytesIO:
    out = io.BytesIO()
    write_book(columns, rows, out)
    return out


def test_a_workbook_holds_text_as_text_and_figures_as_figures():
    import openpyxl

    columns = [ExportColumn("=head", "text"), ExportColumn("amount", "decimal", "EUR"), ExportColumn("day", "date"),
               ExportColumn("id", "integer")]  # fmt: skip
    rows = [("=1+1", Decimal("-5.25"), date(2024, 2, 29), 12345678901234567), ("'x", None, date(1850, 1, 1), -3)]
    sheet = openpyxl.load_workbook(booked(columns, rows)).active
    assert sheet is not None
    assert [(cell.value, cell.data_type) for cell in sheet[2]] == [
        ("=1+1", "s"), (-5.25, "n"), (datetime(2024, 2, 29), "d"), ("12345678901234567", "s"),
    ]  # fmt: skip
    assert sheet["A2"].quotePrefix
    assert sheet["B2"].number_format == "[$EUR] #,##0.00"
    assert [cell.value for cell in sheet[3]] == ["'x", None, "1850-01-01", -3]


def test_negative_figures_are_figures_and_not_made_harmless():
    columns = [ExportColumn("n", "integer"), ExportColumn("x", "float"), ExportColumn("t", "text")]
    text = rows_as_csv(columns, [(-5, float("nan"), "-5"), (None, -0.5, None)]).decode("utf-8-sig")
    assert text == "n,x,t\n-5,,'-5\n,-0.5,\n"


def test_what_a_workbook_cannot_hold_is_refused_with_the_way_out():
    columns = [ExportColumn("t", "text")]
    with pytest.raises(ExportFailed, match=r"32,767\. Please take the CSV"):
        booked(columns, [("x" * 40_000,)])
    with pytest.raises(ExportFailed, match="at most 3,000,000 cells"):
        exporting.refuse_large_sheet(4, 1_000_000)


def test_the_child_writes_what_the_process_itself_writes(tmp_path):
    (made,) = ingest(a_table(random.Random(7), tmp_path), "table.csv", tmp_path / "out")
    columns = [ExportColumn(column.name, column.type, column.unit) for column in made.table.columns]
    export_table(made.table.path, columns, made.table.rows, tmp_path / "here.csv", "csv")
    export_in_child(made.table.path, columns, made.table.rows, tmp_path / "there.csv", "csv")
    assert (tmp_path / "there.csv").read_bytes() == (tmp_path / "here.csv").read_bytes()
    with pytest.raises(ExportFailed, match="too many for a workbook"):
        export_in_child(made.table.path, columns, 10**9, tmp_path / "there.xlsx", "xlsx")


def test_a_large_exported_table_is_read_back_by_the_database_as_well(tmp_path):
    rows = [(f"row {n}", HOSTILE[n % len(HOSTILE)], n) for n in range(40_000)]
    path = tmp_path / "large.csv"
    columns = [ExportColumn("=label", "text"), ExportColumn("note", "text"), ExportColumn("n", "integer")]
    path.write_bytes(rows_as_csv(columns, rows))
    (table,) = ingest(path, "large.csv", tmp_path / "out")
    assert [column.name for column in table.table.columns] == ["=label", "note", "n"]
    assert [row[1] for row in rows_of(table.table.path)] == [text for _, text, _ in rows]
