"""Files made to hurt end as a table or as a plain refusal, soon, and leave the worker unharmed."""

from __future__ import annotations

import io
import time
import zipfile
from pathlib import Path

import pytest
import xlsxwriter

from apps.analyst.errors import ReadFailed
from apps.analyst.tables import IngestLimits, ingest, run_in_child
from apps.analyst.tables.headers import unique

CONTENT_TYPES = (
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Override PartName="/xl/workbook.xml" '
    'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>'
    '<Override PartName="/xl/worksheets/sheet1.xml" '
    'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>'
)
RELATIONS = (
    '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
    'Target="xl/workbook.xml"/></Relationships>'
)
BOOK = (
    '<?xml version="1.0"?><workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">'
    '<sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>'
)
BOOK_RELATIONS = (
    '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" '
    'Target="worksheets/sheet1.xml"/></Relationships>'
)


def workbook(sheet: str | bytes, **parts: str) -> bytes:
    """The bytes of a workbook with this sheet part."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", CONTENT_TYPES)
        archive.writestr("_rels/.rels", RELATIONS)
        archive.writestr("xl/workbook.xml", BOOK)
        archive.writestr("xl/_rels/workbook.xml.rels", BOOK_RELATIONS)
        archive.writestr("xl/worksheets/sheet1.xml", sheet)
        for name, text in parts.items():
            archive.writestr(name, text)
    return buffer.getvalue()


def sheet_of(cells: str, prologue: str = "") -> str:
    return (
        f'<?xml version="1.0"?>{prologue}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
        f"<sheetData>{cells}</sheetData></worksheet>"
    )


HEADER = '<row r="1"><c r="A1" t="inlineStr"><is><t>a</t></is></c><c r="B1" t="inlineStr"><is><t>b</t></is></c></row>'
FAR = f'{HEADER}<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
BOMB = (
    '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">'
    + "".join(f'<!ENTITY {chr(98 + i)} "{f"&{chr(97 + i)};" * 10}">' for i in range(9))
    + "]>"
)
EXTERNAL = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
ENTITY_ROW = '<row r="2"><c r="A2" t="inlineStr"><is><t>&{};</t></is></c><c r="B2"><v>1</v></c></row>'


def refusal(path: Path, name: str, out: Path) -> str:
    start = time.monotonic()
    with pytest.raises(ReadFailed) as caught:
        run_in_child(path, name, out, limits=IngestLimits(seconds=120))
    assert time.monotonic() - start < 30
    assert "Traceback" not in caught.value.message
    assert str(out) not in caught.value.message
    return caught.value.message


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"PK\x03\x04 and nothing more", "damaged"),
        (b"not a workbook at all", "not an Excel workbook"),
        (workbook(sheet_of(FAR)), "so far apart"),
        (workbook(b"<worksheet><sheetData>" + b"<row/>" * 8_000_000), "unpacks to more data"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 600 + "EncryptedPackage".encode("utf-16-le"), "password"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 600, "old Excel format"),
        (workbook("<worksheet><not closed"), "damaged"),
    ],
)
def test_a_hostile_workbook_is_refused_with_its_reason(tmp_path, content, words):
    path = tmp_path / "upload"
    path.write_bytes(content)
    with pytest.raises(ReadFailed, match=words) as caught:
        ingest(path, "book.xlsx", tmp_path / "out")
    assert caught.value.message.startswith("book.xlsx")


def test_a_truncated_workbook_is_refused(tmp_path):
    path = tmp_path / "upload"
    book = xlsxwriter.Workbook(str(path))
    sheet = book.add_worksheet()
    for row in range(200):
        sheet.write_row(row, 0, [row, f"text {row}", row / 3])
    book.close()
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(ReadFailed, match="damaged"):
        ingest(path, "book.xlsx", tmp_path / "out")


@pytest.mark.parametrize(("prologue", "entity"), [(BOMB, "j"), (EXTERNAL, "a")])
def test_entities_are_never_expanded(tmp_path, prologue, entity):
    path = tmp_path / "upload"
    path.write_bytes(workbook(sheet_of(HEADER + ENTITY_ROW.format(entity), prologue)))
    told = told_of(path, tmp_path / "out")
    assert "root:" not in told
    assert "aaaaaaaaaaaaaaaaaaaa" not in told


def told_of(path: Path, out: Path) -> str:
    """Everything that reading the file gives away: the tables, or the refusal."""
    try:
        return repr(run_in_child(path, "book.xlsx", out, limits=IngestLimits(seconds=60, memory_mb=512)))
    except ReadFailed as error:
        return error.message


def test_a_line_of_ten_megabytes_ends_soon(tmp_path):
    path = tmp_path / "upload"
    path.write_text("a,b\n" + "x" * 10_000_000 + ",1\nshort,2\n")
    (table,) = run_in_child(path, "file.csv", tmp_path / "out", limits=IngestLimits(seconds=120))
    assert table.table.rows == 2


def test_a_million_columns_are_refused(tmp_path):
    path = tmp_path / "upload"
    path.write_text(",".join(f"c{number}" for number in range(1_000_000)) + "\n1\n")
    assert "more than 16,384 columns" in refusal(path, "file.csv", tmp_path / "out")


def test_nul_bytes_are_dropped(tmp_path):
    path = tmp_path / "upload"
    path.write_bytes(b"na\x00me,n\nA\x00nn,1\nBob,2\n")
    (table,) = ingest(path, "file.csv", tmp_path / "out")
    assert [column.name for column in table.table.columns] == ["name", "n"]
    assert table.sample[0] == ("Ann", 1)


def test_an_unclosed_quote_does_not_swallow_the_file(tmp_path):
    path = tmp_path / "upload"
    path.write_text(
        "name,inches\n"
        + 'screen 5",3\n'
        + "".join(f'"item {n},{n}\n' for n in range(1))
        + "".join(f"thing {n},{n}\n" for n in range(500))
    )
    (table,) = ingest(path, "file.csv", tmp_path / "out")
    assert table.table.rows >= 500


@pytest.mark.parametrize(
    "name",
    [
        '"; DROP TABLE t; --',
        "a'b",
        'a"b',
        "x\\y",
        "{0}",
        "%s",
        "SELECT",
        "名前",
        "😀",
        "a.b",
        "c0",
        "count(*)",
        "../../x",
    ],
)
def test_hostile_column_names_are_only_names(tmp_path, name):
    path = tmp_path / "upload"
    quoted = name.replace('"', '""')
    path.write_text(f'"{quoted}",n\n' + "".join(f"v{n % 9},{n}\n" for n in range(60_000)), encoding="utf-8")
    (table,) = ingest(path, "file.csv", tmp_path / "out")
    assert [column.name for column in table.table.columns] == [name, "n"]
    assert table.table.rows == 60_000
    assert table.table.columns[0].distinct == 9


def test_a_header_of_a_hundred_thousand_letters_is_cut(tmp_path):
    file = tmp_path / "long.csv"
    file.write_text("x" * 100_000 + ",amount\n" + "".join(f"a{n},{n}\n" for n in range(20)))
    made = ingest(file, "long.csv", tmp_path / "out")[0]
    assert [len(column.name) for column in made.table.columns] == [200, 6]
    assert "1 column name was longer than 200 letters and cut" in made.report


def test_long_names_that_begin_alike_stay_apart(tmp_path):
    file = tmp_path / "long.csv"
    file.write_text(",".join(f"{'x' * 300}{n}" for n in range(3)) + "\n" + "1,2,3\n" * 20)
    names = [column.name for column in ingest(file, "long.csv", tmp_path / "out")[0].table.columns]
    assert len(set(names)) == 3


def test_more_columns_than_may_be_are_refused_in_words(tmp_path):
    file = tmp_path / "wide.csv"
    file.write_text(",".join(f"c{n}" for n in range(2_001)) + "\n" + ",".join("1" * 2_001) + "\n")
    with pytest.raises(ReadFailed, match="more than 2,000 columns, the most that a table can have"):
        run_in_child(file, "wide.csv", tmp_path / "out", limits=IngestLimits(columns=2_000))


def test_rows_that_outgrow_their_header_count_as_columns_too(tmp_path):
    file = tmp_path / "wide.csv"
    file.write_text("a,b\n1,2\n3,4\n" + ",".join("7" * 3_000) + "\n5,6\n")
    with pytest.raises(ReadFailed, match="more than 2,000 columns"):
        ingest(file, "wide.csv", tmp_path / "out", max_columns=2_000)


def test_thousands_of_equal_names_are_numbered_at_once(tmp_path):
    started = time.monotonic()
    names, _ = unique(["total"] * 16_384)
    assert (names[-1], len(set(names))) == ("total (16384)", 16_384)
    assert time.monotonic() - started < 2
