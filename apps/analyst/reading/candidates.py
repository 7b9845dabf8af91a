"""The readings of a question that compete: what the network writes, and what other readers propose, each with its plan.

A candidate is a plan with where it came from. Which one is told, and how surely, is decided in `judging`, once they
are computed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from apps.analyst.dictionary.names import label
from apps.analyst.errors import AnalystError
from apps.analyst.knowledge.folding import folded
from apps.analyst.plan import Plan
from apps.analyst.ports import Catalog
from apps.analyst.reading.composing import Unfit, compose, schema_of
from apps.analyst.reading.concrete import concrete
from apps.analyst.reading.labels import Namer
from apps.analyst.reading.linking import Linked, index_of, link
from apps.analyst.reading.network import Guess, network
from apps.analyst.reading.sketch import Sketch
from apps.analyst.types import Question
from apps.analyst.validate import validate

BEAMS = 10
MOST_GUESSES = 14
MOST_WORDS = 40
"""A longer question is a brief, which the network was not made for."""


@dataclass(frozen=True)
class Candidate:
    """A plan that may be what was asked. `score` is the network's log-probability."""

    plan: Plan
    score: float
    sketch: Sketch
    guess: Guess


@dataclass
class Proposed:
    """The network's readings of a question, likeliest first, with what the question was linked to."""

    linked: Linked | None = None
    candidates: list[Candidate] = field(default_factory=list)
    lost: float = 0.0
    """The probability of what the network wrote and could not be planned."""


def proposed(question: Question, catalog: Catalog) -> Proposed:
    """The network's readings, each a plan that fits the catalog; none for what is no short question."""
    if not catalog.tables() or not 0 < len(question.text.split()) <= MOST_WORDS:
        return Proposed()
    linked = link(question, catalog)
    schema = schema_of({t.name: t for t in catalog.tables()}, list(catalog.joins()), namer_of(catalog), question.today)
    made = Proposed(linked)
    seen: dict[str, int] = {}
    for guess in network().guesses(linked, beams=BEAMS, most=MOST_GUESSES):
        try:
            sketch = concrete(guess.actions, linked, question.today)
            plan = compose(sketch, schema)
            validate(plan, catalog)
        except (Unfit, AnalystError, ValueError):
            made.lost += math.exp(guess.score)
            continue
        key = plan.model_dump_json()
        if key in seen:
            at = seen[key]
            both = math.log(math.exp(made.candidates[at].score) + math.exp(guess.score))
            made.candidates[at] = Candidate(plan, both, sketch, made.candidates[at].guess)
            continue
        seen[key] = len(made.candidates)
        made.candidates.append(Candidate(plan, guess.score, sketch, guess))
    made.candidates.sort(key=lambda c: -c.score)
    return made


def namer_of(catalog: Catalog) -> Namer:
    """Readable names of a catalog's columns and rows."""
    return _namer(catalog.version, _Tables(catalog))


class _Tables:
    """A catalog as an argument that is not compared: its version stands for it."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Tables)

    def __hash__(self) -> int:
        return 0


@lru_cache(maxsize=64)
def _namer(_version: str, tables: _Tables) -> Namer:
    columns: dict[tuple[str, str], str] = {}
    rows: dict[str, str] = {}
    for table in tables.catalog.tables():
        beside = (table.name, *(c.name for c in table.columns))
        for column in table.columns:
            columns[table.name, column.name] = _spoken(column.name, beside)
        rows[table.name] = _plural(label(table.name, beside) or table.name)
    return Namer(lambda t, c: columns.get((t, c), c), lambda t: rows.get(t, t), {})


def _spoken(name: str, beside: tuple[str, ...]) -> str:
    """A column's own name where it reads as words, else its abbreviations spelled out."""
    if " " in name.strip() or (name[:1].isupper() and name[1:].islower() and len(name) > 3):
        return name.strip()
    said = label(name, beside)
    return said[:1].upper() + said[1:] if said else name


def _plural(noun: str) -> str:
    words = noun.casefold().split()
    if not words or folded(words[-1]) != words[-1]:
        return " ".join(words) or noun
    last = words[-1]
    if last.endswith(("s", "x", "ch", "sh")):
        last += "es"
    elif last.endswith("y") and last[-2:-1] not in "aeiou":
        last = last[:-1] + "ies"
    else:
        last += "s"
    return " ".join([*words[:-1], last])


def warm(catalog: Catalog) -> Any:
    """Makes what a first question would wait for: weights and the catalog's index."""
    return network().nodes_of(index_of(catalog))
