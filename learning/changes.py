"""What can be taken out of a question, or be another, with a message that brings it back: examples of going on from an
answer, made of single questions. How people say a change stands in `changes.yaml`."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from datetime import date
from functools import cache
from pathlib import Path

import yaml

from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.dictionary.rows import plural
from apps.analyst.dictionary.types import TableMeaning
from apps.analyst.errors import AnalystError
from apps.analyst.knowledge.english import english
from apps.analyst.ports import Catalog
from apps.analyst.reading.composing import Schema, Unfit
from apps.analyst.reading.linking import CALLED, Linked
from apps.analyst.reading.sketch import NOTHING, Sketch, unrolled, walk
from learning.anchoring import Anchor, Unsaid
from learning.lifting import NotLifted

FAULTS = (Unfit, Unsaid, NotLifted, AnalystError, ValueError, KeyError, TypeError, AttributeError, IndexError)
"""What keeps a query from being an example."""
CONDITIONS = {"rows": 2, "things": 2, "agg": 2, "group": 3, "over_count": 2, "top_share": 3}
"""Where a sketch of a kind has its conditions."""
SURE, MOST_LEADING, WIDEST = 0.85, 3, 7
"""How well a word fits a column that it names; words before a span that belong to it; how far apart its words stand."""
SIMPLE = ("sum", "avg", "count", "min", "max", "median")
GRAINS = ("day", "week", "month", "quarter", "year")
LONGEST = 30
Change = tuple[Sketch, str, Sketch]
"""The sketch before, the message, the sketch after."""


@cache
def said_so() -> Mapping[str, list[str]]:
    """changes.yaml, read."""
    kept: Mapping[str, list[str]] = yaml.safe_load((Path(__file__).parent / "changes.yaml").read_text(encoding="utf-8"))
    return kept


def is_leaf(node: Sketch) -> bool:
    return len(node[0]) == 1 and node[0] in "TCWND"


class Changes:
    """The changes of one question."""

    def __init__(
        self, catalog: Catalog, schema: Schema, today: date, linked: Linked, sketch: Sketch, chance: random.Random
    ) -> None:
        self.catalog, self.schema, self.linked, self.sketch, self.chance = catalog, schema, linked, sketch, chance
        self.leading = english().stopwords | english().one_sided
        self.pointing = Anchor(linked, today)
        self.at = CONDITIONS.get(sketch[0], 0)

    def all(self) -> Iterator[Change]:
        yield from self.conditions()
        yield from self.groups()
        yield from self.figures()
        yield from self.ends()
        yield from self.forms()

    # ------------------------------------------------------------ words
    def say(self, way: str, **words: object) -> str:
        return self.chance.choice(said_so()[way]).format(**words)

    def span(self, part: Sketch) -> str:
        """The words that say a part, with what leads to them; "" where they do not stand together."""
        places: set[int] = set()
        for leaf in walk(part):
            if is_leaf(leaf) or leaf[0] == "dates":
                own = self.places(leaf)
                if not own and leaf[0] not in "TC":
                    return ""
                places |= own
        if not places or max(places) - min(places) > WIDEST:
            return ""
        start, tokens = min(places), self.linked.tokens
        while start and tokens[start - 1] in self.leading and min(places) - start < MOST_LEADING:
            start -= 1
        return " ".join(tokens[start : max(places) + 1])

    def places(self, leaf: Sketch) -> set[int]:
        """The words that name a leaf."""
        linked = self.linked
        try:
            pointed = self.pointing.node(leaf) if leaf[0] != "dates" else self.pointing.dates(leaf)
        except FAULTS:
            return set()
        found: set[int] = set()
        for kind, n in (node for node in walk(pointed) if len(node) == 2 and isinstance(node[1], int)):
            if kind == "W":
                found |= {int(p) for p in (linked.item_tokens[n] == 1).nonzero()[0]}
            elif kind == "N":
                found.add(linked.numbers[n][0])
            elif kind == "D":
                found |= set(linked.dated[n].places)
            elif leaf[0] == "C" and kind == "C":
                own = linked.channels[:, n + len(linked.index.tables)][:, [0, CALLED, 4]].max(1)
                found |= {int(p) for p in (own >= SURE).nonzero()[0]}
        return found

    def label(self, column: Sketch) -> str:
        """What a column is called."""
        return self.schema.names.column(column[1], column[2]).casefold()

    def rows_of(self, table: str) -> str:
        return self.schema.names.rows(table).casefold()

    def known(self, table: str) -> TableMeaning | None:
        return dictionary_of(self.catalog).get(table)

    # ------------------------------------------------------------ conditions
    def where(self, parts: list[Sketch]) -> Sketch:
        """The sketch with these conditions."""
        joined: Sketch = NOTHING
        for part in reversed(parts):
            joined = part if joined == NOTHING else ("and", part, joined)
        return (*self.sketch[: self.at], joined, *self.sketch[self.at + 1 :])

    def conditions(self) -> Iterator[Change]:
        if not self.at or self.sketch[self.at] == NOTHING:
            return
        parts = list(unrolled(self.sketch[self.at], "and"))
        for n, part in enumerate(parts):
            others = [*parts[:n], *parts[n + 1 :]]
            said, without, other = self.span(part), self.where(others), self.other(part)
            if said:
                yield without, self.say("only", said=said), self.sketch
            if said and other is not None:
                yield self.where([*parts[:n], other, *parts[n + 1 :]]), self.say("replace", said=said), self.sketch
            yield self.sketch, self.dropped(part), without
            if part[0] == "is" and part[1][0] == "W":
                yield from self.of_value(part, other, others, said or str(part[1][3]))

    def of_value(self, part: Sketch, other: Sketch | None, others: list[Sketch], said: str) -> Iterator[Change]:
        """A value left out, added to another, or put in its place."""
        value = part[1]
        yield self.where(others), self.say("leave_out", said=said), self.where([*others, ("isnt", value)])
        if other is not None:
            before, both = self.where([*others, other]), ("in", *sorted((value, other[1]), key=str))
            yield before, self.say("add_value", said=said), self.where([*others, both])
            yield before, self.say("not_that", said=said, other=other[1][3]), self.sketch

    def dropped(self, part: Sketch) -> str:
        """What takes a condition off."""
        if any(leaf[0] == "dates" for leaf in walk(part)):
            return self.say("all_time")
        called = next((self.label(leaf) for leaf in walk(part) if is_leaf(leaf) and leaf[0] in "CW"), "that")
        return self.say("all_values", called=called, many=plural(called))

    def other(self, part: Sketch) -> Sketch | None:
        """The condition with another value, period or number."""
        if part[0] == "is" and part[1][0] == "W":
            _, table, name, value = part[1]
            listed = [v for v in self.values(table, name) if v != value and len(v) < LONGEST]
            return ("is", ("W", table, name, self.chance.choice(listed))) if listed else None
        if part[0] == "dates" and part[2] is not None and part[3] is not None:
            years = self.chance.choice((1, -1))
            try:
                return ("dates", part[1], *(day.replace(year=day.year - years) for day in part[2:4]))
            except ValueError:  # 29 February
                return None
        if part[0] in ("gt", "ge", "lt", "le") and part[2][0] == "N":
            return (part[0], part[1], ("N", float(part[2][1]) * self.chance.choice((2, 5, 10))))
        return None

    def values(self, table: str, name: str) -> list[str]:
        columns = (c for t in self.catalog.tables() if t.name == table for c in t.columns if c.name == name)
        return [v.value for column in columns for v in column.values]

    # ------------------------------------------------------------ groups
    def groups(self) -> Iterator[Change]:
        s = self.sketch
        if s[0] != "group" or s[2][0] == "m0" or s[5] != ("all",):
            return
        keys = s[1][1:]
        for n, key in enumerate(keys):
            others = (*keys[:n], *keys[n + 1 :])
            column = next((leaf for leaf in walk(key) if leaf[0] == "C"), None)
            if column is None or (s[4] != ("nohaving",) and not others):
                continue
            without = (s[0], (f"k{len(others)}", *others), *s[2:]) if others else ("agg", s[2], s[3])
            called = key[0] if key[0] in GRAINS else self.label(column)
            yield without, self.by(key, called), s
            yield s, self.say("no_groups", called=called), without
            another = self.another(column, keys) if len(keys) == 1 else None
            if another is not None:
                yield (s[0], ("k1", another), *s[2:]), self.say("by_instead", called=called), s

    def by(self, key: Sketch, called: str) -> str:
        said = self.span(key) if key[0] not in GRAINS else ""
        if said and self.chance.random() < 0.5:
            return self.say("by_said", said=said if said.split()[0] in self.leading else f"by {said}")
        return self.say("by", called=called, many=plural(called))

    def another(self, column: Sketch, keys: tuple[Sketch, ...]) -> Sketch | None:
        """Another column of the table to tell rows apart by."""
        table = next(t for t in self.catalog.tables() if t.name == column[1])
        used = {leaf[2] for key in keys for leaf in walk(key) if leaf[0] == "C"}
        listed = [c.name for c in table.columns if c.values and c.name not in used and 1 < len(c.values) < 20]
        return ("C", column[1], self.chance.choice(listed)) if listed else None

    # ------------------------------------------------------------ figures
    def figures(self) -> Iterator[Change]:
        s = self.sketch
        if s[0] not in ("agg", "group"):
            return
        at = 1 if s[0] == "agg" else 2
        if len(s[at]) != 2:
            return
        own = s[at][1]
        whole = s[0] == "group" and s[5] == ("all",)
        if own[0] == "share":
            yield self.with_figures(at, own[1]), self.say("share"), s
        if own[0] not in SIMPLE:
            return
        for other in self.other_figures(own):
            yield self.with_figures(at, other), self.figure_instead(own, other), s
            if whole:
                said = self.figure_said(other, own)
                yield s, self.say("add_figure", said=said), self.with_figures(at, own, other)
        if whole and own[0] in ("sum", "count"):
            yield s, self.say("share"), self.with_figures(at, ("share", own))

    def with_figures(self, at: int, *figures: Sketch) -> Sketch:
        return (*self.sketch[:at], (f"m{len(figures)}", *figures), *self.sketch[at + 1 :])

    def other_figures(self, own: Sketch) -> Iterator[Sketch]:
        """The same column in another way, a count, another column."""
        column = next((leaf for leaf in walk(own) if leaf[0] in "CT"), None)
        if column is None:
            return
        if own[0] != "count" and own[1][0] == "C":
            yield self.chance.choice([(fn, own[1]) for fn in ("sum", "avg", "max", "min") if fn != own[0]])
            yield ("count", ("T", column[1]))
        known = self.known(column[1])
        measures = [c for c in known.columns if c.kind == "measure"] if known is not None else []
        measures = [c for c in measures if own[0] == "count" or own[1] != ("C", column[1], c.name)]
        if measures:
            chosen = self.chance.choice(measures)
            yield ("sum" if chosen.adds == "sum" else "avg", ("C", column[1], chosen.name))

    def figure_said(self, figure: Sketch, before: Sketch) -> str:
        if figure[0] == "count":
            return self.say("count", rows=self.rows_of(figure[1][1]))
        way = self.chance.choice(said_so()[figure[0]])
        called = self.label(figure[1]) if figure[1][0] == "C" else self.span(figure[1]) or "that"
        same = len(before) > 1 and before[1] == figure[1]
        return way if same and way and self.chance.random() < 0.6 else f"{way} {called}".strip()

    def figure_instead(self, figure: Sketch, before: Sketch) -> str:
        way = "another_count" if figure[0] == "count" else "another_figure"
        return self.say(way, said=self.figure_said(figure, before))

    # ------------------------------------------------------------ ends
    def ends(self) -> Iterator[Change]:
        s = self.sketch
        if s[0] not in ("group", "rows") or s[-1][0] != "first":
            return
        _, way, by, many = s[-1]
        high = way == ("desc",)
        every = (*s[:-1], ("all",))
        if s[0] == "group" and s[2] == ("m0",) and by[0] == "bym":
            every = (*s[:2], ("m1", by[1]), *s[3:-1], ("all",))
        if many == ("one",):
            said = self.say("highest" if high else "lowest")
        else:
            said = self.say("first" if high else "last", n=int(float(many[1][1])) if many[1][0] == "N" else 5)
        yield every, said, s
        yield s, self.say("whole"), every
        turned = (*s[:-1], ("first", ("asc",) if high else ("desc",), by, many))
        yield turned, self.say("turned_up" if high else "turned_down"), s

    # ------------------------------------------------------------ lists and counts
    def forms(self) -> Iterator[Change]:
        s = self.sketch
        if s[0] in ("rows", "things") and s[-1] == ("all",):
            yield from self.of_list()
        elif s[0] == "agg" and len(s[1]) == 2 and s[1][1][0] == "count":
            table = s[1][1][1][1]
            known = self.known(table)
            if known is not None and known.name_column:
                listed = ("rows", ("v1", ("C", table, known.name_column)), s[2], ("all",))
                yield s, self.say("which", rows=self.rows_of(table)), listed

    def of_list(self) -> Iterator[Change]:
        """How many are listed, which were counted, and a figure of what is listed."""
        s = self.sketch
        column = next((leaf for leaf in walk(s[1]) if leaf[0] == "C"), None)
        if column is None:
            return
        rows, counted = self.rows_of(column[1]), ("agg", ("m1", ("count", ("T", column[1]))), s[2])
        yield s, self.say("how_many", rows=rows), counted
        yield counted, self.say("which", rows=rows), s
        known = self.known(column[1])
        measures = [c.name for c in known.columns if c.kind == "measure"] if known is not None else []
        if measures:
            figure = (self.chance.choice(("sum", "avg")), ("C", column[1], self.chance.choice(measures)))
            yield s, self.figure_instead(figure, ("",)), ("agg", ("m1", figure), s[2])
