"""Text that a spreadsheet would take for a formula, made harmless and read back; and the rows of every CSV file for
people.

A text cell of a CSV file that starts with one of these marks is run as a formula by spreadsheets, so it gets a single
quote in front when it leaves (a sign of text, in the spreadsheets' own way), and loses it when it comes back. What is
not seen before the mark is passed over, as spreadsheets do. Text that has such quotes already gets one more, so that
nothing is lost on the way there and back.

The same holds for each part of a text behind a line break, a semicolon, a tab or a pipe: a reader that parts cells by
one of these, as spreadsheets do where the comma is a decimal mark, takes quote marks only at the start of a cell for
such, and so begins a cell or a row in the middle of a quoted text. There, a quote mark may open and close an empty
stretch before the formula, so quote marks are passed over, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_MARKS = "=+-@＝＋－＠﹦﹢﹣﹫"
"""What begins a formula, with the forms that some spreadsheets take for the same."""
TRIGGERS = _MARKS + "\t\r\n"
"""What a cell must not start with: what OWASP lists."""
_PARTS = "\t\n\x0b\x0c\r\x1c\x1d\x1e\x85\u2028\u2029;|"
"""Where readers by another delimiter begin a cell, or a row."""
_UNSEEN = (
    (0x00, 0x20), (0x7F, 0xA0), (0xAD, 0xAD), (0x034F, 0x034F), (0x0600, 0x0605), (0x061C, 0x061C), (0x06DD, 0x06DD),
    (0x070F, 0x070F), (0x0890, 0x0891), (0x08E2, 0x08E2), (0x115F, 0x1160), (0x1680, 0x1680), (0x17B4, 0x17B5),
    (0x180B, 0x180F), (0x2000, 0x200F), (0x2028, 0x202F), (0x205F, 0x206F), (0x2800, 0x2800), (0x3000, 0x3000),
    (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFFB), (0x110BD, 0x110BD),
    (0x110CD, 0x110CD), (0x13430, 0x1343F), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip
"""Control and format characters, spaces of all kinds, fillers."""


def _ranges(without: str) -> Iterator[tuple[int, int]]:
    for first, last in _UNSEEN:
        for point in sorted(ord(mark) for mark in without if first <= ord(mark) <= last):
            if first < point:
                yield first, point - 1
            first = point + 1
        if first <= last:
            yield first, last


def _class(form: str, without: str = "") -> str:
    return "".join(form.format(first) + "-" + form.format(last) for first, last in _ranges(without))


def _points(marks: str) -> str:
    return "".join(f"\\x{{{ord(mark):x}}}" for mark in marks)


_PASSED = _class("\\U{:08x}") + "'\""
_PASSED_WITHIN = _class("\\U{:08x}", _PARTS) + "'\""
_RISKY = re.compile(f"[{_PASSED}]*[{re.escape(TRIGGERS)}]")
_GUARDED = re.compile(f"'[{_PASSED}]*[{re.escape(TRIGGERS)}]")
_RISKY_WITHIN = re.compile(f"([{_PARTS}])([{_PASSED_WITHIN}]*[{re.escape(_MARKS)}])")
_GUARDED_WITHIN = re.compile(f"([{_PARTS}])'([{_PASSED_WITHIN}]*[{re.escape(_MARKS)}])")
_SQL_BEGINNING = f"[{_class(chr(92) + 'x{{{:x}}}')}''\"]*[{_points(TRIGGERS)}]"
_SQL_PART = f"[{_points(_PARTS)}]"
_SQL_WITHIN = f"[{_class(chr(92) + 'x{{{:x}}}', _PARTS)}''\"]*[{_points(_MARKS)}]"
_BREAKS = re.compile('[",;|\x00-\x1f\x7f-\xa0\u2028\u2029]|^\\s|\\s$')
"""What some reader takes for the end of a cell or of a row."""


def risky(text: str) -> bool:
    """Whether a spreadsheet may take the text for a formula."""
    return _RISKY.match(text) is not None


def neutral(text: str) -> str:
    """`text` as it may stand in a file for spreadsheets."""
    within = _RISKY_WITHIN.sub(r"\1'\2", text)
    return f"'{within}" if _RISKY.match(text) else within


def restored(text: str) -> str:
    """The text of a cell that `neutral`, or somebody like it, wrote."""
    within = _GUARDED_WITHIN.sub(r"\1\2", text)
    return within[1:] if _GUARDED.match(text) else within


def neutral_sql(cell: str) -> str:
    """`neutral` of an SQL expression."""
    within = f"regexp_replace({cell}, '({_SQL_PART})({_SQL_WITHIN})', '\\1''\\2', 'g')"
    return f"CASE WHEN regexp_matches({cell}, '^{_SQL_BEGINNING}') THEN '''' || {within} ELSE {within} END"


def restored_sql(cell: str) -> str:
    """`restored` of an SQL expression."""
    within = f"regexp_replace({cell}, '({_SQL_PART})''({_SQL_WITHIN})', '\\1\\2', 'g')"
    return f"CASE WHEN regexp_matches({cell}, '^''{_SQL_BEGINNING}') THEN substr({within}, 2) ELSE {within} END"


def csv_line(cells: Iterable[object], end: str = "\r\n") -> str:
    """A row of a CSV file; every text is quoted in which any reader could see the end of a cell or a row.

    Python's own writer leaves a bare carriage return unquoted where rows end otherwise, and semicolons always.
    """
    return ",".join(_cell(cell) for cell in cells) + end


def _cell(cell: object) -> str:
    text = "" if cell is None else str(cell)
    return '"' + text.replace('"', '""') + '"' if _BREAKS.search(text) else text
