"""What the Sheets service says of a spreadsheet, read into values. Pure: no network, no database.

Only grid tabs hold rows: a tab that is a chart, or a view on another database, cannot be connected. Hidden tabs are not
offered, as hidden sheets of an uploaded workbook are not read; one that was connected and hidden later stays connected.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from apps.integrations.google.cells import ColumnFormat, column_formats

GRID = "GRID"


@dataclass(frozen=True, slots=True)
class Tab:
    """A grid tab. `sheet_id` stays when people rename or move the tab."""

    sheet_id: int
    title: str
    index: int
    hidden: bool
    rows: int
    columns: int


@dataclass(frozen=True, slots=True)
class Spreadsheet:
    """A spreadsheet with its grid tabs in their order."""

    file_id: str
    title: str
    tabs: tuple[Tab, ...]

    @property
    def offered(self) -> tuple[Tab, ...]:
        """The tabs that people may connect."""
        return tuple(tab for tab in self.tabs if not tab.hidden)

    def tab_titled(self, title: str) -> Tab | None:
        """The tab of that title, as the page names it."""
        return next((tab for tab in self.tabs if tab.title == title), None)

    def tab_of(self, sheet_id: int) -> Tab | None:
        """The tab of that id, whatever it is called by now."""
        return next((tab for tab in self.tabs if tab.sheet_id == sheet_id), None)


def spreadsheet_of(document: Mapping[str, Any]) -> Spreadsheet:
    """Reads the answer of `spreadsheets.get`. Fields that the service leaves out at zero or false are just that."""
    tabs = []
    for sheet in document.get("sheets", []):
        properties = sheet.get("properties", {})
        if properties.get("sheetType", GRID) != GRID:
            continue
        grid = properties.get("gridProperties", {})
        tabs.append(
            Tab(
                sheet_id=int(properties.get("sheetId", 0)),
                title=str(properties.get("title", "")),
                index=int(properties.get("index", 0)),
                hidden=bool(properties.get("hidden", False)),
                rows=int(grid.get("rowCount", 0)),
                columns=int(grid.get("columnCount", 0)),
            )
        )
    tabs.sort(key=lambda tab: tab.index)
    title = str(document.get("properties", {}).get("title", ""))
    return Spreadsheet(file_id=str(document.get("spreadsheetId", "")), title=title, tabs=tuple(tabs))


def formats_of(document: Mapping[str, Any]) -> dict[int, list[ColumnFormat]]:
    """The number formats of each tab's columns, by sheet id, from the first rows of `spreadsheets.get`."""
    found: dict[int, list[ColumnFormat]] = {}
    for sheet in document.get("sheets", []):
        rows = [
            [value.get("effectiveFormat", {}).get("numberFormat", {}) for value in row.get("values", [])]
            for grid in sheet.get("data", [])
            for row in grid.get("rowData", [])
        ]
        found[int(sheet.get("properties", {}).get("sheetId", 0))] = column_formats(rows)
    return found


def quoted(title: str) -> str:
    """A tab's title as ranges name it: in single quotes, inner quotes doubled."""
    return "'" + title.replace("'", "''") + "'"


def row_blocks(tab: Tab, *, cells: int) -> list[str]:
    """The ranges that read the tab in blocks of at most `cells` cells, whole rows each."""
    width = max(1, tab.columns)
    height = max(1, cells // width)
    return [
        f"{quoted(tab.title)}!A{start}:{column_name(width)}{min(start + height - 1, tab.rows)}"
        for start in range(1, tab.rows + 1, height)
    ]


def column_name(number: int) -> str:
    """1 is A, 26 is Z, 27 is AA."""
    letters = ""
    while number > 0:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def values_of(document: Mapping[str, Any], ranges: int) -> list[Sequence[Sequence[Any]]]:
    """The rows of each asked range, in the order asked; a range without any value has no `values` at all."""
    answered = [value_range.get("values", []) for value_range in document.get("valueRanges", [])]
    return [*answered, *([[]] * (ranges - len(answered)))]
