"""Figures of tables that do not meet row by row: actual amounts beside plans, sales beside what was spent on them.

In: a sketch whose tables no sound join brings together. Out: the same sketch with each figure of another table than the
groups' as a node ("beside", figure, its keys, the groups' keys, its conditions, its table), which is summed up by
itself and found by its group, and with conditions on what the groups' table has. Raises Unfit where keys or conditions
are not shared.
"""

from __future__ import annotations

from dataclasses import dataclass

from apps.analyst.reading.composing_rows import days_of, overlap
from apps.analyst.reading.counterparts import condition_of, contains, date_of, key_of
from apps.analyst.reading.joining import Schema, Unfit, leads_to, scan, tables_in
from apps.analyst.reading.sketch import GRAMMAR, NOTHING, Sketch, unrolled, walk

_PAIRS = ("pct", "growth", "ratio", "minus", "plus", "times")
_ALONG = ("share", "running", "previous")
_FIGURES = ("count", "countd", "sum", "avg", "median", "min", "max", "rate", "given")


def apart(sketch: Sketch, schema: Schema) -> Sketch:
    """The sketch with its figures table by table. Raises Unfit."""
    if sketch[0] not in ("agg", "group", "over_count", "over", "over_rate"):
        raise Unfit("rows of tables that do not meet")
    if any(part[0].startswith("hall") for part in walk(sketch)):
        raise Unfit("groups held against the whole of several tables")
    parts = dict(zip(GRAMMAR[sketch[0]][1:], sketch[1:], strict=True))
    figures = [_inward(part) for kind, part in parts.items() if kind in ("MS", "M", "H", "L")]
    homes = list(dict.fromkeys(_home(figure, schema) for part in figures for figure in _figures_in(part)))
    if len(homes) < 2:
        raise Unfit("tables that do not meet")
    keys = parts.get("KS", ("k0",))
    home = _groups_home(keys, homes, schema)
    keys = _widest(keys, homes, home, schema)
    home = _groups_home(keys, homes, schema)
    split = _Split(schema, home, keys, parts["P"])
    made = {"KS": keys, "P": split.conditions(parts["P"], home)}
    named = [_told(sketch[0], n, kind, part, made, split) for n, (kind, part) in enumerate(parts.items())]
    return (sketch[0], *named)


def _told(root: str, place: int, kind: str, part: Sketch, made: dict[str, Sketch], split: _Split) -> Sketch:
    """One part of the sketch as it is told over the groups' table."""
    if kind in made:
        return made[kind]
    return split.told(_inward(part)) if kind in ("MS", "M", "H", "L") else part


@dataclass(frozen=True)
class _Split:
    """Puts figures of other tables beside those of the groups' own."""

    schema: Schema
    home: str
    keys: Sketch
    pred: Sketch

    def told(self, node: Sketch) -> Sketch:
        """A part of the sketch with each figure where it is computed."""
        if node[0] in _FIGURES:
            return self.figure(node)
        if node[0] in _ALONG and _others(node, self.home, self.schema):
            raise Unfit("a figure across groups of several tables")
        if node[0] in ("whole", "N", "byv"):
            return node
        if node[0] in _PAIRS or node[0].startswith("hm"):
            self.hold_periods(node[1], node[2])
        return (node[0], *(self.told(part) if isinstance(part, tuple) else part for part in node[1:]))

    def figure(self, m: Sketch) -> Sketch:
        """A figure of one table."""
        home = _home(m, self.schema)
        if m[0] == "given":
            m = ("given", m[1], self.conditions(m[2], home))
        if home == self.home:
            return m
        theirs = tuple(key_of(key, home, self.schema) for key in self.keys[1:])
        return ("beside", m, (self.keys[0], *theirs), self.keys, self.conditions(self.pred, home), home)

    def hold_periods(self, one: Sketch, other: Sketch) -> None:
        """Raises Unfit where figures of two tables are of a period and of a part of it, or of all days of a table."""
        for m in _figures_in(one):
            for beside in _figures_in(other):
                tables = [_home(figure, self.schema) for figure in (m, beside)]
                mine, theirs = (days_of(figure) or days_of(self.pred) for figure in (m, beside))
                if tables[0] == tables[1] or [d[1:] for d in mine] == [d[1:] for d in theirs]:
                    continue
                if any(overlap(("dates", *a), ("dates", a[0], *b[1:])) for a in mine for b in theirs):
                    raise Unfit("a period beside a part of it")
                if not mine or not theirs:
                    self.has_no_day(tables[1] if mine else tables[0], (mine or theirs)[0])

    def has_no_day(self, table: str, day: Sketch) -> None:
        """Raises Unfit where a table has a date by which the period of another could hold for it, too."""
        try:
            date_of(day[0], table, self.schema)
        except Unfit:
            return
        raise Unfit("one of two figures in a period")

    def conditions(self, pred: Sketch, table: str) -> Sketch:
        """The conditions as they hold for a table, each once."""
        made = list(dict.fromkeys(condition_of(part, table, self.schema) for part in unrolled(pred, "and")))
        whole = made[0]
        for part in made[1:]:
            whole = ("and", whole, part)
        return whole


def _inward(node: Sketch) -> Sketch:
    """Conditions of a figure of two figures as conditions of each."""
    if node[0] == "given" and node[1][0] in (*_PAIRS, "scaled", "given"):
        inner, pred = node[1], node[2]
        if inner[0] == "given":
            return _inward(("given", inner[1], inner[2] if pred == NOTHING else ("and", inner[2], pred)))
        return (inner[0], *(_inward(("given", m, pred)) if m[0] not in ("N", "one") else m for m in inner[1:]))
    return (node[0], *(_inward(part) if isinstance(part, tuple) else part for part in node[1:]))


def _figures_in(node: Sketch) -> list[Sketch]:
    """The figures of one table each that stand in a part of a sketch."""
    if node[0] in _FIGURES:
        return [node]
    if node[0] in ("whole", "N", "byv"):
        return []
    return [m for part in node[1:] if isinstance(part, tuple) for m in _figures_in(part)]


def _others(node: Sketch, home: str, schema: Schema) -> bool:
    return any(_home(m, schema) != home for m in _figures_in(node))


def _home(m: Sketch, schema: Schema) -> str:
    """The table whose rows make a figure. Raises Unfit where those of one table are repeated by another."""
    found = scan(schema, m[1] if m[0] == "given" else ("count", m[1]) if m[0] == "rate" else m)
    if found.repeats:
        raise Unfit("rows that a join repeats")
    return found.source


def _groups_home(keys: Sketch, homes: list[str], schema: Schema) -> str:
    """The table with figures that the groups are told apart by."""
    wanted = set(tables_in(keys))
    home = next((table for table in homes if wanted <= leads_to(schema, table)), None)
    if home is None:
        raise Unfit("groups of a table without figures")
    return home


def _widest(keys: Sketch, homes: list[str], home: str, schema: Schema) -> Sketch:
    """The keys, or those of another table that has the same groups and more: no group of either is lost."""
    for other in homes:
        if other == home or not keys[1:]:
            continue
        theirs = tuple(key_of(key, other, schema) for key in keys[1:])
        pairs = [(schema.column(a), schema.column(b)) for a, b in zip(keys[1:], theirs, strict=True) if a[0] == "C"]
        wider = [contains(b, a) and not contains(a, b) for a, b in pairs]
        if pairs and all(contains(b, a) for a, b in pairs) and any(wider) and len(pairs) == len(theirs):
            keys, home = (keys[0], *theirs), other
    return keys
