"""How the source of a connected tab is named: googlesheets_{spreadsheet}__tab__{tab}.csv (PRODUCT "Names"). Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import count

from apps.datasources.naming import SHEETS_PREFIX, TAB_MARKER, clean_name, visible
from apps.integrations.google.limits import TITLE_LENGTH

_WORD = re.compile(r"[^\W_]")


def tab_file_name(spreadsheet: str, tab: str, *, taken: Callable[[str], bool]) -> str:
    """The first free name for the tab's source. What cannot stand in a file's name is left out of both titles."""
    return next(name for name in _candidates(_label(spreadsheet, "Spreadsheet"), _label(tab, "Tab")) if not taken(name))


def _candidates(spreadsheet: str, tab: str) -> Iterator[str]:
    yield f"{SHEETS_PREFIX}{spreadsheet}{TAB_MARKER}{tab}.csv"
    for number in count(2):
        yield f"{SHEETS_PREFIX}{spreadsheet}{TAB_MARKER}{tab} {number}.csv"


def _label(title: str, fallback: str) -> str:
    """A title in the marks a name may have; the marker between spreadsheet and tab cannot come from a title."""
    kept = clean_name(f"{visible(title).replace(TAB_MARKER, ' ')}.").rstrip(". ")[:TITLE_LENGTH].strip()
    return kept if _WORD.search(kept) else fallback
