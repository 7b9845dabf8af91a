"""More examples for the network: questions of one database asked of another.

    python -m learning.variations OUT FOLDER... [--held NAME,NAME] [--each 250] [--common 9] [--seed 1]

A question becomes a pattern where each table, column and value of its sketch is a stretch of its words, and what is
left are words that many databases' questions share. A pattern is filled from another database with columns of the same
kind that add up alike, called by their labels or by words that knowledge has for them. So the network learns to go by
how words fit columns, as in grammar-made pre-training (Yu et al., GraPPa, 2021).
"""

from __future__ import annotations

import argparse
import pickle
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.dictionary.rows import plural
from apps.analyst.dictionary.types import ColumnMeaning, TableMeaning
from apps.analyst.evaluate.catalogs import cached_catalog
from apps.analyst.knowledge.english import english
from apps.analyst.knowledge.folding import folded, singular
from apps.analyst.knowledge.loader import knowledge
from apps.analyst.ports import Catalog
from apps.analyst.reading.index import Index, Item, index_of
from apps.analyst.reading.linking import CALLED, Linked, link
from apps.analyst.reading.sketch import Sketch, walk
from apps.analyst.types import Question
from learning.anchoring import Anchor, Unsaid, actions, ordered
from learning.examples import STORE, example, sets, shared
from learning.lifting import Lifter, NotLifted

SURE = 0.85
NEWEST = date(2026, 11, 22)
Span = tuple[int, int]
Leaf = tuple[str, int]


@dataclass(frozen=True)
class Pattern:
    """A question with what it names left open."""

    tokens: tuple[str, ...]
    spans: dict[Leaf, Span]
    sketch: Sketch
    columns: dict[int, tuple[int, tuple[Any, ...], str]]
    """Column -> its table, its class, and "" or the part of its table that it plays unsaid (name, date)."""
    tables: tuple[int, ...]
    values: dict[int, int]
    numbers: int
    periods: int
    rest: frozenset[str]


@dataclass
class Base:
    """A database to take patterns from and to fill them with."""

    name: str
    catalog: Catalog
    index: Index
    tables: list[TableMeaning]
    columns: list[ColumnMeaning]
    today: date
    calls: Counter[str]


def base_of(name: str, catalog: Catalog, today: date) -> Base:
    index = index_of(catalog)
    tables = [dictionary_of(catalog)[table.name] for table in index.tables]
    columns = [column for table in tables for column in table.columns]
    return Base(name, catalog, index, tables, columns, today, Counter(folded(c.label) for c in columns))


def kind(base: Base, c: int) -> tuple[Any, ...]:
    """What columns must share to stand for each other."""
    column, means = base.index.columns[c][1], base.columns[c]
    numeric = column.type in ("integer", "decimal", "float")
    return (means.kind, means.adds, numeric, bool(column.values))


# ---------------------------------------------------------------- taking patterns
def leaves(s: Sketch) -> Iterator[Leaf]:
    for node in walk(s):
        if len(node) == 2 and node[0] in ("T", "C", "W") and isinstance(node[1], int):
            yield (node[0], node[1])


def stretch(fits: list[bool], content: list[bool]) -> Span | None:
    """The only run of words that fit."""
    places = [n for n, fit in enumerate(fits) if fit and content[n]]
    if not places or places[-1] - places[0] != len(places) - 1:
        return None
    return places[0], places[-1] + 1


def spans_of(linked: Linked, wanted: set[Leaf], content: list[bool]) -> dict[Leaf, Span]:
    """Where the question names what its sketch points to."""
    found: dict[Leaf, Span] = {}
    offset = len(linked.index.tables)
    for leaf in wanted:
        letter, number = leaf
        if letter == "W":
            if linked.item_features[number, 3] == 0:
                continue
            fits = [bool(x == 1) for x in linked.item_tokens[number]]
        else:
            node = number + (offset if letter == "C" else 0)
            own = linked.channels[:, node]
            whole = own[:, 6].max() >= 0.99
            fits = [bool((whole and t[0]) or t[CALLED] >= SURE) for t in own]
        span = stretch(fits, content)
        if span:
            found[leaf] = span
    return found


def pattern(base: Base, linked: Linked, sketch: Sketch) -> Pattern | None:
    """The question as a pattern; None where something is said in a way that only fits its own database."""
    stop = english().stopwords
    content = [singular(t) not in stop and t not in stop for t in linked.tokens]
    wanted = set(leaves(sketch))
    values = {n: linked.items[n].column for letter, n in wanted if letter == "W"}
    spans = spans_of(linked, wanted, content)
    owner = [t for t, _ in linked.index.columns]
    columns: dict[int, tuple[int, tuple[Any, ...], str]] = {}
    for c in {n for letter, n in wanted if letter == "C"} | set(values.values()):
        part = ""
        if ("C", c) not in spans and c not in values.values():
            table, name = base.tables[owner[c]], base.columns[c].name
            part = "date" if name == table.date_column else "name" if name == table.name_column else "?"
            if part == "?" or (part == "name" and ("T", owner[c]) not in spans):
                return None
        columns[c] = (owner[c], kind(base, c), part)
    if any(("W", n) not in spans for n in values):
        return None
    taken = sorted(set(spans.values()))
    if any(a[1] > b[0] for a, b in pairwise(taken)):
        return None
    inside = {n for a, b in taken for n in range(a, b)}
    inside |= {place for place, _ in linked.numbers}
    inside |= {n for p in linked.periods for n in range(p.start, p.end)}
    strong = linked.channels[:, :, [0, CALLED, 4]].max((1, 2))
    rest = {t for n, t in enumerate(linked.tokens) if n not in inside and content[n]}
    if any(strong[n] >= SURE and n not in inside and content[n] for n in range(len(linked.tokens))):
        return None
    tables = tuple(sorted({owner[c] for c in columns} | {n for letter, n in wanted if letter == "T"}))
    if not 1 <= len(tables) <= 2 or not taken:
        return None
    return Pattern(
        tuple(linked.tokens), spans, sketch, columns, tables, values, len(linked.numbers), len(linked.dated),
        frozenset(rest),
    )  # fmt: skip


# ---------------------------------------------------------------- filling them
def filled(p: Pattern, base: Base, source: Base, chance: random.Random) -> dict[str, Any] | None:
    """The pattern asked of another database, as an example; None where it does not fit there."""
    places = tables_for(p, base, source, chance)
    if places is None:
        return None
    mapped: dict[Leaf, Leaf] = {("T", t): ("T", places[t]) for t in p.tables}
    owner = [t for t, _ in base.index.columns]
    used: set[int] = set()
    for c, (table, wanted, part) in p.columns.items():
        own = [n for n, t in enumerate(owner) if t == places[table] and n not in used]
        if part:
            name = getattr(base.tables[places[table]], f"{part}_column")
            own = [n for n in own if base.columns[n].name == name]
        else:
            own = [n for n in own if kind(base, n) == wanted and base.calls[folded(base.columns[n].label)] == 1]
        if not own:
            return None
        used.add(chosen := chance.choice(own))
        mapped["C", c] = ("C", chosen)
    values: dict[int, str] = {}
    for w, c in p.values.items():
        column = base.index.columns[mapped["C", c][1]][1]
        listed = [v.value for v in column.values if v.value not in values.values() and len(v.value) <= 30]
        if not listed:
            return None
        values[w] = chance.choice(listed)
    text = worded(p, base, mapped, values, chance)
    linked = link(Question(text, today=base.today), base.catalog)
    if len(linked.numbers) != p.numbers or len(linked.dated) != p.periods:
        return None
    items = {item: n for n, item in enumerate(linked.items)}
    for w, value in values.items():
        at = items.get(Item(mapped["C", p.values[w]][1], value))
        if at is None:
            return None
        mapped["W", w] = ("W", at)
    sketch = ordered(replaced(p.sketch, mapped))
    return example({"id": f"{source.name}-{base.name}", "question": text}, linked, actions(sketch))


def tables_for(p: Pattern, base: Base, source: Base, chance: random.Random) -> dict[int, int] | None:
    count = len(base.index.tables)
    if len(p.tables) == 1:
        return {p.tables[0]: chance.randrange(count)}
    if source.index.relations[p.tables[0], p.tables[1]] != 4:
        return None
    down = larger(source, p.tables[0], p.tables[1])
    pairs = [
        (a, b)
        for a in range(count)
        for b in range(count)
        if a != b and base.index.relations[a, b] == 4 and larger(base, a, b) == down
    ]
    return dict(zip(p.tables, chance.choice(pairs), strict=True)) if pairs else None


def larger(base: Base, a: int, b: int) -> bool:
    return base.index.tables[a].rows > base.index.tables[b].rows


def replaced(s: Sketch, mapped: dict[Leaf, Leaf]) -> Sketch:
    if len(s) == 2 and isinstance(s[1], int):
        return mapped.get((s[0], s[1]), s)
    return (s[0], *(replaced(part, mapped) for part in s[1:]))


def worded(
    p: Pattern, base: Base, mapped: dict[Leaf, Leaf], values: dict[int, str], chance: random.Random
) -> str:  # fmt: skip
    """The question's words with the other database's names."""
    words = list(p.tokens)
    for leaf, (start, end) in sorted(p.spans.items(), key=lambda s: -s[1][0]):
        letter, number = leaf
        many = singular(p.tokens[end - 1]) != p.tokens[end - 1]
        if letter == "C" and any(span == (start, end) and other[0] == "T" for other, span in p.spans.items()):
            continue
        if letter == "W":
            means = base.columns[mapped["C", p.values[number]][1]]
            said = means.says.get(values[number], values[number])
        elif letter == "T":
            means_table = base.tables[mapped[leaf][1]]
            said = means_table.rows if many else means_table.row
        else:
            said = called(base.columns[mapped[leaf][1]], chance)
            said = plural(said) if many and singular(said) == said else said
        words[start:end] = [said.casefold()]
    return " ".join(words)


def called(means: ColumnMeaning, chance: random.Random) -> str:
    """One of the ways to say a column: its label, a part of a long one, or a word that people use for its concept."""
    label = means.label.casefold()
    concept = knowledge().concepts.get(means.concept or "")
    if concept and means.confidence >= 0.9 and concept.words and chance.random() < 0.45:
        return chance.choice(concept.words)
    parts = label.split()
    if len(parts) > 2 and chance.random() < 0.3:
        return " ".join(parts[-2:])
    return label


# ---------------------------------------------------------------- all of them
def taken(base: Base, items: list[dict[str, Any]]) -> Iterator[tuple[Linked, Sketch]]:
    """The questions of a database whose queries can be lifted, linked and anchored."""
    lifted: dict[str, Sketch | None] = {}
    for item in items:
        sql = str(item["sql"]).split(";")[0]
        today = date.fromisoformat(item["today"]) if item.get("today") else None
        if sql not in lifted:
            try:
                lifted[sql] = Lifter(base.catalog, today).lift(sql)
            except (NotLifted, ValueError, KeyError, AttributeError, TypeError, IndexError):
                lifted[sql] = None
        sketch = lifted[sql]
        if sketch is None:
            continue
        linked = link(Question(item["question"], today=today or NEWEST), base.catalog)
        try:
            yield linked, Anchor(linked, today or NEWEST).node(sketch)
        except (Unsaid, ValueError, KeyError):
            continue


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--held", default="")
    parser.add_argument("--each", type=int, default=250, help="examples for each database")
    parser.add_argument("--common", type=int, default=9, help="databases that a word that is left over is asked of")
    parser.add_argument("--seed", type=int, default=1)
    o = parser.parse_args()
    held = set(filter(None, o.held.split(",")))
    chance = random.Random(o.seed)
    bases: list[Base] = []
    patterns: list[tuple[Base, Pattern]] = []
    spread: defaultdict[str, set[str]] = defaultdict(set)
    for name, where, tables, items in (entry for folder in o.folders for entry in sets(folder)):
        if name in held:
            continue
        days = [item["today"] for item in items if item.get("today")]
        base = base_of(
            name, cached_catalog(where, tables, STORE), date.fromisoformat(days[0]) if days else NEWEST
        )  # fmt: skip
        bases.append(base)
        for linked, sketch in taken(base, items):
            for token in linked.tokens:
                spread[token].add(name)
            made = pattern(base, linked, sketch)
            if made is not None:
                patterns.append((base, made))
    patterns = [(b, p) for b, p in patterns if all(len(spread[t]) >= o.common for t in p.rest)]
    print(len(patterns), "patterns of", len({b.name for b, _ in patterns}), "databases")
    o.out.mkdir(parents=True, exist_ok=True)
    for base in bases:
        examples: list[dict[str, Any]] = []
        for _ in range(8 * o.each):
            if len(examples) >= o.each:
                break
            source, p = chance.choice(patterns)
            made = filled(p, base, source, chance) if source is not base else None
            if made is not None and len(made["target"]) <= 60:
                examples.append(made)
        print(base.name, len(examples), [e["question"] for e in examples[:3]], flush=True)
        (o.out / f"{base.name}.pickle").write_bytes(pickle.dumps(shared(base.name, base.index, examples)))


if __name__ == "__main__":
    main()
