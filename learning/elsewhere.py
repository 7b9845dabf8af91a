"""More examples of messages that go on from an answer: what people said over one database, said over another.

    python -m learning.elsewhere OUT DIALOGUES [--targets NAME,...] [--held NAME,...] [--each 80]

A turn of a dialogue becomes a pattern: the sketch before it, the sketch after it, and its words with the tables,
columns and values that it names left open (`variations` does so with single questions). Columns of another database of
the same kind take their places in both sketches and in the words; the sentence of the answer before is made anew. So
the many ways to go on are learned over more names than people wrote dialogues of. DIALOGUES is a folder of dialogues;
they are said over the databases of --targets, all without it.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

import duckdb
import yaml

from apps.analyst.dictionary.rows import plural
from apps.analyst.knowledge.english import english
from apps.analyst.knowledge.folding import folded, singular
from apps.analyst.reading.following import MOST_NAMED
from apps.analyst.reading.linking import CALLED, MOST_AFTER, Linked, link, tokens_of
from apps.analyst.reading.sketch import Sketch, walk
from apps.analyst.types import Question
from learning import variations
from learning.anchoring import Unsaid
from learning.changes import FAULTS, is_leaf
from learning.examples import sets
from learning.following import DATABASES, Base, base_of, made, queries, written
from learning.variations import SURE, Span, called, kind, larger, stretch

LONGEST, MOST_STORED = 30, 300
"""Letters of a value that is said; values looked at where a column lists none."""
TRIES = 12
"""Patterns tried for each example that is wanted."""
Leaf = tuple[Any, ...]
"""("T", table), ("C", table, column) or ("W", table, column, value)."""


@dataclass(frozen=True)
class Turn:
    """A turn of a dialogue as a pattern."""

    home: str
    today: date
    before: Sketch
    names: tuple[Leaf, ...]
    """The values of the answer before, where that is a single row: its sentence ends with them."""
    after: Sketch
    tokens: tuple[str, ...]
    """The message's words."""
    spans: dict[Leaf, Span]
    """Where the message names a leaf."""
    parts: dict[Leaf, str]
    """Columns that neither names: "name" or "date", as which their tables have them."""
    numbers: int
    rest: frozenset[str]
    """The words that name nothing."""


@dataclass(frozen=True)
class Place:
    """A database as patterns are taken from it and said over it."""

    base: Base
    own: variations.Base
    stored: dict[Leaf, list[str]] = field(default_factory=dict)

    def means(self, leaf: Leaf) -> Any:
        return self.own.columns[self.column(leaf)]

    def table(self, name: str) -> int:
        return next(n for n, table in enumerate(self.own.index.tables) if table.name == name)

    def values(self, column: Leaf) -> list[str]:
        """The texts stored in a column, some of them where there are many."""
        listed = self.own.index.columns[self.column(column)][1].values
        if listed:
            return [v.value for v in listed if len(v.value) <= LONGEST]
        if column not in self.stored:
            query = f'SELECT DISTINCT "{column[2]}" FROM "{column[1]}" ORDER BY 1 LIMIT {MOST_STORED}'
            cells = [row[0] for row in self.base.gold.execute(query).fetchall()]
            self.stored[column] = [cell for cell in cells if isinstance(cell, str) and len(cell) <= LONGEST]
        return self.stored[column]

    def column(self, leaf: Leaf) -> int:
        return next(
            n for n, (t, c) in enumerate(self.own.index.columns) if (self.own.index.tables[t].name, c.name) == leaf[1:3]
        )


def place_of(name: str, today: date) -> Place:
    folder = DATABASES / name
    base = base_of(name, folder, sorted(p.name for p in folder.glob("*.csv")), today)
    return Place(base, variations.base_of(name, base.catalog, today))


def leaves(*sketches: Sketch) -> set[Leaf]:
    """What sketches name of a catalog."""
    return {leaf for s in sketches for leaf in walk(s) if is_leaf(leaf) and leaf[0] in "TCW"}


# ---------------------------------------------------------------- taking patterns
def turns(place: Place, dialogues: list[dict[str, Any]]) -> Iterator[Turn]:
    """The turns of a database's dialogues that are patterns."""
    for dialogue in dialogues:
        before: tuple[Sketch, tuple[Leaf, ...]] | None = None
        for turn in dialogue["turns"]:
            after = None
            for sql in queries(turn):
                try:
                    sketch, rows = place.base.lifted(sql), place.base.rows(sql)
                    after = after or (sketch, names_of(place, sketch, rows))
                    found = turn_of(place, *before, str(turn["say"]), sketch) if before is not None else None
                except (*FAULTS, duckdb.Error):
                    continue
                if found is not None:
                    yield found
                    break
            before = after if queries(turn) else before


def names_of(place: Place, sketch: Sketch, rows: list[tuple[Any, ...]]) -> tuple[Leaf, ...]:
    """The texts of an answer of a single row as stored values. Raises Unsaid where one of them is none."""
    found = []
    for cell in [cell for cell in rows[0] if isinstance(cell, str)][:MOST_NAMED] if len(rows) == 1 else ():
        columns = sorted(leaf for leaf in leaves(sketch) if leaf[0] == "C")
        own = next((column for column in columns if cell in place.values(column)), None)
        if own is None:
            raise Unsaid(cell)
        found.append(("W", *own[1:], cell))
    return tuple(found)


def turn_of(place: Place, before: Sketch, names: tuple[Leaf, ...], said: str, after: Sketch) -> Turn | None:
    """The turn as a pattern; None where something is said in a way that only fits its own database."""
    sentence = place.base.before(before, [tuple(leaf[3] for leaf in names)])
    if len(tokens_of(f"{sentence} {said}", MOST_AFTER + 1)) > MOST_AFTER:
        return None
    linked = link(Question(said, today=place.base.today), place.base.catalog, sentence)
    tokens, stop = linked.tokens[linked.before :], english().stopwords
    content = [singular(t) not in stop and t not in stop for t in tokens]
    had = leaves(before) | set(names)
    wanted = had | leaves(after)
    spans = {leaf: span for leaf in wanted if (span := span_of(place, linked, leaf, content)) is not None}
    parts: dict[Leaf, str] = {}
    for leaf in wanted - had - set(spans):
        if leaf[0] == "T" and any(other[1] == leaf[1] for other in had):
            continue
        part = part_of(place, leaf) if leaf[0] == "C" else ""
        if not part or not any(other[1] == leaf[1] for other in had | set(spans)):
            return None
        parts[leaf] = part
    for span in set(spans.values()):
        letters = [leaf[0] for leaf, own in spans.items() if own == span]
        if len(letters) > 1 and sorted(letters) != ["C", "T"]:  # "orders" may be the table and its number
            return None
    taken = sorted(set(spans.values()))
    if any(a[1] > b[0] for a, b in pairwise(taken)):
        return None
    inside = {n for a, b in taken for n in range(a, b)}
    inside |= {at - linked.before for at, _ in linked.numbers}
    inside |= {n - linked.before for p in linked.periods for n in range(p.start, p.end)}
    left = [n for n in range(len(tokens)) if content[n] and n not in inside]
    strong = linked.channels[linked.before :, :, [0, CALLED, 4]].max((1, 2))
    valued = linked.item_tokens[:, linked.before :].max(0) if len(linked.items) else strong * 0
    if any(strong[n] >= SURE or valued[n] == 1 for n in left):
        return None
    numbers = sum(at >= linked.before for at, _ in linked.numbers)
    rest = frozenset(tokens[n] for n in left)
    return Turn(place.base.name, place.base.today, before, names, after, tuple(tokens), spans, parts, numbers, rest)


def span_of(place: Place, linked: Linked, leaf: Leaf, content: list[bool]) -> Span | None:
    """Where the message names a leaf."""
    if leaf[0] == "W":
        column, value = place.column(leaf), folded(str(leaf[3]))
        own = [n for n, i in enumerate(linked.items) if i.column == column and folded(i.value) == value]
        fits = [any(linked.item_tokens[n, at] == 1 for n in own) for at in range(linked.before, len(linked.tokens))]
        return stretch(fits, content)
    offset = len(linked.index.tables)
    node = place.table(leaf[1]) if leaf[0] == "T" else place.column(leaf) + offset
    seen = linked.channels[linked.before :, node]
    whole = bool(len(seen)) and seen[:, 6].max() >= 0.99
    return stretch([bool((whole and t[0]) or t[CALLED] >= SURE) for t in seen], content)


def part_of(place: Place, leaf: Leaf) -> str:
    """As what its table has a column that is meant unsaid; "" where it has it as nothing."""
    table = place.own.tables[place.table(leaf[1])]
    return "date" if leaf[2] == table.date_column else "name" if leaf[2] == table.name_column else ""


# ---------------------------------------------------------------- saying them elsewhere
def said_over(turn: Turn, source: Place, place: Place, chance: random.Random) -> dict[str, Any] | None:
    """The example over another database; None where the pattern does not fit there."""
    mapped = mapping(turn, source, place, chance)
    if mapped is None:
        return None
    base = replace(place.base, today=turn.today, schema=replace(place.base.schema, today=turn.today))
    before, after = (replaced(s, mapped) for s in (turn.before, turn.after))
    text = worded(turn, place, mapped, chance)
    try:
        sentence = base.before(before, [tuple(mapped[leaf][3] for leaf in turn.names)])
        found = made(base, f"{turn.home}-{place.base.name}", sentence, text, after)
    except FAULTS:
        return None
    return found if sum(int(at) >= found["before"] for at in found["numbers"]) == turn.numbers else None


def mapping(turn: Turn, source: Place, place: Place, chance: random.Random) -> dict[Leaf, Leaf] | None:
    """What takes the place of each leaf."""
    every = leaves(turn.before, turn.after) | set(turn.names)
    tables = tables_for(sorted({leaf[1] for leaf in every}), source, place, chance)
    if tables is None:
        return None
    mapped: dict[Leaf, Leaf] = {("T", name): ("T", other) for name, other in tables.items()}
    columns = sorted({("C", *leaf[1:3]) for leaf in every if leaf[0] in "CW"})
    for column in columns:
        own = [
            ("C", tables[column[1]], c.name)
            for t, c in place.own.index.columns
            if place.own.index.tables[t].name == tables[column[1]] and c.name is not None
        ]
        own = [leaf for leaf in own if leaf not in mapped.values() and fits(turn, column, source, leaf, place)]
        if not own:
            return None
        mapped[column] = chance.choice(own)
    for leaf in sorted((leaf for leaf in every if leaf[0] == "W"), key=str):
        other = mapped["C", leaf[1], leaf[2]]
        values = [value for value in place.values(other) if ("W", *other[1:], value) not in mapped.values()]
        if not values:
            return None
        mapped[leaf] = ("W", *other[1:], chance.choice(values))
    return mapped


def fits(turn: Turn, column: Leaf, source: Place, other: Leaf, place: Place) -> bool:
    """Whether a column may take the place of another."""
    if column in turn.parts:
        return part_of(place, other) == turn.parts[column]
    means = place.means(other)
    if place.own.calls[folded(means.label)] != 1:
        return False
    return kind(place.own, place.column(other)) == kind(source.own, source.column(column))


def tables_for(names: list[str], source: Place, place: Place, chance: random.Random) -> dict[str, str] | None:
    """Tables that lie to each other as these do: one, or two that are joined the same way."""
    index = place.own.index
    if len(names) == 1:
        return {names[0]: chance.choice(index.tables).name}
    if len(names) != 2:
        return None
    a, b = (source.table(name) for name in names)
    if source.own.index.relations[a, b] != 4:
        return None
    down, count = larger(source.own, a, b), len(index.tables)
    pairs = [
        (n, m)
        for n in range(count)
        for m in range(count)
        if n != m and index.relations[n, m] == 4 and larger(place.own, n, m) == down
    ]
    if not pairs:
        return None
    return dict(zip(names, (index.tables[n].name for n in chance.choice(pairs)), strict=True))


def replaced(s: Sketch, mapped: dict[Leaf, Leaf]) -> Sketch:
    if s in mapped:
        return mapped[s]
    return (s[0], *(replaced(part, mapped) if isinstance(part, tuple) else part for part in s[1:]))


def worded(turn: Turn, place: Place, mapped: dict[Leaf, Leaf], chance: random.Random) -> str:
    """The message with the other database's names."""
    words = list(turn.tokens)
    spans = sorted(turn.spans.items(), key=lambda s: (-s[1][0], s[0][0] == "C"))
    done: set[Span] = set()
    for leaf, (start, end) in spans:
        if (start, end) in done:
            continue
        done.add((start, end))
        many = singular(turn.tokens[end - 1]) != turn.tokens[end - 1]
        other = mapped[leaf]
        if leaf[0] == "W":
            said = place.means(other).says.get(other[3], other[3])
        elif leaf[0] == "T":
            rows = place.own.tables[place.table(other[1])]
            said = rows.rows if many else rows.row
        else:
            said = called(place.means(other), chance)
            said = plural(said) if many and singular(said) == said else said
        words[start:end] = [said.casefold()]
    return " ".join(words)


# ---------------------------------------------------------------- all of them
def common(held: set[str]) -> Counter[str]:
    """In how many databases' questions a word stands."""
    spread: defaultdict[str, set[str]] = defaultdict(set)
    for name, _, _, items in sets(DATABASES):
        if name not in held:
            for item in items:
                for token in tokens_of(item["question"]):
                    spread[token].add(name)
    return Counter({token: len(names) for token, names in spread.items()})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("dialogues", type=Path)
    parser.add_argument("--targets", default="", help="databases to say them over; all of ours without it")
    parser.add_argument("--held", default="", help="databases that are left out")
    parser.add_argument("--part", default="0/1", help="which of how many parts of the targets")
    parser.add_argument("--each", type=int, default=80, help="examples for each database")
    parser.add_argument("--common", type=int, default=9, help="databases that a word that is left over is asked of")
    parser.add_argument("--seed", type=int, default=1)
    o = parser.parse_args()
    held, chance = set(filter(None, o.held.split(","))), random.Random(o.seed)
    part, parts = map(int, o.part.split("/"))
    asked, sources, patterns = common(held), {}, []
    for path in sorted(o.dialogues.glob("*.yaml")):
        kept = yaml.safe_load(path.read_text(encoding="utf-8"))
        name, today = kept["tables"], date.fromisoformat(str(kept["today"]))
        if name not in held:
            sources[name] = place_of(name, today)
            patterns += list(turns(sources[name], kept["dialogues"]))
    patterns = [turn for turn in patterns if all(asked[word] >= o.common for word in turn.rest)]
    print(len(patterns), "patterns of", len({turn.home for turn in patterns}), "databases", flush=True)
    o.out.mkdir(parents=True, exist_ok=True)
    every = o.targets.split(",") if o.targets else [place.name for place in DATABASES.iterdir() if place.is_dir()]
    for name in sorted(set(every) - held)[part::parts]:
        place = place_of(name, date(2026, 11, 22))
        examples: list[dict[str, Any]] = []
        for _ in range(TRIES * o.each):
            if len(examples) >= o.each:
                break
            turn = chance.choice(patterns)
            found = said_over(turn, sources[turn.home], place, chance) if turn.home != name else None
            if found is not None:
                examples.append(found)
        written(o.out / f"{name}.pickle", place.base, examples)
        print(name, len(examples), [e["question"] for e in examples[:2]], flush=True)


if __name__ == "__main__":
    main()
