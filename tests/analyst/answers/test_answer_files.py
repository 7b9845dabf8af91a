"""Answers as files: which questions ask for one, what is in it, and what a cell may never do."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from datetime import date
from xml.etree.ElementTree import fromstring
from zipfile import ZipFile

import openpyxl
import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.pipeline import answer
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.telling.answer_books import number_format
from apps.analyst.telling.exports import file_wish, file_words, result_file
from apps.analyst.types import Answer, Question, Result, ResultColumn, Turn

TODAY = date(2025, 1, 10)
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
Asked = Callable[..., Answer]


@pytest.fixture
def ask(catalog: FixedCatalog, warehouse: LocalWarehouse) -> Asked:
    def of(text: str, turns: tuple[Turn, ...] = ()) -> Answer:
        question = Question(text, today=TODAY, turns=turns)
        return answer(question, catalog=catalog, warehouse=warehouse, learned=False, onward=False)

    return of


def rows_of(content: bytes) -> list[list[object]]:
    sheet = openpyxl.load_workbook(io.BytesIO(content))["Result"]
    return [list(row) for row in sheet.iter_rows(values_only=True)]


@pytest.mark.parametrize(
    ("text", "kind", "rest"),
    [
        ("total amount by region as an Excel file", "xlsx", "total amount by region"),
        ("What is the total amount by stage, as a CSV?", "csv", "What is the total amount by stage?"),
        ("Export total amount by region to Excel", "xlsx", "show total amount by region"),
        ("Can I get an Excel file with the number of deals by stage?", "xlsx", "number of deals by stage?"),
        ("give me a csv of deals by owner", "csv", "deals by owner"),
        ("show deals by stage and export it to csv", "csv", "show deals by stage"),
        ("download all open deals", "xlsx", "show all open deals"),
        ("Export that as CSV please", "csv", ""),
        ("as an excel file", "xlsx", ""),
    ],
)
def test_the_wish_for_a_file_is_taken_out_of_the_question(
    catalog: FixedCatalog, text: str, kind: str, rest: str
) -> None:
    wish = file_wish(text, catalog)
    assert wish is not None
    assert (wish.kind, wish.text) == (kind, rest)


@pytest.mark.parametrize(
    "text", ["total amount by region", "which deals were exported?", "how many deals per csv stage"]
)
def test_other_questions_wish_for_no_file(catalog: FixedCatalog, text: str) -> None:
    assert file_wish(text, catalog) is None


def test_data_about_file_types_are_asked_about(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("uploads")
    path = folder / "uploads.csv"
    path.write_text("name,format\na,CSV\nb,PDF\nc,CSV\n", encoding="utf-8")
    catalog = catalog_from_files([path], folder / "tables")
    assert file_wish("how many uploads are stored as csv", catalog) is None
    assert file_wish("export uploads by format as csv", catalog) is not None


def test_a_workbook_holds_the_table_and_how_it_came_about(ask: Asked) -> None:
    said = ask("total amount by region as an Excel file")
    assert said.result is not None
    assert [file.file_name for file in said.files] == ["total-amount-by-region.xlsx"]
    assert "The table is attached as total-amount-by-region.xlsx (3 rows)." in said.text
    rows = rows_of(said.files[0].content)
    assert rows[0] == ["Region", "Total amount (USD)"]
    assert [row[0] for row in rows[1:]] == [row[0] for row in said.result.rows]
    assert [float(str(row[1])) for row in rows[1:]] == [float(str(row[1])) for row in said.result.rows]
    about = openpyxl.load_workbook(io.BytesIO(said.files[0].content))["About"]
    told = {str(row[0]): str(row[1]) for row in about.iter_rows(values_only=True)}
    assert told["Question"] == "total amount by region"
    assert told["Source"].startswith("deals (240 rows") or told["Source"].startswith("owners")


def test_a_csv_holds_plain_values(ask: Asked) -> None:
    said = ask("number of deals by quarter of create date as csv")
    text = said.files[0].content.decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text)))
    assert said.files[0].mime_type == "text/csv"
    assert rows[1][0] == "Q1 2023"
    assert sum(int(row[1]) for row in rows[1:]) == 240


def test_a_file_alone_is_made_of_the_answer_before(ask: Asked) -> None:
    first = ask("total amount by region")
    turn = Turn("total amount by region", first.plan, first.text)
    said = ask("export that as csv", (turn,))
    assert said.result == first.result
    assert said.files[0].file_name == "total-amount-by-region.csv"


def test_a_file_is_named_after_what_is_in_it(ask: Asked) -> None:
    assert ask("Export total amount by region to CSV").files[0].file_name == "total-amount-by-region.csv"


def test_an_answer_without_that_wish_has_no_file(ask: Asked) -> None:
    assert ask("total amount by region").files == ()


DANGEROUS = ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", '  =HYPERLINK("http://x")']
BEHIND_A_MARK = {"\t=1": "'\t'=1", "\r=1": "'\r'=1"}
"""What stands behind a mark that another reader parts cells or rows by is kept a text there, too."""


@pytest.mark.parametrize(("text", "kept"), [*((text, f"'{text}") for text in DANGEROUS), *BEHIND_A_MARK.items()])
def test_cells_that_look_like_formulas_stay_text(text: str, kept: str) -> None:
    columns = (ResultColumn("=name", "text", "dimension"), ResultColumn("n", "integer", "measure"))
    said = Answer("answered", "text", result=Result(columns, ((text, -5),), 1))
    made = result_file("csv", said, "q", TODAY)
    assert made is not None
    rows = list(csv.reader(io.StringIO(made.content.decode("utf-8-sig"), newline="")))
    assert rows == [["'=name", "n"], [kept, "-5"]]
    book = result_file("xlsx", said, "q", TODAY)
    assert book is not None
    sheet = openpyxl.load_workbook(io.BytesIO(book.content))["Result"]
    cell = sheet["A2"]
    assert (cell.data_type, cell.quotePrefix, sheet["B2"].value) == ("s", True, -5)


def test_what_a_file_leaves_out_is_said() -> None:
    columns = (ResultColumn("n", "integer", "measure"),)
    said = Answer("answered", "text", result=Result(columns, ((1,), (2,)), 12_000))
    made = result_file("csv", said, "all deals", TODAY)
    assert made is not None
    assert said.result is not None
    assert file_words(made, said.result) == "The table is attached as all-deals.csv (the first 2 of 12,000 rows)."


def test_long_ids_keep_their_digits() -> None:
    columns = (ResultColumn("id", "integer", "dimension"), ResultColumn("rate", "float", "measure", "%"))
    said = Answer("answered", "text", result=Result(columns, ((9007199254740993, 12.5), (None, 0.5)), 2))
    made = result_file("xlsx", said, "q", TODAY)
    assert made is not None
    assert rows_of(made.content) == [["id", "rate (%)"], ["9007199254740993", 12.5], [None, 0.5]]
    assert number_format(columns[1]) == "0.0"


def test_the_same_answer_gives_the_same_bytes(ask: Asked) -> None:
    one, two = (ask("total amount by region as an Excel file").files[0].content for _ in range(2))
    assert one == two


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("total amount by region as a PDF", "pdf"),
        ("total amount by region as a text file", "txt"),
        ("total amount by region in a Word document", "docx"),
        ("Export total amount by region to PDF", "pdf"),
    ],
)
def test_an_answer_can_be_had_on_paper(ask: Asked, text: str, kind: str) -> None:
    said = ask(text)
    assert [file.file_name for file in said.files] == [f"total-amount-by-region.{kind}"]
    assert said.files[0].content == ask(text).files[0].content, "the same answer gives the same bytes"


def test_words_and_texts_that_are_data_wish_for_no_paper(catalog: FixedCatalog) -> None:
    for text in ("how many deals have a word", "total amount in words", "show the notes as text"):
        assert file_wish(text, catalog) is None


def test_a_text_file_holds_question_answer_table_and_how_it_came_about(ask: Asked) -> None:
    said = ask("total amount by region as a text file")
    lines = said.files[0].content.decode().splitlines()
    assert said.files[0].mime_type == "text/plain"
    assert lines[0] == "total amount by region"
    head = next(line for line in lines if line.startswith("Region"))
    assert head.split() == ["Region", "Total", "amount", "(USD)"]
    assert said.result is not None
    table = lines[lines.index(head) + 2 :][: len(said.result.rows)]
    assert [line.split()[0] for line in table] == [row[0] for row in said.result.rows]
    assert [float(line.split()[1].strip("$").replace(",", "")) for line in table] == [
        round(float(str(row[1]))) for row in said.result.rows
    ]
    assert any(line.startswith("Source: deals (240 rows") for line in lines)


def test_a_word_file_holds_the_same_as_text(ask: Asked) -> None:
    said = ask("total amount by region as a Word file")
    with ZipFile(io.BytesIO(said.files[0].content)) as file:
        assert file.testzip() is None
        for part in file.namelist():
            fromstring(file.read(part))
        words = [node.text for node in fromstring(file.read("word/document.xml")).iter(f"{{{WORD}}}t")]
    assert words[0] == "total amount by region"
    assert said.result is not None
    assert {str(row[0]) for row in said.result.rows} <= set(words)
