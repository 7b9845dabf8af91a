"""A sheet read by whole columns gives what the same sheet gives cell by cell, or leaves it to the other reader."""

from __future__ import annotations

import datetime as dt
import re
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import xlsxwriter
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.analyst.errors import ReadFailed
from apps.analyst.tables import grid, large_grid
from apps.analyst.tables.large_grid import LargeGrid, as_lists
from apps.analyst.tables.xlsx_reader import read_sheets
from tests.analyst.tables.corpus import all_cases
from tests.analyst.tables.corpus.cases import Case

ALWAYS, NEVER = 0, 1 << 40
BOOKS = [case for case in all_cases() if case.name.endswith(".xlsx") and not case.refused and not case.in_child]
Told = list[tuple[str, list[str], list[list[str]], list[str], dict[int, str]]]


def read(path: Path, large: int) -> tuple[Told, int]:
    """Every sheet's name, columns' names, cells, report and units; how many were read by whole columns."""
    told: Told = []
    whole = 0
    for name, table in read_sheets(path, "book.xlsx", large):
        if isinstance(table, LargeGrid):
            whole += 1
            large_grid.leave_out_totals(table)
            grid.leave_out_empty_columns(table, lambda column: column.null_count < len(column))
            told.append((name, table.names, as_lists(table.columns), table.report, table.units))
        else:
            grid.leave_out_totals(table)
            grid.leave_out_empty_columns(table)
            told.append((name, table.names, table.columns, table.report, table.units))
    return told, whole


def outcome(path: Path, large: int) -> tuple[Told | str, int]:
    try:
        return read(path, large)
    except ReadFailed as error:
        return error.message, 0


def alike(path: Path) -> int:
    """Asserts that both ways give the same; returns how many sheets were read by whole columns."""
    (cell_by_cell, none), (by_columns, whole) = outcome(path, NEVER), outcome(path, ALWAYS)
    assert none == 0
    assert by_columns == cell_by_cell
    return whole


def made(path: Path, fill: Callable[[Any], None], **options: object) -> Path:
    book = xlsxwriter.Workbook(str(path), options)
    fill(book)
    book.close()
    return path


@pytest.mark.parametrize("case", BOOKS, ids=[case.id for case in BOOKS])
def test_workbooks_of_the_corpus(case: Case, tmp_path: Path):
    path = tmp_path / "book"
    path.write_bytes(case.make())
    alike(path)


def test_nearly_all_workbooks_of_the_corpus_are_understood(tmp_path: Path):
    understood = 0
    for number, case in enumerate(BOOKS):
        path = tmp_path / str(number)
        path.write_bytes(case.make())
        understood += outcome(path, ALWAYS)[1] > 0
    assert understood >= 0.8 * len(BOOKS)


# ---------------------------------------------------------------- whatever is in the cells
TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12) | st.sampled_from(
    ["Total", " spaced ", "a & b < c", "5", "007", "", "12%", "$5", "1,5", "NA", "x" * 40, "_x0041_", "a\nb"]
)
FIGURES = (
    st.integers(-(10**16), 10**16)
    | st.floats(-1e18, 1e18, allow_nan=False)
    | st.sampled_from([0, -0.0, 0.1 + 0.2, 1 / 3, 1e-7, 1e22, 45292, 0.125, 33522.600000000006, 12.50])
)
DAYS = st.datetimes(dt.datetime(1900, 4, 1), dt.datetime(2099, 1, 1))
CELLS = st.one_of(st.none(), TEXTS, FIGURES, DAYS, st.booleans())
KINDS = st.sampled_from([TEXTS, FIGURES, DAYS, DAYS.map(lambda day: dt.datetime(day.year, day.month, day.day)), CELLS])
FORMATS = st.sampled_from(
    [None, "0.00", "0.0%", '"$"#,##0.00', "#,##0\\ [$€-407]", "yyyy-mm-dd", "d mmm yyyy h:mm", "@"]
)


@st.composite
def sheets(draw):
    columns = []
    height = draw(st.integers(1, 12))
    for _ in range(draw(st.integers(1, 5))):
        kind = draw(KINDS)
        columns.append((draw(FORMATS), draw(TEXTS), draw(st.lists(kind, min_size=height, max_size=height))))
    return columns, draw(st.integers(0, 3)), draw(st.integers(0, 30))


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(sheets(), st.booleans())
def test_any_cells(sheet, from_1904):
    columns, top, left = sheet

    def fill(book: Any) -> None:
        page, plain_day = book.add_worksheet(), book.add_format({"num_format": "dd/mm/yyyy"})
        for position, (code, head, cells) in enumerate(columns):
            style = book.add_format({"num_format": code}) if code else None
            for row, cell in enumerate([head, *cells]):
                at = (top + row, left + position)
                if isinstance(cell, dt.datetime):
                    page.write_datetime(*at, cell, style or plain_day)
                elif isinstance(cell, str):
                    page.write_string(*at, cell, style)
                elif cell is not None:
                    page.write(*at, cell, style)

    with tempfile.TemporaryDirectory() as folder:
        alike(made(Path(folder) / "book", fill, date_1904=from_1904))


def test_labels_merged_downwards_dates_swapped_and_rows_hidden_in_one_sheet(tmp_path: Path):
    days = [dt.date(2024, month, day) for month in (1, 2, 3) for day in (3, 5, 14, 17, 20, 28)]

    def fill(book: Any) -> None:
        page, style = book.add_worksheet(), book.add_format({"num_format": "yyyy-mm-dd"})
        share = book.add_format({"num_format": "0%"})
        page.write_row(0, 0, ["team", "day", "share", "n"])
        for row, day in enumerate(days, start=1):
            if day.day > 12:
                page.write(row, 1, f"{day.month}/{day.day}/{day.year}")
            else:
                page.write_datetime(row, 1, dt.datetime(day.year, day.day, day.month), style)
            page.write(row, 2, row / 8, share)
            page.write(row, 3, row)
        for first in range(1, len(days), 6):
            page.merge_range(first, 0, first + 5, 0, f"Team {first}")
        page.set_row(3, None, None, {"hidden": True})

    path = made(tmp_path / "book", fill)
    assert alike(path) == 1
    ((_, names, columns, report, units),) = read(path, ALWAYS)[0]
    assert names == ["team", "day", "share", "n"]
    assert columns[1] == [day.isoformat() if day.day <= 12 else f"{day.month}/{day.day}/{day.year}" for day in days]
    assert columns[0].count("Team 7") == 6
    assert columns[2][:2] == ["12.5", "25"]
    assert units == {2: "%"}
    assert "1 hidden row was read as well" in report
    assert any("swapped back" in note for note in report)


def test_other_writers_and_rows_that_are_no_data(tmp_path: Path):
    import openpyxl

    path = tmp_path / "book"
    for write_only in (True, False):
        book = openpyxl.Workbook(write_only=write_only)
        page = book.create_sheet("Data") if write_only else book.active
        page.append(["region", "n", "day"])
        for number in range(40):
            page.append([f"Région {number % 3}", number * 1.5, dt.datetime(2024, 1, 1 + number % 28, 10, 30)])
            if number % 15 == 14:
                page.append(["region", "n", "day"])
        page.append([None, None, None])
        page.append(["Total", sum(number * 1.5 for number in range(40)), None])
        page.append(["Source: the books"])
        book.save(path)
        assert alike(path) == 1


# ---------------------------------------------------------------- XML that is written otherwise
ROWS = re.compile(rb"<sheetData>.*</sheetData>", re.DOTALL)
HEAD = '<row r="1"><c r="A1" t="str"><v>a</v></c><c r="B1" t="str"><v>b</v></c></row>'


@pytest.mark.parametrize(
    ("rows", "understood"),
    [
        ('<row r="2"><c r="A2"><v>1</v></c><c r="B2" t="b"><v>1</v></c></row>', 1),
        ('<row r="2" spans="1:2"><c r="A2" s="0" t="n"><f>1+1</f><v>2</v></c><c r="B2" t="e"><v>#N/A</v></c></row>', 1),
        ('<row r="2"><c r="A2" t="inlineStr"><is><t>x &amp; &#233;</t></is></c><c r="B2"/></row>', 1),
        ('<row r="2"><c r="A2"><v/></c><c r="B2"><v>1E3</v></c></row>', 1),
        ('<row r="2"><c r="A2"><f t="shared" si="0"/><v>7</v></c><c r="B2" t="str"><f>"y"</f><v>y</v></c></row>', 1),
        ('<row r="2"><c t="str"><v>x</v></c><c><v>5</v></c></row>', 0),
        ('<row><c r="A2" t="str"><v>x</v></c><c r="B2"><v>5</v></c></row>', 0),
        ('<row r="2"><c r="A2" t="str"><v>x</v></c><!-- no --><c r="B2"><v>5</v></c></row>', 0),
        ('<row r="2"><c r="A2" t="str"><v><![CDATA[x > y]]></v></c><c r="B2"><v>5</v></c></row>', 0),
        ('<row r="2"><c r="A2" t="inlineStr"><is><r><t>x</t></r><r><t>y</t></r></is></c></row>', 0),
        ('<row r="2"><c r="A2" t="d"><v>2024-01-02</v></c><c r="B2"><v>5</v></c></row>', 0),
        ('<row r="2"><c r="A2"><v>five</v></c><c r="B2"><v>5</v></c></row>', 0),
        ('<row r="2"><c r="A2" t="s"><v>99</v></c><c r="B2"><v>5</v></c></row>', 0),
        ('<row r="2"><c r="A2" t="str"><v>l1\r\nl2</v></c><c r="B2"><v>5</v></c></row>', 0),
        ('<row r="2"><c r="A2" t="str"><v>_x0041_</v></c><c r="B2"><v>5</v></c></row>', 0),
        ('<row r="2"><c r="A2"><v>1</v></c><c r="A2"><v>2</v></c></row>', 0),
        ('<row r="3"><c r="A2"><v>1</v></c><c r="B2"><v>2</v></c></row>', 0),
        ('<row r="2"><c r="A2"><v>1</v></c><c r="B2"><v>2</v></row>', 0),
        ('<row r="2"><c r="A2" t="str"><v>\udcff</v></c><c r="B2"><v>2</v></c></row>', 0),
    ],
)
def test_xml_that_programs_may_write(tmp_path: Path, rows: str, understood: int):
    plain, path = tmp_path / "plain", tmp_path / "book"
    made(plain, lambda book: book.add_worksheet().write(0, 0, "x"))
    data = f"<sheetData>{HEAD}{rows}</sheetData>".encode("utf-8", "surrogateescape")
    with zipfile.ZipFile(plain) as old, zipfile.ZipFile(path, "w") as new:
        for entry in old.infolist():
            content = old.read(entry)
            new.writestr(entry, ROWS.sub(lambda _: data, content) if "sheet1" in entry.filename else content)
    assert alike(path) == understood
