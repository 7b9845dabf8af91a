"""One name in several spellings: those that differ by case or blanks only count as one, countries by name and code too;
those that look alike are told.

A merged column is an ordinary expression of the plan, so every executor and the query in the evidence show it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from apps.analyst.computing.compile.walk import within
from apps.analyst.knowledge.iso_countries import are_countries, country_of
from apps.analyst.plan import Among, ColumnRef, Conditional, Constant, Expr, Node
from apps.analyst.types import Column

MOST_MERGED = 20
MOST_LOOKED_AT = 60
MOST_COUNTRIES = 300
_INITIAL = re.compile(r"[A-Z]\.?")


def merged(ref: ColumnRef, column: Column) -> Expr:
    """The column with each value in its most frequent spelling; the column itself where all are spelt one way."""
    expr: Expr = ref
    for spelling, others in spellings(column)[:MOST_MERGED]:
        values = tuple(Constant(value=other) for other in others)
        when = Among(of=ref, values=values, fold=False)
        expr = Conditional(when=when, then=Constant(value=spelling), otherwise=expr)
    return expr


def spellings(column: Column) -> list[tuple[str, list[str]]]:
    """Most frequent spelling, the other spellings of the same value."""
    if column.type != "text":
        return []
    groups: dict[str, list[tuple[int, str]]] = defaultdict(list)
    lands = column.distinct <= MOST_COUNTRIES and are_countries([found.value for found in column.values])
    for found in column.values:
        meant = country_of(found.value.strip()) if lands else None
        groups[meant or " ".join(found.value.split()).casefold()].append((-found.count, found.value))
    several = [sorted(group) for group in groups.values() if len(group) > 1]
    return [(group[0][1], [value for _, value in group[1:]]) for group in several]


def merged_column(expr: Node) -> ColumnRef | None:
    """The column behind an expression that only merges spellings, else None."""
    while isinstance(expr, Conditional):
        when, then = expr.when, expr.then
        if not (isinstance(when, Among) and isinstance(when.of, ColumnRef) and isinstance(then, Constant)):
            return None
        if expr.otherwise is None or when.fold or when.negated:
            return None
        expr = expr.otherwise
    return expr if isinstance(expr, ColumnRef) else None


def merge_notes(nodes: Iterable[Node]) -> Iterator[str]:
    """What was merged, in words for the evidence."""
    for node in nodes:
        for part in within(node):
            if isinstance(part, Conditional) and merged_column(part) is not None and isinstance(part.when, Among):
                others = " and ".join(f"“{value.value}”" for value in part.when.values)
                assert isinstance(part.then, Constant)
                yield f"{others} {'counts' if len(part.when.values) == 1 else 'count'} as “{part.then.value}”."


def alike(names: Sequence[str]) -> list[tuple[str, str]]:
    """Names of people that may be one: "J. Carter" beside "James Carter", with no other Carter that begins with J."""
    if len(names) > MOST_LOOKED_AT:
        return []
    split = [(name, name.split()) for name in names]
    people = [(name, words) for name, words in split if len(words) == 2]
    pairs = [
        (short, full)
        for (short, a), (full, b) in _both_ways(people)
        if a[1].casefold() == b[1].casefold() and _INITIAL.fullmatch(a[0]) and len(b[0]) > 2 and b[0][0] == a[0][0]
    ]
    taken = Counter(short for short, _ in pairs)
    return [(short, full) for short, full in pairs if taken[short] == 1]


def _both_ways(people: list[tuple[str, list[str]]]) -> Iterator[tuple[tuple[str, list[str]], tuple[str, list[str]]]]:
    for one, other in combinations(people, 2):
        yield one, other
        yield other, one
