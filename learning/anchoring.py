"""Between a sketch with everything written out and one that points into the question and the catalog.

`anchored` finds, for what a lifted query names, the mention that says it; `actions` writes the result as the
sequence that the network learns to make. Raises Unsaid where the question does not say a thing (a date, a number, a
value).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

from apps.analyst.knowledge.english import english
from apps.analyst.knowledge.folding import folded
from apps.analyst.reading.concrete import Writer
from apps.analyst.reading.linking import Linked
from apps.analyst.reading.sketch import GRAMMAR, LEAVES, NUMBER, Sketch

ONE_DAY = timedelta(1)
FIXED = (0, 1, 2, 3, 4, 5, 6, 7, 10, 30, 50, 60, 90, 100)


class Unsaid(Exception):
    """Something that the query names and the question does not."""


class Anchor:
    """Anchors the sketches of one question."""

    def __init__(self, linked: Linked, today: date) -> None:
        self.linked, self.today, self.written = linked, today, Writer(linked, today)
        index = linked.index
        self.table = {t.name: n for n, t in enumerate(index.tables)}
        self.column = {(index.tables[t].name, c.name): n for n, (t, c) in enumerate(index.columns)}
        self.item: dict[tuple[int, str, bool], int] = {}
        for n, item in enumerate(linked.items):
            self.item.setdefault((item.column, folded(item.value), item.partial), n)

    def node(self, s: Sketch) -> Sketch:
        kind = s[0]
        if kind in "TCWND" and len(kind) == 1:
            return self.leaf(s)
        if kind == "dates":
            return self.dates(s)
        if kind == "years":
            return (f"years{len(s) - 2}", self.leaf(s[1]), *(self.day(d[1], d[2]) for d in s[2:]))
        if kind == "partis":
            return ("partis", (f"part_{s[1][0]}",), self.leaf(s[2]), (f"x{self.part(s[1][0], s[3][1])}",))
        if kind in ("in", "notin"):
            return (f"{kind}{len(s) - 1}", *sorted((self.leaf(w) for w in s[1:]), key=str))
        if kind in ("is", "isnt", "has", "hasnt"):
            return self.value(s)
        if kind in ("span", "age"):
            return (kind, (f"in_{s[1][0]}",), *(self.node(c) for c in s[2:]))
        if kind in ("over", "extreme"):
            return (kind, (f"fn_{s[1][0]}",), *(self.node(c) for c in s[2:]))
        if kind in ("gt", "ge", "lt", "le", "hgt", "hge", "hlt", "hle"):
            return self.bounded(s)
        if kind in ("first", "per"):
            many = ("onlyone",) if s[3] == ("one",) else ("top", self.leaf(s[3][1]))
            return (kind, s[1], self.node(s[2]), many)
        if kind == "and":
            return self.conjunction(s)
        if kind == "or":
            return self.alternatives(s)
        return (kind, *(self.node(c) for c in s[1:]))

    def conjunction(self, s: Sketch) -> Sketch:
        return _joined([self.node(p) for p in _unrolled(s)])

    def alternatives(self, s: Sketch) -> Sketch:
        """Either of some conditions; the same month or quarter of several years also where the years are said apart
        from it."""
        try:
            return ("or", self.node(s[1]), self.node(s[2]))
        except Unsaid:
            apart = _month_and_years(s)
            if apart is None:
                raise
            return self.node(apart)

    def leaf(self, s: Sketch) -> Sketch:
        kind = s[0]
        if kind == "T":
            return ("T", self.table[s[1]])
        if kind == "C":
            return ("C", self.column[s[1], s[2]])
        if kind == "W":
            found = self.item.get((self.column[s[1], s[2]], folded(str(s[3])), False))
            if found is None:
                found = self.item.get((self.column[s[1], s[2]], folded(self.truth(s)), False))
            if found is None:
                raise Unsaid(f"value {s[3]}")
            return ("W", found)
        if kind == "N":
            return self.number(float(s[1]))
        if kind == "D":
            return self.day(s[1], s[2])
        raise Unsaid(kind)

    def truth(self, s: Sketch) -> str:
        """How a flag of texts writes true or false."""
        said = str(s[3]).casefold()
        if said not in ("true", "false", "1", "0"):
            return str(s[3])
        wanted = english().affirmed if said in ("true", "1") else english().denied
        column = self.linked.index.columns[self.column[s[1], s[2]]][1]
        return next((v.value for v in column.values if v.value.casefold() in wanted), str(s[3]))

    def value(self, s: Sketch) -> Sketch:
        w = s[1]
        try:
            if s[0] in ("is", "isnt"):
                return (s[0], self.leaf(w))
        except Unsaid:
            column = self.linked.index.columns[self.column[w[1], w[2]]][1]
            if column.type in ("integer", "decimal", "float"):
                return ("eq" if s[0] == "is" else "ne", ("C", self.column[w[1], w[2]]), self.number(float(w[3])))
        c, said = self.column[w[1], w[2]], folded(str(w[3]))
        kind = {"is": "has", "isnt": "hasnt"}.get(s[0], s[0])
        for (column, text, partial), n in self.item.items():
            if column == c and (
                text == said or (partial and (f" {text} " in f" {said} " or f" {said} " in f" {text} "))
            ):
                return (kind, ("W", n))
        for (column, text, partial), n in self.item.items():
            if column == c and not partial and f" {said} " in f" {text} " and kind == "has":
                return ("is", ("W", n))
        raise Unsaid(f"value {w[3]}")

    def number(self, value: float) -> Sketch:
        for n, (_, said) in enumerate(self.linked.numbers):
            if abs(said - value) <= 1e-9 * max(1, abs(value)):
                return ("N", n)
        if value in FIXED:
            return (f"n{int(value)}",)
        raise Unsaid(f"number {value}")

    def bounded(self, s: Sketch) -> Sketch:
        """More than three, or four and more: whichever number the question says."""
        value = float(s[2][1])
        said = [n for _, n in self.linked.numbers]
        op = s[0]
        if value not in said and value.is_integer():
            other = {"gt": ("ge", 1), "ge": ("gt", -1), "lt": ("le", -1), "le": ("lt", 1)}[op.removeprefix("h")]
            if value + other[1] in said and self.counted(s[1]):
                value += other[1]
                op = ("h" if op.startswith("h") else "") + other[0]
        figure = self.node(s[1])
        return (op, figure, self.limit(value, figure))

    def limit(self, value: float, figure: Sketch) -> Sketch:
        """The number that says a limit of a figure, also where it is said in another unit."""
        try:
            return self.number(value)
        except Unsaid:
            for n in range(len(self.linked.numbers)):
                if abs(self.written.limit(("N", n), figure)[1] - value) <= 1e-9 * max(1, abs(value)):
                    return ("N", n)
            raise

    def counted(self, v: Sketch) -> bool:
        """Whether a figure only takes whole numbers."""
        if v[0] == "C":
            column = self.linked.index.columns[self.column[v[1], v[2]]][1]
            return column.type == "integer"
        return v[0] in ("count", "countd", "span", "age", "ahead")

    def part(self, kind: str, said: str) -> int:
        text = said.casefold()
        if text.isdigit():
            return int(text)
        words = english().weekdays if kind == "weekday" else english().months
        return next(n for n, names in enumerate(words, 1) if text in names)

    def day(self, start: date, end: date) -> Sketch:
        for most in (1, None):  # what a mention means by itself goes before what it may mean, too
            for n, mention in enumerate(self.linked.dated):
                if any(self.same(start, end, r, relative=mention.relative) for r in mention.ranges[:most]):
                    return ("D", n)
        raise Unsaid(f"period {start} to {end}")

    def same(self, start: date, end: date, r: tuple[date, date], *, relative: bool) -> bool:
        slack = 1 if relative else 0
        edge = min(self.today, self.linked.index.newest if self.linked.index.newest != date.max else self.today)
        ends = abs((end - r[1]).days) <= slack or (end > edge and r[1] > edge and abs((end - r[1]).days) <= 366)
        return abs((start - r[0]).days) <= slack and ends

    def dates(self, s: Sketch) -> Sketch:
        _, c, lo, hi = s
        column = self.leaf(c)
        mentions = list(enumerate(self.linked.dated))
        today = (self.today, self.today + ONE_DAY)
        if lo is not None and hi is not None:
            try:
                return ("on", column, self.day(lo, hi))
            except Unsaid:
                for n, one in mentions:
                    for m, other in mentions:
                        if m > n and any(a[0] == lo for a in one.ranges):
                            if any(b[1] == hi for b in other.ranges):
                                return ("from_to", column, ("D", n), ("D", m))
                            if any(b[0] == hi for b in other.ranges):
                                return ("between_starts", column, ("D", n), ("D", m))
                for n, one in mentions:
                    for m, other in mentions:
                        if n < m and one.ranges[0][1] == hi and other.ranges[0] == (lo, one.ranges[0][0]):
                            return ("or", ("on", column, ("D", n)), ("on", column, ("D", m)))
                edge = self.today
                if hi > edge:
                    for n, one in mentions:
                        if any(a[0] == lo for a in one.ranges):
                            return ("since", column, ("D", n))
                raise
        if lo is not None:
            for n, one in mentions:
                if any(a[0] == lo for a in one.ranges):
                    return ("since", column, ("D", n))
                if any(a[1] == lo for a in one.ranges):
                    return ("after", column, ("D", n))
            if lo in today:
                return ("from_now", column)
        if hi is not None:
            for n, one in mentions:
                if any(a[0] == hi for a in one.ranges):
                    return ("before", column, ("D", n))
                if any(a[1] == hi for a in one.ranges):
                    return ("until", column, ("D", n))
            for n, one in mentions:  # "not for 60 days", with or without the day itself
                if one.relative and any(abs((a[0] - hi).days) <= 1 for a in one.ranges):
                    return ("before", column, ("D", n))
            if hi in today:
                return ("before_now", column)
        raise Unsaid(f"bounds {lo} {hi}")


def _month_and_years(s: Sketch) -> Sketch | None:
    """The same month or quarter of several years as that part of a date and those years; None for all else."""
    spans: list[Sketch] = []
    while s[0] == "or":
        spans.append(s[1])
        s = s[2]
    spans.append(s)
    if any(span[0] != "dates" or None in span[1:] for span in spans):
        return None
    shapes = {(span[1], span[2].month, span[2].day, (span[3].month - span[2].month) % 12) for span in spans}
    if len(shapes) != 1 or len(spans) > 3:
        return None
    ((column, month, day, length),) = shapes
    part = {1: ("monthof", month), 3: ("quarterof", (month + 2) // 3)}.get(length)
    if part is None or day != 1 or (length == 3 and month % 3 != 1):
        return None
    years = (("D", date(span[2].year, 1, 1), date(span[2].year + 1, 1, 1)) for span in spans)
    return ("and", ("partis", (part[0],), column, ("X", str(part[1]))), ("years", column, *years))


def _joined(parts: list[Sketch]) -> Sketch:
    parts = sorted(parts, key=_order)
    made = parts[-1]
    for part in reversed(parts[:-1]):
        made = ("and", part, made)
    return made


def ordered(s: Sketch) -> Sketch:
    """The anchored sketch with conditions and listed values in their one order."""
    if s[0] == "and":
        return _joined([ordered(p) for p in _unrolled(s)])
    if s[0].startswith(("in", "notin")) and s[0][-1].isdigit():
        return (s[0], *sorted(s[1:], key=str))
    return (s[0], *(ordered(p) if isinstance(p, tuple) else p for p in s[1:]))


def _unrolled(s: Sketch) -> Iterator[Sketch]:
    if s[0] == "and":
        yield from _unrolled(s[1])
        yield from _unrolled(s[2])
    else:
        yield s


def _order(p: Sketch) -> tuple[Any, ...]:
    """Conditions in one order: by kind, then by what they point to."""
    pointers = list(_pointers(p))
    return (p[0] in ("on", "since", "before", "after", "until", "from_to", "years2"), str(p[0]), pointers)


def _pointers(p: Sketch) -> Iterator[tuple[str, int]]:
    if len(p) == 2 and p[0] in LEAVES and isinstance(p[1], int):
        yield (p[0], p[1])
        return
    for child in p[1:]:
        if isinstance(child, tuple):
            yield from _pointers(child)


def actions(s: Sketch) -> list[tuple[str, int]]:
    """The sketch from the top: productions ("=", number) and leaves (kind, place)."""
    made: list[tuple[str, int]] = []

    def visit(node: Sketch) -> None:
        if len(node) == 2 and len(node[0]) == 1 and isinstance(node[1], int):
            made.append((node[0], node[1]))
            return
        if node[0] not in NUMBER:
            raise Unsaid(f"production {node[0]}")
        if len(GRAMMAR[node[0]]) != len(node):
            raise Unsaid(f"arity of {node[0]}")
        made.append(("=", NUMBER[node[0]]))
        for child in node[1:]:
            visit(child)

    visit(s)
    return made
