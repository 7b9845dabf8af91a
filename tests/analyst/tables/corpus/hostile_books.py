"""Workbooks made to hurt: bombs, broken zips, sheets that claim what they do not hold."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.analyst.tables.corpus.cases import Case, hostile, made, sheet

NAMESPACE = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
HEAD = '<row r="1"><c r="A1" t="inlineStr"><is><t>a</t></is></c><c r="B1" t="inlineStr"><is><t>b</t></is></c></row>'
LINE = '<row r="{0}"><c r="A{0}"><v>{0}</v></c><c r="B{0}"><v>1</v></c></row>'
DAMAGED, NO_BOOK, TOO_BIG = "damaged", "not an Excel workbook", "unpacks to more data"


def parts(page: str | bytes, **more: str | bytes) -> dict[str, str | bytes]:
    """The parts of a smallest workbook with this sheet; `more` are further parts by their path."""
    return {
        "[Content_Types].xml": '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/'
        'content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Override PartName="/xl/workbook.xml" '
        'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>',
        "_rels/.rels": f'<?xml version="1.0"?><Relationships xmlns="{RELATIONS}"><Relationship Id="rId1" '
        f'Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<?xml version="1.0"?><workbook xmlns="{NAMESPACE}" xmlns:r="{OFFICE}">'
        '<sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<?xml version="1.0"?><Relationships xmlns="{RELATIONS}"><Relationship '
        f'Id="rId1" Type="{OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" '
        f'Type="{OFFICE}/sharedStrings" Target="sharedStrings.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": page,
        **more,
    }


def zipped(content: dict[str, str | bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in content.items():
            archive.writestr(name, data)
    return out.getvalue()


def page(cells: str, prologue: str = "", after: str = "") -> str:
    body = f"<sheetData>{cells}</sheetData>{after}"
    return f'<?xml version="1.0"?>{prologue}<worksheet xmlns="{NAMESPACE}">{body}</worksheet>'


def bad(id_: str, make: bytes | Callable[[], bytes], refused: str = "", **more: Any) -> Case:
    return hostile(id_, make, refused, name="book.xlsx", **more)


def a_book() -> bytes:
    return made(sheet([["name", "n", "x"], *([f"name {row}", row, row / 7] for row in range(400))]))


def cut(share: float) -> Callable[[], bytes]:
    def make() -> bytes:
        whole = a_book()
        return whole[: int(len(whole) * share)]

    return make


def flipped(at: float) -> Callable[[], bytes]:
    """A workbook with bytes of its middle overwritten."""

    def make() -> bytes:
        data = bytearray(a_book())
        start = int(len(data) * at)
        data[start : start + 60] = bytes(255 - byte for byte in data[start : start + 60])
        return bytes(data)

    return make


def far(cell: str, row: int) -> bytes:
    return zipped(parts(page(f'{HEAD}<row r="{row}"><c r="{cell}{row}"><v>1</v></c></row>')))


def bomb(megabytes: int) -> Callable[[], bytes]:
    return lambda: zipped(parts(b"<worksheet><sheetData>" + b"<row/>" * (megabytes * 174_763)))


def strings_bomb() -> bytes:
    shared = f'<sst xmlns="{NAMESPACE}"><si><t>{"A" * 120_000_000}</t></si></sst>'
    row = '<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2"><v>1</v></c></row>'
    return zipped(parts(page(HEAD + row), **{"xl/sharedStrings.xml": shared}))


def entities(declared: str, used: str) -> bytes:
    row = f'<row r="2"><c r="A2" t="inlineStr"><is><t>&{used};</t></is></c><c r="B2"><v>1</v></c></row>'
    return zipped(parts(page(HEAD + row, f"<!DOCTYPE x [{declared}]>")))


LAUGHS = '<!ENTITY a "aaaaaaaaaa">' + "".join(f'<!ENTITY {chr(98 + i)} "{f"&{chr(97 + i)};" * 10}">' for i in range(9))


def encrypted_entries() -> bytes:
    data = bytearray(a_book())
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.find(mark)
        while at >= 0:
            data[at + offset] |= 1
            at = data.find(mark, at + 4)
    return bytes(data)


def lying_size() -> bytes:
    """The directory claims that the sheet holds ten bytes."""
    data = bytearray(zipped(parts(page(HEAD + "".join(LINE.format(row) for row in range(2, 90_000))))))
    at = data.rfind(b"PK\x01\x02")
    while at >= 0:
        if b"sheet1.xml" in data[at : at + 100]:
            data[at + 24 : at + 28] = (10).to_bytes(4, "little")
        at = data.rfind(b"PK\x01\x02", 0, at)
    return bytes(data)


def merged(count: int) -> bytes:
    ranges = "".join(f'<mergeCell ref="A{row}:B{row + 9_000}"/>' for row in range(2, count))
    rows = "".join(LINE.format(row) for row in range(2, 300))
    return zipped(parts(page(HEAD + rows, after=f"<mergeCells>{ranges}</mergeCells>")))


def styled(count: int) -> bytes:
    formats = "".join(f'<numFmt numFmtId="{200 + n}" formatCode="&quot;x{n}&quot;0.00"/>' for n in range(count))
    cells = "".join(f'<xf numFmtId="{200 + n}"/>' for n in range(count))
    styles = f'<styleSheet xmlns="{NAMESPACE}"><numFmts>{formats}</numFmts><cellXfs>{cells}</cellXfs></styleSheet>'
    rows = "".join(LINE.format(row) for row in range(2, 20))
    return zipped(parts(page(HEAD + rows), **{"xl/styles.xml": styles}))


def many_sheets(count: int) -> bytes:
    def fill(opened: Any) -> None:
        for number in range(count):
            sheet([["name", "n"], ["a", number], ["b", 2]], name=f"S{number}")(opened)

    return made(fill)


def wrong_indices() -> bytes:
    rows = '<row r="2"><c r="A2" t="s"><v>99999999</v></c><c r="B2" s="4000000"><v>1</v></c></row>'
    shared = f'<sst xmlns="{NAMESPACE}"><si><t>x</t></si></sst>'
    return zipped(parts(page(HEAD + rows), **{"xl/sharedStrings.xml": shared}))


def escaping_paths() -> bytes:
    rows = "".join(LINE.format(row) for row in range(2, 6))
    return zipped(parts(page(HEAD + rows), **{"../../../tmp/evil.txt": "x", "/etc/evil": "x", "xl/../../evil": "x"}))


ZIPS: list[Case] = [
    bad("nothing at all", b"", "is empty"),
    bad("a csv under another name", b"a,b\n1,2\n", NO_BOOK),
    bad("a web page as old systems export it", b"<html><table><tr><td>1</td></tr></table></html>", NO_BOOK),
    bad("a zip that ends after its first mark", b"PK\x03\x04 and nothing more", DAMAGED),
    bad("a zip without a workbook", lambda: zipped({"readme.txt": "hello"}), NO_BOOK),
    bad("a text document", lambda: zipped({"[Content_Types].xml": "<Types/>", "word/document.xml": "<w/>"}), NO_BOOK),
    bad("an open document", lambda: zipped({"mimetype": "application/vnd.oasis.opendocument.spreadsheet",
                                            "content.xml": "<x/>"}), NO_BOOK),
    bad("a zip cut at one tenth", cut(0.1), DAMAGED),
    bad("a zip cut in the middle", cut(0.5), DAMAGED),
    bad("a zip cut before its end", cut(0.97), DAMAGED),
    bad("a zip with a broken middle", flipped(0.55), either=True),
    bad("a zip with a broken directory", flipped(0.95), either=True),
    bad("twenty thousand entries", lambda: zipped(parts(page(HEAD), **{f"x/{n}": "" for n in range(20_000)})), TOO_BIG),
    bad("paths that climb out", escaping_paths, rows=4),
    bad("a password by the office's own encryption", OLE + bytes(600) + "EncryptedPackage".encode("utf-16-le"),
        "protected by a password"),
    bad("a password by the zip's encryption", encrypted_entries, "protected by a password"),
    bad("the format of before 2007", OLE + bytes(600), "old Excel format"),
]  # fmt: skip

BOMBS: list[Case] = [
    bad("a zip bomb", bomb(120), TOO_BIG),
    bad("a small zip bomb", bomb(18), either=True),
    bad("a bomb of strings", strings_bomb, "book.xlsx"),
    bad("one cell at XFD1048576", lambda: far("XFD", 1_048_576), "so far apart"),
    bad("one cell at A1048576", lambda: far("A", 1_048_576), either=True),
    bad("one cell at ZZ1048576", lambda: far("ZZ", 1_048_576), "so far apart"),
    bad("one cell at XFD2", lambda: far("XFD", 2), either=True),
    bad("a row past the last", lambda: far("A", 99_999_999), "book.xlsx"),
    bad("an entity bomb", lambda: entities(LAUGHS, "j"), either=True),
    bad("an entity from outside", lambda: entities('<!ENTITY a SYSTEM "file:///etc/passwd">', "a"), either=True),
    bad("an entity from the net", lambda: entities('<!ENTITY a SYSTEM "http://127.0.0.1:9/x">', "a"), either=True),
    bad("a size that is a lie", lying_size, DAMAGED),
    bad("fifty thousand merged ranges", lambda: merged(50_000), either=True),
    bad("sixty thousand styles", lambda: styled(60_000), rows=18),
    bad("a hundred sheets", lambda: many_sheets(100), rows=2),
]  # fmt: skip

BROKEN: list[Case] = [
    bad("a sheet that is not closed", lambda: zipped(parts(f"<worksheet><sheetData>{HEAD}<row")), DAMAGED),
    bad("a sheet of noise", lambda: zipped(parts(bytes(range(256)) * 20)), "book.xlsx"),
    bad("a sheet that is missing", lambda: zipped({k: v for k, v in parts("").items() if "sheet1" not in k}), DAMAGED),
    bad("a book without its list of parts", lambda: zipped({k: v for k, v in parts(page(HEAD)).items()
                                                            if "rels" not in k}), "book.xlsx"),
    bad("strings that are not there", wrong_indices, either=True),
    bad("a sheet without rows", lambda: zipped(parts(page(""))), "is empty"),
    bad("a sheet of headers", lambda: zipped(parts(page(HEAD))), "no rows of data"),
    bad("twenty thousand columns", lambda: zipped(parts(page(
        "".join(f'<row r="{r}">' + "<c><v>1</v></c>" * 20_000 + "</row>" for r in (1, 2))))), "book.xlsx"),
]  # fmt: skip

HOSTILE_BOOKS = [*ZIPS, *(replace(case, in_child=True) for case in BOMBS), *BROKEN]
