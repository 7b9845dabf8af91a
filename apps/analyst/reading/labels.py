"""What the columns of a composed plan are called. Words for people, none for reading."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from apps.analyst.dictionary.words import words
from apps.analyst.knowledge.folding import plural_word, singular
from apps.analyst.plan.sentence_groups import per_many
from apps.analyst.plan.spans import span_words
from apps.analyst.telling.formats import capital, day, spoken
from apps.analyst.telling.wording import led_by

_SPOKEN = {
    "sum": "Total {}",
    "avg": "Average {}",
    "median": "Median {}",
    "min": "Lowest {}",
    "max": "Highest {}",
    "countd": "Number of {}",
    "count": "Number of {}",
}
_GRAINS = {"hour": "Hour", "day": "Day", "week": "Week", "month": "Month", "quarter": "Quarter", "year": "Year"}
_PARTS = {"monthof": "Month", "quarterof": "Quarter", "weekday": "Weekday", "hourof": "Hour"}
_SIGNS = {"gt": ">", "ge": "≥", "lt": "<", "le": "≤", "eq": "=", "ne": "≠"}
_JOINTS = {
    "vadd": "plus",
    "vsub": "minus",
    "vmul": "times",
    "vdiv": "per",
    "plus": "plus",
    "minus": "minus",
    "times": "times",
    "ratio": "per",
}


@dataclass(frozen=True)
class Namer:
    """Readable names. `column` gives a column's readable label, `rows` what a table's rows are called, in the
    plural, `things` what a column's values tell apart where rows are lines of those ("" for other columns)."""

    column: Callable[[str, str], str]
    rows: Callable[[str], str]
    things: Callable[[str, str], str] = lambda _table, _column: ""

    def key(self, node: tuple[Any, ...], *, plural: bool = False) -> str:
        """A key or a value of a row."""
        kind = node[0]
        if plural:
            *before, last = self.key(node).split(" ")
            return " ".join([*before, plural_word(last)])
        if kind == "C":
            return self.column(node[1], node[2])
        if kind in _GRAINS:
            return _GRAINS[kind]
        if kind in _PARTS:
            return _PARTS[kind]
        if kind == "span":
            return f"{node[1][0].capitalize()} from {self.key(node[2])} to {self.key(node[3])}"
        if kind == "age":
            return f"{node[1][0].capitalize()} since {self.key(node[2])}"
        if kind == "ahead":
            return f"Days to {self.key(node[1])}"
        if kind == "vpct":
            return f"{self.key(node[1])} as % of {self.key(node[2])}"
        if kind in _JOINTS:
            return f"{self.key(node[1])} {_JOINTS[kind]} {self.key(node[2])}"
        return "Value"

    def figure(self, m: tuple[Any, ...]) -> str:
        """A figure: "Total net amount", "Number of orders", "Share of total sales"."""
        kind = m[0]
        if kind == "count":
            return f"Number of {self.rows(m[1][1])}"
        if kind in _SPOKEN and kind != "countd":
            return capital(led_by(_SPOKEN[kind].removesuffix(" {}"), self.key(m[1])))
        if kind == "countd":
            return f"Number of {self._things(m) or self.key(m[1])}"
        if kind == "given":
            return f"{self.figure(m[1])} ({self.condition(m[2])})"
        if kind == "rate":
            return f"Share of {self.rows(m[1][1])} ({self.condition(m[2])})"
        if kind == "share":
            return f"Share of {_lowered(self.figure(m[1]))}"
        if kind == "pct" and m[1][0] == "given" and m[1][1] == m[2] and m[2][0] == "countd" and self._things(m[2]):
            return f"Share of {self._things(m[2])} ({self.condition(m[1][2])})"
        if kind == "pct":
            return f"{self.figure(m[1])} as % of {_lowered(self.figure(m[2]))}"
        if kind == "growth":
            return self.growth(m[1], m[2])
        if kind == "running":
            return f"Running {_lowered(self.figure(m[1]))}"
        if kind == "previous":
            return f"{self.figure(m[1])} before"
        if kind == "minus" and m[2] == ("previous", m[1]):
            return f"Change in {_lowered(self.figure(m[1]))}"
        if kind == "scaled":
            return f"{self.figure(m[1])} / {m[2][1]:g}"
        if kind == "beside":
            named = self.figure(m[1])  # what is counted says of which table it is
            return named if _bare(m)[0] == "count" else f"{named} of {spoken(m[5])}"
        if kind == "whole":
            return f"{self.figure(m[1])} in all"
        if kind == "ratio" and _bare(m[2])[0] in ("count", "countd"):
            return f"{self.figure(m[1])} per {self.one(_bare(m[2]))}"
        if kind in _JOINTS:
            return f"{self.figure(m[1])} {_JOINTS[kind]} {_lowered(self.figure(m[2]))}"
        return "Figure"

    def _things(self, counted: tuple[Any, ...]) -> str:
        """The whole things that a count of different values counts; "" where it counts anything else."""
        return self.things(*counted[1][1:]) if counted[1][0] == "C" else ""

    def one(self, counted: tuple[Any, ...]) -> str:
        """One of what is counted: "order", "customer" for different customer numbers."""
        if counted[0] == "count":
            *before, last = self.rows(counted[1][1]).split(" ")
            return " ".join([*before, singular(last)])
        if things := self._things(counted):
            *before, last = things.split(" ")
            return " ".join([*before, singular(last)])
        said = _lowered(self.key(counted[1])).split(" ")
        return " ".join(said[:-1] if len(said) > 1 and said[-1].casefold() in words().identifying else said)

    def growth(self, new: tuple[Any, ...], old: tuple[Any, ...]) -> str:
        """A relative change: "Growth in number of orders from 2024 to 2025"."""
        if new[0] == old[0] == "given" and new[1] == old[1]:
            sides = f"from {self.condition(old[2])} to {self.condition(new[2])}"
            return f"Growth in {_lowered(self.figure(new[1]))} {sides}"
        return f"Change in {_lowered(self.figure(new))} (%)"

    def over(self, fn: str, figure: tuple[Any, ...], keys: tuple[Any, ...]) -> str:
        """A figure over groups: "Average of number of orders per customer"."""
        name = _SPOKEN[fn].format("")[:-1]
        return f"{name} of {_lowered(self.figure(figure))} per {self.one(('countd', keys[1]))}"

    def share_of_groups(self, keys: tuple[Any, ...], having: tuple[Any, ...]) -> str:
        """ "Share of customers with number of orders > 1"."""
        return f"Share of {_lowered(self.key(keys[1], plural=True))} with {self.held(having)}"

    def share_of_first(self, keys: tuple[Any, ...], figure: tuple[Any, ...], count: int) -> str:
        """ "Share of the top 10 customers in total sales"."""
        first = f"top {count} {_lowered(self.key(keys[1], plural=True))}"
        if count == 1:
            first = f"top {_lowered(self.key(keys[1]))}"
        return f"Share of the {first} in {_lowered(self.figure(figure))}"

    def held(self, h: tuple[Any, ...]) -> str:
        """A condition of groups."""
        if h[0] == "hand":
            return f"{self.held(h[1])} and {self.held(h[2])}"
        against = f"{h[2][1]:g}" if h[2][0] == "N" else _lowered(self.figure(h[2]))
        return f"{_lowered(self.figure(h[1]))} {_SIGNS[h[0].removeprefix('hm').removeprefix('h')]} {against}"

    def condition(self, p: tuple[Any, ...]) -> str:
        """A condition, as briefly as a label may be."""
        kind = p[0]
        if kind in ("and", "or"):
            return f"{self.condition(p[1])} {kind} {self.condition(p[2])}"
        if kind in ("is", "has"):
            value = str(p[1][3])
            return f"{self.column(p[1][1], p[1][2])}: {value}"
        if kind in ("isnt", "hasnt"):
            return f"{self.column(p[1][1], p[1][2])} not {p[1][3]}"
        if kind in ("in", "notin"):
            listed = " or ".join(str(w[3]) for w in p[1:])
            return f"{self.column(p[1][1], p[1][2])}{' not' if kind == 'notin' else ':'} {listed}"
        if kind == "dates":
            if p[2] is not None and p[3] is not None:
                return _span(p[2], p[3] - timedelta(1))
            return f"from {day(p[2])}" if p[2] is not None else f"before {day(p[3])}"
        if kind in ("missing", "filled"):
            return f"{'no' if kind == 'missing' else 'with'} {_lowered(self.key(p[1]))}"
        if kind in _SIGNS:
            return f"{self.key(p[1])} {_SIGNS[kind]} {p[2][1]:g}"
        if kind[:1] == "v" and kind[1:] in _SIGNS:
            return f"{self.key(p[1])} {_SIGNS[kind[1:]]} {_lowered(self.key(p[2]))}"
        if kind in ("member", "nonmember"):
            return f"{'among' if kind == 'member' else 'not among'} {self.rows(p[2][1][1])}"
        return "condition"


def per_many_label(label: str, scale: float) -> str:
    """A ratio's label where it is told for so many: "Revenue per 1,000 emails" of "Revenue per email"."""
    figure, per, one = label.rpartition(" per ")
    if not per:
        return f"{label} × {scale:,.0f}"
    return f"{figure} per {scale:,.0f} {per_many(one) if one != per_many(one) else plural_word(one)}"


def to_first_label(label: str) -> str:
    """The label of a time to the first of several events: "Average days from signup date to first order date"."""
    start, to, event = label.rpartition(" to ")
    return f"{start} to first {event}" if to and not event.startswith("first ") else label


def _bare(m: tuple[Any, ...]) -> tuple[Any, ...]:
    """A figure as such, also where it stands in a query of its own."""
    return _bare(m[1]) if m[0] == "beside" else m


def _lowered(text: str) -> str:
    """Lower case at the start, but for abbreviations."""
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]


def _span(first: date, last: date) -> str:
    """Days as a label has them: "2024", "Q2 2025", "Jul–Sep 2024", "1 Jan 2024 – 9 Feb 2025"."""
    said = span_words(first, last).split(" ", 1)[1]
    begins, joint, ends = said.partition(" to ")
    if not joint:
        return said
    if first.year == last.year:
        begins = begins.removesuffix(f" {first.year}")
    return f"{begins} – {ends}" if " " in begins else f"{begins}–{ends}"
