"""The spreadsheets of Google's stand-in: tabs of every kind, ragged rows, dates as day counts with their formats."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any

_RANGE = re.compile(r"^'((?:[^']|'')*)'!([A-Z]+)(\d+):([A-Z]+)(\d+)$")
DATE = {"type": "DATE", "pattern": "d/m/yyyy"}
DOLLARS = {"type": "CURRENCY", "pattern": '"$"#,##0.00'}
PERCENT = {"type": "PERCENT", "pattern": "0.0%"}


class NoSuchRange(Exception):
    """No tab of that name, as a range names it."""


@dataclass
class FakeTab:
    """A tab: `formats` by column, for every row below the first."""

    sheet_id: int
    title: str
    rows: list[list[Any]] = field(default_factory=list)
    formats: Sequence[Mapping[str, str]] = ()
    kind: str = "GRID"
    hidden: bool = False
    spare_rows: int = 20

    def properties(self, index: int) -> dict[str, Any]:
        """As `spreadsheets.get` says it: what is zero or false is left out."""
        said: dict[str, Any] = {"sheetId": self.sheet_id, "title": self.title, "index": index, "sheetType": self.kind}
        if self.hidden:
            said["hidden"] = True
        if self.kind == "GRID":
            width = max([len(row) for row in self.rows], default=0)
            said["gridProperties"] = {"rowCount": len(self.rows) + self.spare_rows, "columnCount": max(width + 2, 5)}
        return {name: value for name, value in said.items() if value != 0 or name == "title"}

    def grid(self, rows: int) -> dict[str, Any]:
        """The number formats of the first rows."""
        head: list[Any] = [{"values": [{} for _ in self.formats]}]
        cells = [{"effectiveFormat": {"numberFormat": dict(one)}} if one else {} for one in self.formats]
        return {"rowData": [*head, *({"values": cells} for _ in self.rows[1:rows])]}


@dataclass
class FakeFile:
    """A spreadsheet. `reachable`: it was picked and access was not taken back."""

    file_id: str
    title: str
    tabs: list[FakeTab]
    modified: datetime = field(default_factory=lambda: datetime.now(UTC))
    version: int = 1
    trashed: bool = False
    reachable: bool = True

    def touch(self) -> None:
        """What every change does: the stamp, told in milliseconds, is later than the one before."""
        self.version += 1
        self.modified = max(datetime.now(UTC), self.modified.astimezone(UTC) + timedelta(milliseconds=1))

    def tab(self, title: str) -> FakeTab:
        """The tab of that title."""
        return next(tab for tab in self.tabs if tab.title == title)

    def read(self, asked: str) -> dict[str, Any]:
        """A value range: trailing empty cells and rows are left out, and `values` where there are none. Raises."""
        found = _RANGE.match(asked)
        tab = next((t for t in self.tabs if found and t.title == found[1].replace("''", "'")), None)
        if found is None or tab is None or tab.kind != "GRID":
            raise NoSuchRange
        first, last = int(found[3]), int(found[5])
        left, right = _column(found[2]), _column(found[4])
        rows = [_trimmed(row[left - 1 : right]) for row in tab.rows[first - 1 : last]]
        while rows and not rows[-1]:
            rows.pop()
        return {"range": asked, "majorDimension": "ROWS", **({"values": rows} if rows else {})}


def day_count(day: str) -> int:
    """An ISO date as a sheet counts it."""
    return (date.fromisoformat(day) - date(1899, 12, 30)).days


def _trimmed(row: Sequence[Any]) -> list[Any]:
    cells = list(row)
    while cells and cells[-1] in ("", None):
        cells.pop()
    return ["" if cell is None else cell for cell in cells]


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def planted() -> list[FakeFile]:
    """What is in the account at first."""
    deals: list[list[Any]] = [
        ["Deal", "Region", "Amount", "Close date", "Discount", "Won"],
        ["Harbour", "North", 12_000, day_count("2026-01-15"), 0.05, True],
        ["Lighthouse", "South", 8_500.5, day_count("2026-02-20"), 0.1, False],
        ["Beacon", "North", 23_250, day_count("2026-03-03")],
        ["Anchor", "East", 4_100, day_count("2026-03-28"), 0, True],
        [],
        ["Compass", "South", 15_750, day_count("2026-04-09"), 0.125, True],
    ]
    goals: list[list[Any]] = [["Region", "Berths"], ["North", 40_000], ["South", 30_000], ["East", 10_000]]
    pipeline = FakeFile(
        "1PlantedPipelineSheetId",
        "Pipeline 2026",
        [
            FakeTab(0, "Deals", deals, [{}, {}, DOLLARS, DATE, PERCENT, {}]),
            FakeTab(101, "Goals (draft)", goals, [{}, {}]),
            FakeTab(102, "Chart", kind="OBJECT"),
            FakeTab(103, "Sums", [["hidden"], [1]], hidden=True),
            FakeTab(104, "Notes"),
        ],
    )
    visits: list[list[Any]] = [["Day", "Visits"], *([day_count("2026-05-01") + n, 100 + n * 7 % 60] for n in range(90))]
    web = FakeFile("1PlantedVisitsSheetId", "Web visits", [FakeTab(0, "Daily", visits, [DATE, {}])])
    return [pipeline, web]
