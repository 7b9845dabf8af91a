"""Text that a spreadsheet would take for a formula, made harmless and read back.

A text cell of a CSV file that starts with one of these marks is run as a formula by spreadsheets, so it gets a single
quote in front when it leaves (a sign of text, in the spreadsheets' own way), and loses it when it comes back. Text that
has such quotes already gets one more, so that nothing is lost on the way there and back.
"""

from __future__ import annotations

import re

TRIGGERS = "=+-@\t\r\n＝＋－＠"
"""What OWASP lists, and the full-width forms that some spreadsheets take for the same."""
_RISKY = re.compile(f"'*[{re.escape(TRIGGERS)}]")
_GUARDED = re.compile(f"'+[{re.escape(TRIGGERS)}]")
_SQL_TRIGGERS = "=+\\-@\\t\\r\\n＝＋－＠"


def neutral(text: str) -> str:
    """`text` as it may stand in a file for spreadsheets."""
    return f"'{text}" if _RISKY.match(text) else text


def restored(text: str) -> str:
    """The text of a cell that `neutral`, or somebody like it, wrote."""
    return text[1:] if text[:1] == "'" and _GUARDED.match(text) else text


def neutral_sql(cell: str) -> str:
    """`neutral` of an SQL expression."""
    return f"CASE WHEN regexp_matches({cell}, '^''*[{_SQL_TRIGGERS}]') THEN '''' || {cell} ELSE {cell} END"


def restored_sql(cell: str) -> str:
    """`restored` of an SQL expression."""
    return f"CASE WHEN regexp_matches({cell}, '^''+[{_SQL_TRIGGERS}]') THEN substr({cell}, 2) ELSE {cell} END"
