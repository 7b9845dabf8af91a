"""Notes on the header of a sheet say what its columns hold; other notes, and broken ones, do nothing."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.comments import Comment

from apps.analyst.tables import codec, ingest, run_in_child
from apps.analyst.tables.xlsx_reader import read_sheets

ROWS = [["Region", "Net", "Cost"], *([f"R{n}", n * 10, n * 5] for n in range(1, 9))]


@pytest.fixture
def book(tmp_path: Path) -> Callable[..., Path]:
    """A workbook of these rows, from a cell on, with notes by cell."""

    def made(notes: dict[str, str], *, above: int = 0, left: int = 0, rows: list[list[Any]] = ROWS) -> Path:
        opened = openpyxl.Workbook()
        sheet: Any = opened.active
        for _ in range(above):
            sheet.append([])
        for row in rows:
            sheet.append([None] * left + row)
        for cell, text in notes.items():
            sheet[cell].comment = Comment(text, "Ann Lee")
        path = tmp_path / "book.xlsx"
        opened.save(path)
        return path

    return made


def descriptions(path: Path, tmp_path: Path) -> dict[str, str]:
    (made,) = ingest(path, "book.xlsx", tmp_path / "out")
    return {column.name: column.description for column in made.table.columns if column.description}


def test_a_note_on_a_header_describes_its_column_and_is_told(book, tmp_path):
    path = book({"B1": "Ann Lee:\nAfter returns,\n before tax.", "B3": "checked"})
    (made,) = ingest(path, "book.xlsx", tmp_path / "out")
    assert [column.description for column in made.table.columns] == ["", "After returns, before tax.", ""]
    assert "1 note on the header kept as what the column holds (Net)" in made.report
    assert codec.table_from_json(codec.table_to_json(made.table)).columns[1].description


def test_the_confined_child_reads_it_as_well(book, tmp_path):
    (made,) = run_in_child(book({"B1": "After returns."}), "book.xlsx", tmp_path / "out")
    assert made.table.columns[1].description == "After returns."


def test_it_is_found_where_the_table_does_not_begin_in_the_corner(book, tmp_path):
    assert descriptions(book({"D4": "After returns."}, above=3, left=2), tmp_path) == {"Net": "After returns."}


def test_a_merged_header_takes_notes_on_either_of_its_rows(book, tmp_path):
    rows = [["Region", "2023", None, "2024", None], [None, "Net", "Cost", "Net", "Cost"],
            *([f"R{n}", n * 10, n * 5, n * 20, n * 7] for n in range(1, 9))]  # fmt: skip
    path = book({"D2": "After returns.", "B1": "Audited."}, rows=rows)
    assert descriptions(path, tmp_path) == {"2023 - Net": "Audited.", "2024 - Net": "After returns."}


def test_sheets_that_are_read_by_whole_columns_keep_them_too(book):
    ((_, grid),) = read_sheets(book({"D4": "After returns."}, above=3, left=2), "book.xlsx", large=1)
    assert type(grid).__name__ == "LargeGrid"
    assert grid.descriptions == {"Net": "After returns."}


def test_a_threaded_comment_says_what_people_wrote(book, tmp_path):
    told = "[Threaded comment]\n\nYour version of Excel allows you to read this.\n\nComment:\n    After returns."
    assert descriptions(book({"B1": told + "\nReply:\n    Sure?"}), tmp_path) == {"Net": "After returns."}


def test_a_long_note_is_cut(book, tmp_path):
    assert len(descriptions(book({"B1": "x" * 9_000}), tmp_path)["Net"]) == 500


@pytest.mark.parametrize(
    "content",
    [b"", b"<comments", b"<other/>", b'<!DOCTYPE a [<!ENTITY b "c">]><comments>&b;</comments>'],
)
def test_notes_that_cannot_be_read_cost_nothing_but_themselves(book, tmp_path, content):
    source, broken = book({"B1": "After returns."}), tmp_path / "broken.xlsx"
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(broken, "w") as new:
        for name in old.namelist():
            new.writestr(name, content if "comments" in name and name.endswith(".xml") else old.read(name))
    assert descriptions(broken, tmp_path) == {}
