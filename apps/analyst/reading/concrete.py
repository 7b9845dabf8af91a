"""From a sequence of actions to a sketch with everything written out: columns by name, values, numbers, days."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from apps.analyst.knowledge.english import english
from apps.analyst.knowledge.folding import singular
from apps.analyst.reading.linking import Linked
from apps.analyst.reading.periods_joined import are_apart
from apps.analyst.reading.periods_meant import range_meant
from apps.analyst.reading.search import Action
from apps.analyst.reading.sketch import GRAMMAR, MAKES, POINTED, PRODUCTIONS, Sketch, walk

_DAY = timedelta(1)
COMPARED = frozenset([*(f"{h}{op}" for h in ("", "h") for op in ("gt", "ge", "lt", "le", "eq", "ne")), "between"])
"""Productions that hold a figure against numbers."""
PERCENTS = frozenset(("pct", "rate", "share", "growth", "vpct"))
"""Figures in percent."""


def concrete(actions: tuple[Action, ...], linked: Linked, today: date) -> Sketch:
    """The sketch that the actions write. Raises ValueError where they are no whole sketch."""
    return written(pointing(actions), linked, today)


def pointing(actions: tuple[Action, ...]) -> Sketch:
    """The sketch that the actions write, its leaves as places. Raises ValueError where they are no whole sketch."""
    places = iter(actions)

    def build() -> Sketch:
        found = next(places, None)
        if found is None:
            raise ValueError("a sketch that is not complete")
        kind, number = found
        if kind != "=":
            return (kind, number)
        name = PRODUCTIONS[number]
        return (name, *(build() for _ in GRAMMAR[name][1:]))

    return build()


def written(sketch: Sketch, linked: Linked, today: date) -> Sketch:
    """A sketch whose leaves are places, with what they point to written out. Raises ValueError where a part is not of
    the kind that its place wants."""
    for part in walk(sketch):
        for child, kind in zip(part[1:], GRAMMAR[part[0]][1:] if part[0] in GRAMMAR else (), strict=False):
            if child[0] not in MAKES.get(kind, ()) and child[0] != POINTED.get(kind):
                raise ValueError(f"{child[0]} where {kind} is wanted")
    return Writer(linked, today).node(sketch)


class Writer:
    """Writes the parts of a sketch out, its leaves being places."""

    def __init__(self, linked: Linked, today: date) -> None:
        self.linked, self.today = linked, today

    def node(self, s: Sketch) -> Sketch:
        kind = s[0]
        if len(kind) == 1 and kind in "TCWND":
            return self.leaf(kind, s[1])
        if kind[:1] == "n" and kind[1:].isdecimal():
            return ("N", float(kind[1:]))
        if kind.startswith(("in2", "in3", "in4", "in5", "in6", "notin2", "notin3", "notin4")):
            return (kind[:-1], *dict.fromkeys(self.node(w) for w in s[1:]))
        if kind in ("years2", "years3"):
            return ("years", self.node(s[1]), *(self.node(d) for d in s[2:]))
        if kind == "partis":
            return ("partis", (s[1][0].removeprefix("part_"),), self.node(s[2]), ("X", s[3][0][1:]))
        if kind in ("span", "age"):
            return (kind, (s[1][0].removeprefix("in_"),), *(self.node(c) for c in s[2:]))
        if kind in ("over", "extreme"):
            return (kind, (s[1][0].removeprefix("fn_"),), *(self.node(c) for c in s[2:]))
        if kind == "onlyone":
            return ("one",)
        if kind == "one":
            return s
        if kind in COMPARED:
            figure = self.node(s[1])
            return (kind, figure, *(self.limit(n, s[1]) for n in s[2:]))
        dated = self.dates(s)
        return dated if dated is not None else (kind, *(self.node(c) for c in s[1:]))

    def limit(self, n: Sketch, figure: Sketch) -> Sketch:
        """The number that a figure is compared with, in the figure's own unit: "two hours" is 120 of minutes, "90
        percent" is 0.9 where the column holds shares of one, and "a fifth" is 20 of percent."""
        made, unit = self.node(n), self.unit(figure)
        if n[0] != "N":
            return made
        said = self.linked.amounts[n[1]]
        if said.unit in english().percents and self.is_share(figure):
            return ("N", made[1] / 100)
        if said.part and figure[0] in PERCENTS:
            return ("N", made[1] * 100)
        if unit is None or self.is_named(said.unit, figure):
            return made
        lengths = english().durations
        own, other = lengths.get(unit.casefold()), lengths.get(said.unit)
        return made if own is None or other is None else ("N", made[1] * other / own)

    def is_named(self, unit: str, figure: Sketch) -> bool:
        """Whether the unit stands in the name of a figure's column: "days in office per week" are days."""
        index, wanted = self.linked.index, singular(unit)
        places = (part[1] for part in walk(figure) if part[0] == "C" and isinstance(part[1], int))
        names = (index.names[len(index.tables) + place] for place in places)
        return bool(unit) and any(wanted == singular(word) for name in names for word in name)

    def is_share(self, figure: Sketch) -> bool:
        """Whether a figure is of a column whose values are shares of one."""
        places = [part[1] for part in walk(figure) if part[0] == "C" and isinstance(part[1], int)]
        if len(places) != 1:
            return False
        column = self.linked.index.columns[places[0]][1]
        low, high = column.minimum, column.maximum
        if not isinstance(low, float | Decimal) or not isinstance(high, float | Decimal):
            return False
        return low >= 0 and high <= 1

    def unit(self, figure: Sketch) -> str | None:
        """The unit of time that a figure is in, as far as its column or its kind says."""
        for part in walk(figure):
            if part[0] in ("span", "age"):
                return str(part[1][0].removeprefix("in_"))
            if part[0] == "C" and isinstance(part[1], int):
                return self.linked.index.units[part[1]]
        return None

    def leaf(self, kind: str, number: int) -> Sketch:
        index = self.linked.index
        if kind == "T":
            return ("T", index.tables[number].name)
        if kind == "C":
            table, column = index.columns[number]
            return ("C", index.tables[table].name, column.name)
        if kind == "W":
            item = self.linked.items[number]
            return ("W", *self.leaf("C", item.column)[1:], item.value)
        if kind == "N":
            return ("N", self.linked.numbers[number][1])
        start, end = self.linked.dated[number].ranges[0]
        return ("D", start, end)

    def dates(self, s: Sketch) -> Sketch | None:
        kind = s[0]
        if kind == "before_now":
            return ("dates", self.node(s[1]), None, self.today)
        if kind == "from_now":
            return ("dates", self.node(s[1]), self.today, None)
        if kind not in ("on", "since", "after", "before", "until", "from_to", "between_starts"):
            return None
        said = [self.linked.dated[d[1]] for d in s[2:]]
        days: list[Any] = [("D", *range_meant(one, s[1][1], self.linked)) for one in said]
        if kind == "from_to" and are_apart(self.linked.tokens, said[0], said[1]):
            return ("or", *(("dates", self.node(s[1]), *day[1:]) for day in days))
        low, high = days[0][1], days[0][2]
        bounds = {
            "on": (low, high),
            "since": (low, None),
            "after": (high, None),
            "before": (None, low),
            "until": (None, high),
            "from_to": (low, days[-1][2]),
            "between_starts": (low, days[-1][1]),
        }[kind]
        return ("dates", self.node(s[1]), *bounds)
