"""Which statistics the words of a question ask for, and whether a plan tells them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from apps.analyst.knowledge.english import StatisticWords, english
from apps.analyst.knowledge.folding import singular
from apps.analyst.language import ANSWER_THRESHOLD, Reading
from apps.analyst.plan import (
    Aggregate,
    Arithmetic,
    Clarify,
    Comparison,
    Output,
    Part,
    Period,
    Plan,
    Query,
    Statistic,
    Window,
)
from apps.analyst.plan.nodes import every
from apps.analyst.ports import Catalog
from apps.analyst.reading.coverage import passes_over
from apps.analyst.reading.index import Index
from apps.analyst.reading.linking import Linked, link
from apps.analyst.types import Question

PROGRAM = "program"
"""The statistic of a brief, which names each figure that it asks for."""


@dataclass(frozen=True, slots=True)
class Studied:
    """A kind of statistic, and the words [start, end) that ask for it."""

    kind: str
    start: int
    end: int


def studied(linked: Linked) -> list[Studied]:
    """The statistics that words ask for which stand for nothing in the data."""
    found: list[Studied] = []
    place = 0
    while place < len(linked.tokens):
        one = next(_at(linked.tokens, place), None)
        stored = one is not None and all(_is_stored(word, linked.index) for word in linked.tokens[place : one.end])
        found += [one] if one is not None and not stored else []
        place = one.end if one is not None else place + 1
    return found


def places_of(linked: Linked) -> set[int]:
    """The places of the words that ask for a statistic: words of form, which ask for no place in the data."""
    return {place for one in studied(linked) for place in range(one.start, one.end)}


def tells(plan: Plan, kind: str) -> bool:
    """Whether a plan tells a statistic of that kind."""
    wanted = english().statistics[kind]
    nodes = list(every(plan))
    if any(isinstance(node, Statistic) and node.name in {*wanted.studies, PROGRAM} for node in nodes):
        return True
    if any(isinstance(node, Aggregate) and node.fn in wanted.figures for node in nodes):
        return True
    return not wanted.shows.isdisjoint(_shown(nodes))


def untold(linked: Linked, plan: Plan) -> list[Studied]:
    """The statistics that a question asks for and a plan does not tell."""
    return [one for one in studied(linked) if not tells(plan, one.kind)]


def is_read(question: Question, readings: Sequence[Reading], catalog: Catalog) -> bool:
    """Whether the rules read a statistic surely that a question asks for, and all that it names: the learned reader
    was not made for those."""
    first = readings[0] if readings else None
    if first is None or first.score < ANSWER_THRESHOLD or first.unused or isinstance(first.plan, Clarify):
        return False
    linked = link(question, catalog)
    asked = places_of(linked)
    return bool(asked) and not untold(linked, first.plan) and not passes_over(linked, first.plan, asked)


def _shown(nodes: Sequence[object]) -> set[str]:
    """What a plan shows besides statistics, as `statistics` of english.yaml calls it."""
    shown: set[str] = set()
    for node in nodes:
        if isinstance(node, Query) and node.groups and any(map(_adds_up, node.measures)):
            shown.add("groups")
        if isinstance(node, Period | Part | Comparison):
            shown.add("time")
        if isinstance(node, Comparison | Window) or (isinstance(node, Arithmetic) and node.op in "-/"):
            shown.add("differences")
    return shown


def _adds_up(output: Output) -> bool:
    """Whether the groups of a figure are parts of a whole: numbers of rows, sums, shares."""
    expr = output.expr.of if isinstance(output.expr, Window) and output.expr.fn == "share" else output.expr
    return isinstance(expr, Aggregate) and expr.fn in ("count", "sum")


def _at(tokens: Sequence[str], place: int) -> Iterator[Studied]:
    """The statistics whose words begin at a place, those of most words first."""
    for length in range(_longest(), 0, -1):
        said = tuple(tokens[place : place + length])
        for kind, words in english().statistics.items():
            if len(said) == length and said in words.words:
                yield Studied(kind, place, place + length)


@cache
def _longest() -> int:
    every: Iterator[StatisticWords] = iter(english().statistics.values())
    return max(len(phrase) for words in every for phrase in words.words)


def _is_stored(word: str, index: Index) -> bool:
    forms_of = {word, singular(word)}
    return any(form in index.words or form in index.stored for form in forms_of)
