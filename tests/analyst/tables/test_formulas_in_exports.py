"""Five hundred payloads leave in every format, and no reader sees a formula, or a cell that was not one."""

from __future__ import annotations

import csv
import io
import itertools
import random
import unicodedata
from datetime import date
from pathlib import Path

import duckdb
import openpyxl
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest
import python_calamine

from apps.analyst.tables import ingest
from apps.analyst.tables.exporting import ExportColumn, export_table, rows_as_csv, write_book
from apps.analyst.tables.neutral import csv_line, neutral, neutral_sql, restored, restored_sql
from apps.analyst.telling.exports import result_file
from apps.analyst.types import Answer, Result, ResultColumn

FORMULAS = ("=1+1", "=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1)", "＝1+1", "﹦1+1", '=HYPERLINK("http://x","y")')
BEFORE = (
    "", " ", "\t", "\n", "\r", "\r\n", "\x0b", "\x0c", "\x00", "\x1c", "\x85", "\xa0", "\xad", "\u200b", "\u200d",
    "\u2060", "\u2028", "\u2029", "\u3000", "\ufeff", "\u202e", "\u2066", "\ufe0f", "\U000e0041", "\u3164", "'", "''",
)  # fmt: skip
WITHIN = (
    "x\r", "x\n", "x\r\n", "x\x0b", "x\x0c", "x\x1e", "x\x85", "x\u2028", "x;", "x|", "x\t", 'x"', 'x",', "x,",
    'x;"', 'x\n"', 'x\t "', "x; ", "x;;", "x;'", "x\n\n", "x|\u200b", "x;y|\t", '";', '"\n',
)  # fmt: skip
PAYLOADS = [
    *(before + formula for before, formula in itertools.product(BEFORE, FORMULAS)),
    *(one + other + FORMULAS[0] for one, other in itertools.product(BEFORE[1:14], BEFORE[1:14])),
    *(within + formula for within, formula in itertools.product(WITHIN, FORMULAS)),
]


def harmless(cell: str) -> bool:
    """What a spreadsheet looks at first is no mark of a formula."""
    seen = "".join(c for c in cell if unicodedata.category(c) not in ("Cc", "Cf", "Zs", "Zl", "Zp", "Mn")).strip(
        "\u3164"
    )
    return unicodedata.normalize("NFKC", seen[:1]) not in ("=", "+", "-", "@")


def rows_of(content: bytes, delimiter: str = ",") -> list[list[str]]:
    text = content.decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))


def test_there_are_five_hundred_payloads() -> None:
    assert len(set(PAYLOADS)) >= 490


def check_csv(content: bytes) -> None:
    rows = rows_of(content)
    assert [len(row) for row in rows] == [2] * (len(PAYLOADS) + 1)
    assert [restored(row[0]) for row in rows[1:]] == PAYLOADS
    assert [row[0] for row in rows if not harmless(row[0])] == []
    check_every_reader(content)


def check_every_reader(content: bytes) -> None:
    """No cell of any reader is a formula: spreadsheets part cells by semicolons where the comma is a decimal mark."""
    for delimiter in ",;\t|":
        cells = [cell for row in rows_of(content, delimiter) for cell in row]
        assert [cell for cell in cells if not harmless(cell)] == [], delimiter


PLACES = (0, 1, 2)


@pytest.mark.parametrize("place", PLACES)
def test_a_text_in_any_column_is_harmless_to_readers_by_any_delimiter(place: int, tmp_path: Path) -> None:
    names = ["n", "m", "k"]
    names[place] = "=Name"
    columns = [ExportColumn(name, "text" if at == place else "integer") for at, name in enumerate(names)]
    rows = [tuple(payload if at == place else 7 for at in PLACES) for payload in PAYLOADS]
    check_every_reader(rows_as_csv(columns, rows))
    parquet.write_table(pa.table({name: [row[at] for row in rows] for at, name in enumerate(names)}), tmp_path / "t")
    export_table(tmp_path / "t", columns, len(rows), tmp_path / "t.csv", "csv")
    check_every_reader((tmp_path / "t.csv").read_bytes())


def test_a_text_stays_readable_and_keeps_what_starts_no_formula() -> None:
    assert neutral("Two things;-5 and\n=B7") == "Two things;'-5 and\n'=B7"
    for text in ("a;b|c\td", "1-2; 3+4", "x; y=5", "two\nlines", 'say "hi"; bye', "a, -5"):
        assert neutral(text) == text


def test_what_was_made_harmless_within_a_text_comes_back_when_the_file_is_read(tmp_path: Path) -> None:
    texts = [
        f"x{at}{part}{before}=1+{at}" for at, (part, before) in enumerate(itertools.product("\n;\t|", ("", " ", "'")))
    ]
    (tmp_path / "t.csv").write_bytes(rows_as_csv([ExportColumn("Name", "text")], [(text,) for text in texts]))
    (tmp_path / "out").mkdir()
    ingest(tmp_path / "t.csv", "t.csv", tmp_path / "out")
    assert parquet.read_table(tmp_path / "out" / "0.parquet").column(0).to_pylist() == texts


def test_rows_in_memory_as_csv() -> None:
    columns = [ExportColumn("=Name", "text"), ExportColumn("n", "integer")]
    check_csv(rows_as_csv(columns, [(payload, 1) for payload in PAYLOADS]))


def test_a_stored_table_as_csv_and_in_a_second_reader(tmp_path: Path) -> None:
    parquet.write_table(pa.table({"=Name": PAYLOADS, "n": [1] * len(PAYLOADS)}), tmp_path / "t.parquet")
    columns = [ExportColumn("=Name", "text"), ExportColumn("n", "integer")]
    export_table(tmp_path / "t.parquet", columns, len(PAYLOADS), tmp_path / "t.csv", "csv")
    check_csv((tmp_path / "t.csv").read_bytes())
    relation = f"read_csv('{tmp_path / 't.csv'}', header=true, all_varchar=true, delim=',', quote='\"')"
    cells = [row[0] for row in duckdb.sql(f"SELECT * FROM {relation}").fetchall()]
    assert len(cells) == len(PAYLOADS)
    assert all(map(harmless, cells))


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_the_file_of_an_answer(kind: str) -> None:
    columns = (ResultColumn("=Name", "text", "dimension"), ResultColumn("n", "integer", "measure"))
    result = Result(columns, tuple((payload, 1) for payload in PAYLOADS), len(PAYLOADS))
    file = result_file(kind, Answer("answered", "=1+1", result=result), "=asked", date(2025, 1, 10))  # type: ignore[arg-type]
    assert file is not None
    check_csv(file.content) if kind == "csv" else check_xlsx(file.content)


def check_xlsx(content: bytes) -> None:
    book = openpyxl.load_workbook(io.BytesIO(content))
    kinds = {cell.data_type for sheet in book for row in sheet.iter_rows() for cell in row}
    assert "f" not in kinds
    read = python_calamine.CalamineWorkbook.from_object(io.BytesIO(content))
    assert len(read.get_sheet_by_index(0).to_python()) == len(PAYLOADS) + 1


def test_rows_in_memory_as_a_workbook() -> None:
    columns = [ExportColumn("=Name", "text"), ExportColumn("n", "integer")]
    out = io.BytesIO()
    write_book(columns, [(payload, 1) for payload in PAYLOADS], out)
    check_xlsx(out.getvalue())


def test_sql_and_python_agree_and_nothing_is_lost_on_the_way_back() -> None:
    chance = random.Random(3)
    alphabet = ["'", "=", "-", "a", " ", ";", "|", '"', *BEFORE[1:]]
    texts = [*PAYLOADS, *("".join(chance.choices(alphabet, k=chance.randint(0, 5))) for _ in range(3_000))]
    texts = [text for text in texts if "\x00" not in text]
    held = duckdb.connect()
    held.execute("CREATE TABLE t (x VARCHAR)")
    held.executemany("INSERT INTO t VALUES (?)", [[text] for text in texts])
    made = held.execute(f"SELECT x, {neutral_sql('x')}, {restored_sql('x')} FROM t").fetchall()
    assert [row for row in made if row[1] != neutral(row[0]) or row[2] != restored(row[0])] == []
    assert [text for text in texts if restored(neutral(text)) != text] == []


def test_a_line_quotes_what_any_reader_could_end_a_cell_at() -> None:
    assert csv_line(["a\rb", "a;b", "plain", 5, None, 'say "hi"']) == '"a\rb","a;b",plain,5,,"say ""hi"""\r\n'
