"""What a workbook's number formats say about columns: currency and per cent. Read from the first rows of a sheet
only."""

from __future__ import annotations

import re
import zipfile
from collections import Counter
from dataclasses import dataclass

from apps.analyst.tables.words import CURRENCY_CODES, CURRENCY_SIGNS

FIRST_ROWS = 60
_HEAD = 1 << 19
_STYLES_MAX = 8 << 20
_BUILT_IN = {5: "$", 6: "$", 7: "$", 8: "$", 9: "%", 10: "%", 37: "", 38: "", 42: "$", 44: "$"}
_DAYS, _TIMES = {14, 15, 16, 17, 22}, {18, 19, 20, 21, 45, 46, 47, *range(27, 37), *range(50, 59)}
_ELAPSED = re.compile(r"\[[hms]+\]", re.IGNORECASE)
_ASIDE = re.compile(r'"[^"]*"|\\.|[_*].|\[[^\]]*\]')
"""What a format code shows to the letter, or says about colours and languages."""
_HALF_OF_DAY = re.compile(r"am/pm|a/p")
_EXPONENT = re.compile(r"e[+-]")
_NO_LETTERS = re.compile(r"[\W\d_]+")
_CELL = re.compile(rb'<(?:\w+:)?c r="([A-Z]{1,3})(\d+)"([^>]*?)(/?)>')
_STYLE = re.compile(rb'\bs="(\d+)"')
_KIND = re.compile(rb'\bt="(\w+)"')
_LOCALE = re.compile(r"\[\$([^\]-]*)(?:-[0-9A-Fa-f]+)?\]")
_QUOTED = re.compile(r'"([^"]*)"')


@dataclass(frozen=True, slots=True)
class CellFormat:
    """What a column's number format shows around its figures."""

    unit: str | None = None
    """A currency code or "%"."""

    @property
    def percent(self) -> bool:
        """True where cells hold shares that are shown as per cent."""
        return self.unit == "%"


@dataclass(frozen=True, slots=True)
class StyleCode:
    """The number format of a style: its number, and its code where the workbook itself says it."""

    number: int
    code: str | None


def style_codes(archive: zipfile.ZipFile) -> list[StyleCode]:
    """The number formats by style index; empty where the workbook has none that can be read."""
    from defusedxml import ElementTree
    from defusedxml.common import DefusedXmlException

    try:
        entry = archive.getinfo("xl/styles.xml")
        if entry.file_size > _STYLES_MAX:
            return []
        root = ElementTree.fromstring(archive.read(entry))
    except (KeyError, ElementTree.ParseError, DefusedXmlException, zipfile.BadZipFile, OSError):
        return []
    codes = {
        int(node.get("numFmtId", "-1")): node.get("formatCode", "")
        for node in root.iter()
        if node.tag.endswith("}numFmt")
    }
    found: list[StyleCode] = []
    for group in root.iter():
        if group.tag.endswith("}cellXfs"):
            for node in group:
                number = int(node.get("numFmtId", "0"))
                found.append(StyleCode(number, codes.get(number)))
    return found


def formats_of(codes: list[StyleCode]) -> list[CellFormat]:
    """What the figures of each style show around them."""
    return [
        CellFormat(unit_of(_BUILT_IN.get(known.number, "") if known.code is None else known.code)) for known in codes
    ]


def says_day(known: StyleCode) -> bool | None:
    """Whether figures of a style are days or moments; None where that is not sure, or they are times of day."""
    if known.code is None:
        return True if known.number in _DAYS else None if known.number in _TIMES else False
    bare = _ASIDE.sub("", known.code.split(";")[0]).casefold()
    if _ELAPSED.search(known.code) or "general" in bare:
        return None if _ELAPSED.search(known.code) else False
    letters = set(_NO_LETTERS.sub("", _HALF_OF_DAY.sub("", _EXPONENT.sub("", bare))))
    if not letters:
        return False
    return True if letters <= set("ymdhs") and letters & set("yd") else None


def unit_of(code: str) -> str | None:
    """The unit a format code shows: "%", or the code of its currency."""
    positive = code.split(";")[0]
    if "%" in _QUOTED.sub("", positive):
        return "%"
    for match in _LOCALE.finditer(positive):
        unit = _currency(match.group(1))
        if unit:
            return unit
    for match in _QUOTED.finditer(positive):
        unit = _currency(match.group(1))
        if unit:
            return unit
    bare = _LOCALE.sub("", _QUOTED.sub("", positive)).replace("\\", "")
    return next((CURRENCY_SIGNS[sign] for sign in "$€£¥₹" if sign in bare), None)


def _currency(text: str) -> str | None:
    text = text.strip()
    if text in CURRENCY_SIGNS:
        return CURRENCY_SIGNS[text]
    return text.upper() if text.upper() in CURRENCY_CODES else None


def by_column(archive: zipfile.ZipFile, part: str, known: list[CellFormat]) -> dict[int, CellFormat]:
    """The usual format of the figures of each column (counted from 0 at A) in a sheet's first rows."""
    if not known:
        return {}
    try:
        with archive.open(part) as sheet:
            head = sheet.read(_HEAD)
    except (KeyError, OSError, zipfile.BadZipFile, RuntimeError):
        return {}
    counts: dict[int, Counter[CellFormat]] = {}
    first_row: int | None = None
    for letters, row, attributes, empty in _CELL.findall(head):
        first_row = int(row) if first_row is None else first_row
        if int(row) > first_row + FIRST_ROWS:
            break
        style, kind = _STYLE.search(attributes), _KIND.search(attributes)
        if empty or (kind and kind.group(1) != b"n"):
            continue
        index = int(style.group(1)) if style else 0
        counts.setdefault(column_index(letters.decode()), Counter())[
            known[index] if index < len(known) else CellFormat()
        ] += 1
    return {column: counter.most_common(1)[0][0] for column, counter in counts.items()}


def units_of(formats: dict[int, CellFormat], width: int) -> dict[int, str]:
    """The units of a table's columns, by position."""
    return {index: shown.unit for index, shown in formats.items() if shown.unit and 0 <= index < width}


def column_index(letters: str) -> int:
    """A column's letters as a number from 0."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number - 1


def sheet_parts(archive: zipfile.ZipFile) -> dict[str, str]:
    """The part of the archive that holds each sheet, by the sheet's name."""
    from defusedxml import ElementTree
    from defusedxml.common import DefusedXmlException

    try:
        relations = ElementTree.fromstring(archive.read("xl/_rels/workbook.xml.rels"))
        book = ElementTree.fromstring(archive.read("xl/workbook.xml"))
    except (KeyError, ElementTree.ParseError, DefusedXmlException, zipfile.BadZipFile, OSError):
        return {}
    targets = {node.get("Id", ""): node.get("Target", "") for node in relations}
    found = {}
    for node in book.iter():
        if node.tag.endswith("}sheet"):
            target = next((targets.get(value, "") for key, value in node.attrib.items() if key.endswith("}id")), "")
            found[node.get("name", "")] = target.lstrip("/") if target.startswith("/") else f"xl/{target}"
    return found
