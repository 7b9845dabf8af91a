"""What every promised question comes to, computed with pandas alone: question -> rows, in order where order is asked.

A row holds the values that the answer's row must hold, names before figures. Shares and rates are in per cent.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pandas as pd

from tests.apps.demo.demo_frames import Organization

Rows = list[tuple[Any, ...]]
Series = pd.Series


class Books:
    """The frames with the few sets of rows that questions speak of, and the periods of the day it is."""

    def __init__(self, organization: Organization) -> None:
        frames = organization.frames
        self.today = pd.Timestamp(organization.today)
        companies = frames["companies"]
        industry = companies.set_index("Company name")["Industry"]
        deals = frames["deals"].copy()
        deals["Industry"] = deals["Company name"].map(industry)
        ends = {"Closed Won": "won", "Won": "won", "Closed Lost": "lost", "Lost": "lost"}
        deals["end"] = deals["Deal Stage"].map(ends).fillna("open")
        deals["days"] = (deals["Close Date"] - deals["Create Date"]).dt.days
        self.deals, self.won, self.lost = deals, deals[deals.end == "won"], deals[deals.end == "lost"]
        self.open, self.closed = deals[deals.end == "open"], deals[deals.end != "open"]
        self.churned = companies[companies["Churn date"].notna()]
        self.meetings, self.emails, self.tickets = frames["meetings"], frames["emails"], frames["tickets"]
        self.held = self.meetings[self.meetings["Meeting outcome"] == "Completed"]
        self.sent = self.emails[self.emails["Email direction"] == "Outgoing"]
        self.open_tickets = self.tickets[self.tickets["Ticket status"] == "Open"]
        self.contacts, self.targets = frames["contacts"], frames["targets"]

    def inside(self, frame: pd.DataFrame, column: str, unit: str, shift: int = 0) -> pd.DataFrame:
        """Rows of this (0) or the last (-1) month, quarter, year or week."""
        wanted = self.today.to_period(unit) + shift
        return frame[frame[column].dt.to_period(unit) == wanted]

    def as_far(self, frame: pd.DataFrame, column: str, unit: str, shift: int, known: Series) -> pd.DataFrame:
        """Rows of this or the last period, up to the same day of the same month of it as the present one has reached;
        `known` are all dates of the table, which may end before today."""
        day = min(self.today, known.max().normalize())
        now, wanted = self.today.to_period(unit), self.today.to_period(unit) + shift
        month = (wanted.start_time + pd.DateOffset(months=day.month - now.start_time.month)).to_period("M")
        last = min(month.start_time + pd.Timedelta(days=day.day - 1), month.end_time.normalize())
        dates = frame[column].dt.normalize()
        return frame[(dates >= wanted.start_time) & (dates <= last)]

    def months(self, frame: pd.DataFrame, column: str, count: int) -> pd.DataFrame:
        """Rows of the calendar months up to the present one."""
        last = self.today.to_period("M")
        months = frame[column].dt.to_period("M")
        return frame[(months > last - count) & (months <= last)]


@dataclass(frozen=True)
class Told:
    """Expected rows; `ordered` where the order is part of the answer; `ties` where rows past equal figures differ."""

    rows: Rows
    ordered: bool = False
    ties: bool = False


def by(frame: pd.DataFrame, column: str, value: str | None = None, how: str = "sum") -> Series:
    """A figure per value, missing ones too; a count without a value column."""
    groups = frame.groupby(column, dropna=False)
    return groups.size() if value is None else groups[value].agg(how)


def per(frame: pd.DataFrame, column: str, unit: str, value: str | None = None, how: str = "sum") -> Series:
    """A figure per period, each by its first day."""
    starts = frame[column].dropna().dt.to_period(unit).dt.start_time
    rows = frame.loc[starts.index]
    groups = rows.groupby(starts)
    return groups.size() if value is None else groups[value].agg(how)


def rows(series: Series) -> Rows:
    """A series as rows."""
    return [(_plain(key), _plain(value)) for key, value in series.items()]


def _plain(value: Any) -> Any:
    if value is None or value is pd.NaT or (isinstance(value, float) and value != value):
        return None
    if isinstance(value, pd.Timestamp):
        return value.date()
    return value.item() if hasattr(value, "item") else value


def table(*series: Series) -> Rows:
    """Several series side by side."""
    return [(_plain(key), *(_plain(s.get(key)) for s in series)) for key in series[0].index]


def shares(series: Series) -> Rows:
    """With each value's share."""
    return [(_plain(key), _plain(value), 100 * value / series.sum()) for key, value in series.items()]


def top(series: Series, count: int) -> Told:
    """The largest first; names missing are not ranked."""
    known = series[series.index.notna()].sort_values(ascending=False)
    return Told(rows(known.head(count)), ordered=True, ties=True)


def first(series: Series) -> Told:
    """All that share the first place."""
    known = series[series.index.notna()]
    return Told(rows(known[known == known.max()]))


def one(*values: Any) -> Told:
    """One row of figures."""
    return Told([tuple(_plain(value) for value in values)])


def some(series: Series) -> Told:
    """Groups in any order."""
    return Told(rows(series))


def line(series: Series) -> Told:
    """Periods in their order."""
    return Told(rows(series.sort_index()), ordered=True)


def listed(
    frame: pd.DataFrame, names: list[str], *, by_: str | None = None, count: int | None = None, ascending: bool = False
) -> Told:
    """Rows themselves."""
    chosen = frame if by_ is None else frame[frame[by_].notna()].sort_values(by_, ascending=ascending)
    chosen = chosen if count is None else chosen.head(count)
    return Told(
        [tuple(_plain(value) for value in row) for row in chosen[names].itertuples(index=False)],
        ordered=False,
        ties=count is not None,
    )


def compared(now: float, then: float) -> Told:
    """This and that, with the change."""
    return one(now, then, now - then, 100 * (now - then) / then)


def rate(frame: pd.DataFrame, group: Any) -> Told:
    """Win rates per group."""
    groups = frame.groupby(group, dropna=False)["end"]
    won, lost = groups.agg(lambda e: (e == "won").sum()), groups.agg(lambda e: (e == "lost").sum())
    return Told(table(100 * won / (won + lost), won, lost))


def race(b: Books, unit: str, shift: int, key: str) -> Rows:
    """Won, target and attainment of each owner in a period."""
    won = by(b.inside(b.won, "Close Date", unit, shift), "Deal owner", "Amount")
    goal = by(b.inside(b.targets, "Quarter start", unit, shift), "Owner", "Target amount")
    found = []
    for owner, target in goal.items():
        amount = won.get(owner, 0)
        figures = {"attainment": (100 * amount / target, amount, target), "gap": (target - amount, amount, target)}
        found.append((owner, *map(_plain, figures[key])))
    return found


def whole(b: Books, unit: str, shift: int) -> tuple[float, float]:
    """Won amount and target of a period."""
    won = b.inside(b.won, "Close Date", unit, shift)["Amount"].sum()
    return won, b.inside(b.targets, "Quarter start", unit, shift)["Target amount"].sum()


def quarters(b: Books, only: int | None = None) -> tuple[Series, Series]:
    """Won amount and target per quarter that has a target."""
    goal = per(b.targets, "Quarter start", "Q", "Target amount")
    won = per(b.won, "Close Date", "Q", "Amount").reindex(goal.index)
    keep = goal.index.year == only if only else goal.index.year > 0
    return won[keep], goal[keep]


Expected = Callable[[Books], Told]
DEAL = ["Deal Name", "Amount"]
