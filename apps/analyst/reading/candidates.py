"""The readings of a question that compete: what the network writes, and what other readers propose, each with its plan.

A candidate is a plan with where it came from. Which one is told, and how surely, is decided in `judging`, once they
are computed.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.dictionary.rows import plural
from apps.analyst.dictionary.types import TableMeaning
from apps.analyst.errors import AnalystError
from apps.analyst.knowledge.english import english
from apps.analyst.plan import Compare, Constant, Plan
from apps.analyst.plan.nodes import every
from apps.analyst.plan.validate import validate
from apps.analyst.ports import Catalog
from apps.analyst.reading.ahead import with_open_ahead
from apps.analyst.reading.alike import with_alike
from apps.analyst.reading.amended import amended
from apps.analyst.reading.closeness import content_places, unknown_places
from apps.analyst.reading.composing import Schema, Unfit, compose, schema_of
from apps.analyst.reading.concrete import pointing, written
from apps.analyst.reading.dates import as_taught
from apps.analyst.reading.defined_states import defined_of
from apps.analyst.reading.homes import homes, is_literal
from apps.analyst.reading.labels import Namer
from apps.analyst.reading.like_for_like import in_step, like_for_like
from apps.analyst.reading.linking import Linked, link
from apps.analyst.reading.listed_figures import listed, with_listed
from apps.analyst.reading.mending import (
    has_unsaid_value,
    mended,
    with_all_entries,
    with_said_alone,
    with_wholes,
    without_both,
)
from apps.analyst.reading.named import with_named
from apps.analyst.reading.naming_rows import with_full_names, with_names
from apps.analyst.reading.outcomes import with_whole_outcomes
from apps.analyst.reading.periods_meant import with_meant_periods
from apps.analyst.reading.quantities import is_mixed
from apps.analyst.reading.quotients import with_all_owners, with_sums
from apps.analyst.reading.search import Guess, guesses
from apps.analyst.reading.shared_words import with_shared_words
from apps.analyst.reading.sketch import Sketch, in_any_order
from apps.analyst.reading.sorting import as_sorted
from apps.analyst.reading.wholes import of_lines
from apps.analyst.telling.evidence import tables_of
from apps.analyst.telling.labelling import reads_well
from apps.analyst.types import Question

BEAMS = 10
MOST_GUESSES = 14
MOST_MENDED = 4
"""Sketches of the network, likeliest first, that are looked over for what they pass over."""
NEAR_END = 1.5
"""How far behind the likeliest (natural logarithm) a reading with both ends of a period may lie to be meant instead."""
MOST_WORDS = 40
"""A longer question is a brief, which the network was not made for."""


@dataclass(frozen=True)
class Candidate:
    """A plan that may be what was asked. `score` is the network's log-probability."""

    plan: Plan
    score: float
    sketch: Sketch
    guess: Guess
    edits: int = 0
    """How much was put into the network's sketch that it passed over (`mending`); 0 for its own."""


@dataclass
class Proposed:
    """The network's readings of a question, likeliest first, with what the question was linked to."""

    linked: Linked | None = None
    candidates: list[Candidate] = field(default_factory=list)
    lost: float = 0.0
    """The probability of what the network wrote and could not be planned."""

    def add(self, candidate: Candidate, seen: dict[str, int]) -> int:
        """One more candidate, or more probability for the one that has its plan; its place."""
        key = candidate.plan.model_dump_json()
        at = seen.setdefault(key, len(self.candidates))
        if at == len(self.candidates):
            self.candidates.append(candidate)
        elif self.candidates[at].edits and not candidate.edits:
            self.candidates[at] = candidate
        elif not candidate.edits:
            self.heard_again(at, candidate.score)
        return at

    def heard_again(self, at: int | None, score: float) -> None:
        """More probability for the candidate at a place, or without one for what is lost."""
        if at is None:
            self.lost += math.exp(score)
            return
        before = self.candidates[at]
        self.candidates[at] = replace(before, score=math.log(math.exp(before.score) + math.exp(score)))


def proposed(
    question: Question,
    catalog: Catalog,
    written: Sequence[Guess] | None = None,
    *,
    beams: int = BEAMS,
    most: int = MOST_GUESSES,
) -> Proposed:
    """The network's readings, each a plan that fits the catalog; none for what is no short question, and for words
    alone that nobody here knows. `written` takes the place of what the network writes: at most `most` sketches out of
    a search that is `beams` wide."""
    if not catalog.tables() or not 0 < len(question.text.split()) <= MOST_WORDS:
        return Proposed()
    linked = link(question, catalog)
    unknown = unknown_places(linked)
    if unknown and unknown == content_places(linked):
        return Proposed(linked)
    known, tables = dictionary_of(catalog), {t.name: t for t in catalog.tables()}
    schema = schema_of(tables, list(catalog.joins()), namer_of(catalog), question.today, known)
    made = Proposed(linked)
    seen: dict[str, int] = {}
    places: dict[Sketch | None, int | None] = {None: None}
    """Where the candidate of each sketch stands, its parts in any order; nowhere where it has none."""
    if written is None:
        written = guesses(linked, beams=beams, most=most)
    for place, guess in enumerate(written):
        pointed = _pointed(guess, linked, known)
        key = pointed and in_any_order(pointed)
        if pointed is None or key in places:
            made.heard_again(places[key], guess.score)
            continue
        places[key] = None
        try:
            found = planned(pointed, guess, 0, linked, schema, catalog, question)
            if unknown and has_unsaid_value(pointed, linked):  # no region is meant by "orders from Narnia"
                raise Unfit("words that nobody knows")
            places[key] = made.add(found, seen)
        except (Unfit, AnalystError, ValueError):
            made.lost += math.exp(guess.score)
        other = mended(pointed, linked) if place < MOST_MENDED else None
        if other is not None:
            with suppress(Unfit, AnalystError, ValueError):
                made.add(planned(other[0], guess, other[1], linked, schema, catalog, question), seen)
    made.candidates = at_home(made.candidates, homes(linked))
    made.candidates = as_said(with_ends(as_defined(made.candidates, linked), linked), linked)
    made.candidates.sort(key=lambda c: (-c.score, c.edits))
    return made


def _pointed(guess: Guess, linked: Linked, known: Mapping[str, TableMeaning]) -> Sketch | None:
    """A guess as its question means it; nothing where it has a condition that keeps all rows."""
    try:
        return as_meant(pointing(guess.actions), linked, known)
    except ValueError:
        return None


def as_meant(sketch: Sketch, linked: Linked, known: Mapping[str, TableMeaning]) -> Sketch:
    """A sketch of the network (its leaves as places) with what the question's words settle. Raises ValueError where it
    has a condition that keeps all rows."""
    said = with_said_alone(without_both(sketch, linked), linked)
    made = with_listed(with_all_entries(said, linked), listed(linked.tokens))
    made = with_named(with_wholes(with_alike(made, linked), linked, known), linked)
    return with_meant_periods(made, linked)


def at_home(candidates: list[Candidate], named: frozenset[str]) -> list[Candidate]:
    """The candidates that use the tables `named` by what they alone have, with the probability of those that do not;
    all of them where none does."""
    kept = [candidate for candidate in candidates if named <= tables_of(candidate.plan)]
    return _left(candidates, kept) if named else candidates


def as_defined(candidates: list[Candidate], linked: Linked) -> list[Candidate]:
    """The candidates without those of things in another state than the definition of the figure says that is asked for,
    with their probability."""
    defined = defined_of(linked)
    if defined is None:
        return candidates
    kept = [candidate for candidate in candidates if defined.agrees(candidate.plan, linked.index.tables)]
    return _left(candidates, kept or [one for one in candidates if not defined.contradicts(one.plan)])


def as_said(candidates: list[Candidate], linked: Linked) -> list[Candidate]:
    """The candidates without those that have a stored value which no word names, with their probability, where every
    word of the question names what the likeliest other one is over: "total amount by owner" is not about won deals."""
    kept = [c for c in candidates if not has_unsaid_value(pointing(c.guess.actions), linked)]
    likeliest = max(kept, key=lambda c: c.score, default=None)
    return _left(candidates, kept) if likeliest and is_literal(linked, tables_of(likeliest.plan)) else candidates


def with_ends(candidates: list[Candidate], linked: Linked) -> list[Candidate]:
    """The candidates without those that hold a date against one end of a period alone, with their probability, where
    periods are named whole ("in 2025") and one with both ends is nearly as likely.

    "From 1 Jan 2025" is not what was said. Over the databases left out, where the two come to other results, the ones
    with both ends are right for 112 of 170 questions, the others for 15, most of them "this year".
    """
    said, known = linked.tokens, english()
    before = {word for period in linked.periods for word in said[max(period.start - 2, 0) : period.end]}
    behind = {word for period in linked.periods for word in said[period.end : period.end + 2]}
    named = linked.periods and not any(period.relative for period in linked.periods)
    if not named or known.one_sided & before or known.one_sided_behind & behind:
        return candidates
    kept = [candidate for candidate in candidates if not open_days(candidate.plan)]
    whole = [candidate.score for candidate in kept if {"<", ">"} in _sides(candidate.plan).values()]
    likeliest = max((candidate.score for candidate in candidates), default=0.0)
    return _left(candidates, kept) if whole and max(whole) >= likeliest - NEAR_END else candidates


def _left(candidates: list[Candidate], kept: list[Candidate]) -> list[Candidate]:
    """Those that are kept, with the probability of the others; all where none is."""
    if not kept or len(kept) == len(candidates):
        return candidates
    whole, left = (sum(math.exp(c.score) for c in some if not c.edits) for some in (candidates, kept))
    gain = math.log(whole / left) if left else 0.0
    return [replace(candidate, score=min(candidate.score + gain, 0.0)) for candidate in kept]


def open_days(plan: Plan) -> int:
    """How many dates a plan holds against a first day without a last one, or the other way round."""
    return sum(found in ({"<"}, {">"}) for found in _sides(plan).values())


def _sides(plan: Plan) -> Mapping[str, set[str]]:
    """Each date that a plan holds against days, with the sides on which they bound it."""
    sides: defaultdict[str, set[str]] = defaultdict(set)
    for test in every(plan):
        if isinstance(test, Compare) and isinstance(test.right, Constant) and test.right.type == "date":
            sides[str(test.left)].add(test.op[0])
    return sides


def planned(
    pointed: Sketch, guess: Guess, edits: int, linked: Linked, schema: Schema, catalog: Catalog, question: Question
) -> Candidate:
    """The candidate of a sketch whose leaves are places. Raises Unfit, AnalystError or ValueError where it has none."""
    known = dictionary_of(catalog)
    sketch = in_step(like_for_like(written(pointed, linked, question.today), linked), linked)
    if is_mixed(sketch, known):
        raise Unfit("figures of unlike quantities")
    sketch = with_sums(with_all_owners(sketch, schema), linked.tokens, schema)
    named = with_full_names(with_names(sketch, linked.tokens, schema, known), linked.tokens, known)
    sketch, made = _composed(sketch, named, schema)
    plan = as_sorted(amended(as_taught(made, question, catalog), linked), linked)
    plan = with_open_ahead(with_whole_outcomes(plan, linked.tokens, catalog), linked.tokens, question.today, catalog)
    plan = with_shared_words(plan, linked.tokens, catalog)
    of_parts = of_lines(plan, catalog)
    if of_parts is None:
        raise Unfit("a whole thing's figure for one of its lines")
    validate(of_parts, catalog)
    return Candidate(of_parts, guess.score, sketch, guess, edits)


def _composed(sketch: Sketch, named: Sketch, schema: Schema) -> tuple[Sketch, Plan]:
    """A sketch and its plan: the one with names where that has one. Raises Unfit where neither has."""
    if named != sketch:
        with suppress(Unfit):
            return named, compose(named, schema)
    return sketch, compose(sketch, schema)


def namer_of(catalog: Catalog) -> Namer:
    """Readable names of a catalog's columns and rows, as its dictionary has them."""
    known = dictionary_of(catalog)
    taught = {(t.name, e.column): e.label for t in catalog.tables() for e in t.taught if e.column and e.label}

    def column(table: str, name: str) -> str:
        meaning = known[table].column(name) if table in known else None
        said = taught.get((table, name)) or (None if reads_well(name) or meaning is None else meaning.label)
        return said[:1].upper() + said[1:] if said else name.strip()

    def things(table: str, name: str) -> str:
        meaning = known.get(table)
        return plural(meaning.whole) if meaning is not None and name in meaning.whole_columns else ""

    return Namer(column, lambda table: known[table].rows if table in known else table, things)
