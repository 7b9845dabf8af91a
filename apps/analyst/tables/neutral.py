"""Text that a spreadsheet would take for a formula, made harmless and read back; and the rows of every CSV file for
people.

A text cell of a CSV file that starts with one of these marks is run as a formula by spreadsheets, so it gets a single
quote in front when it leaves (a sign of text, in the spreadsheets' own way), and loses it when it comes back. What is
not seen before the mark is passed over, as spreadsheets do. Text that has such quotes already gets one more, so that
nothing is lost on the way there and back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

TRIGGERS = "=+-@\t\r\n＝＋－＠﹦﹢﹣﹫"
"""What OWASP lists, and the forms that some spreadsheets take for the same."""
_UNSEEN = (
    (0x00, 0x20), (0x7F, 0xA0), (0xAD, 0xAD), (0x034F, 0x034F), (0x0600, 0x0605), (0x061C, 0x061C), (0x06DD, 0x06DD),
    (0x070F, 0x070F), (0x0890, 0x0891), (0x08E2, 0x08E2), (0x115F, 0x1160), (0x1680, 0x1680), (0x17B4, 0x17B5),
    (0x180B, 0x180F), (0x2000, 0x200F), (0x2028, 0x202F), (0x205F, 0x206F), (0x2800, 0x2800), (0x3000, 0x3000),
    (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFFB), (0x110BD, 0x110BD),
    (0x110CD, 0x110CD), (0x13430, 0x1343F), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip
"""Control and format characters, spaces of all kinds, fillers."""


def _class(form: str) -> str:
    return "".join(form.format(first) + "-" + form.format(last) for first, last in _UNSEEN)


_SKIPPED = _class("\\U{:08x}")
_RISKY = re.compile(f"[{_SKIPPED}']*[{re.escape(TRIGGERS)}]")
_GUARDED = re.compile(f"'[{_SKIPPED}']*[{re.escape(TRIGGERS)}]")
_SQL_SKIPPED = _class("\\x{{{:x}}}")
_SQL_TRIGGERS = "=+\\-@\\t\\r\\n＝＋－＠﹦﹢﹣﹫"
_BREAKS = re.compile('[",;|\x00-\x1f\x7f-\xa0\u2028\u2029]|^\\s|\\s$')
"""What some reader takes for the end of a cell or of a row."""


def risky(text: str) -> bool:
    """Whether a spreadsheet may take the text for a formula."""
    return _RISKY.match(text) is not None


def neutral(text: str) -> str:
    """`text` as it may stand in a file for spreadsheets."""
    return f"'{text}" if _RISKY.match(text) else text


def restored(text: str) -> str:
    """The text of a cell that `neutral`, or somebody like it, wrote."""
    return text[1:] if text[:1] == "'" and _GUARDED.match(text) else text


def neutral_sql(cell: str) -> str:
    """`neutral` of an SQL expression."""
    seen = f"regexp_matches({cell}, '^[{_SQL_SKIPPED}'']*[{_SQL_TRIGGERS}]')"
    return f"CASE WHEN {seen} THEN '''' || {cell} ELSE {cell} END"


def restored_sql(cell: str) -> str:
    """`restored` of an SQL expression."""
    seen = f"regexp_matches({cell}, '^''[{_SQL_SKIPPED}'']*[{_SQL_TRIGGERS}]')"
    return f"CASE WHEN {seen} THEN substr({cell}, 2) ELSE {cell} END"


def csv_line(cells: Iterable[object], end: str = "\r\n") -> str:
    """A row of a CSV file; every text is quoted in which any reader could see the end of a cell or a row.

    Python's own writer leaves a bare carriage return unquoted where rows end otherwise, and semicolons always.
    """
    return ",".join(_cell(cell) for cell in cells) + end


def _cell(cell: object) -> str:
    text = "" if cell is None else str(cell)
    return '"' + text.replace('"', '""') + '"' if _BREAKS.search(text) else text
