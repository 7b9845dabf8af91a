"""A question read anew, by readers that know nothing of each other: the rules, and the learned reader without them.

The rules do not see what the network writes, and the network's readings are weighed here without those of the rules, so
that two of them with one result are two reasons to trust it. Whose reading differs speaks against an answer only where
the product would have told or offered it itself: a thing that somebody merely could have meant is no contradiction.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from apps.analyst.approaches.consensus import same
from apps.analyst.approaches.names import LEARNED, NEXT, RULES
from apps.analyst.computing.compute import MOST_ROWS, Computed, computed_of
from apps.analyst.conversation.going_on import Heard, heard
from apps.analyst.conversation.readas.marks import Span, unread, unread_words
from apps.analyst.errors import AnalystError
from apps.analyst.language import ANSWER_THRESHOLD, Reading
from apps.analyst.plan import Clarify, Plan
from apps.analyst.ports import Catalog, Warehouse
from apps.analyst.reading.candidates import Proposed
from apps.analyst.reading.features import Computed as Weighable
from apps.analyst.reading.features import features
from apps.analyst.reading.judging import ask_from, judge, trained
from apps.analyst.reading.keywords.defined import by_definitions
from apps.analyst.reading.reader import Read, Weighed, read
from apps.analyst.reading.rules.understanding import SAID_BEFORE
from apps.analyst.reading.weighing import is_literal, is_open, is_suggested
from apps.analyst.types import Question, Result

AGAINST = 0.5
"""How likely, against the answer's own reading, another one is at least that contradicts it."""
UNHEARD = 0.1
"""How likely a weighed reading is at least whose result, come to by turning a decision round, may contradict: another
date that could be meant is at 0.15 and more, one that could not below this."""


@dataclass(frozen=True, slots=True)
class Own:
    """What one reader reads by itself. `speaks_against` where its result differs and weighs enough to be held against
    the answer."""

    reader: str
    reading: Reading
    computed: Computed
    agrees: bool
    speaks_against: bool = False

    @property
    def counts(self) -> bool:
        """Whether it is heard for the answer or against it; who differs and is too unlikely is not."""
        return self.agrees or self.speaks_against

    @property
    def told(self) -> str:
        """How its result stands to the answer's, for a trace."""
        if self.agrees:
            return "the same result"
        return "another result" if self.speaks_against else "another result, which is too unlikely to count"


@dataclass(frozen=True, slots=True)
class Reread:
    """What the readers say of a result. `chance` is how likely its reading is, None where nobody weighs such readings;
    `unread` are the stretches of the question that found no place in it."""

    own: tuple[Own, ...] = ()
    chance: float | None = None
    unread: tuple[Span, ...] = ()
    unlikely: tuple[Result, ...] = ()
    """The results of readings that were weighed and are too unlikely to count."""

    def passes_over(self, result: Result) -> bool:
        """Whether a reading with this result was found too unlikely to count."""
        few = (own.computed.result for own in self.own if not own.counts)
        return any(same(other, result) for other in (*few, *self.unlikely))


def reread(
    question: Question,
    readings: Sequence[Reading],
    plan: Plan | None,
    result: Result,
    catalog: Catalog,
    warehouse: Warehouse,
) -> Reread:
    """The question read by each reader, held against the result that `plan` gave; `readings` are those of the rules.
    Never raises: who cannot read it has no voice."""
    unlikely: list[Result] = []
    try:
        after = heard(question, readings, catalog, warehouse)
        if after is not None and not after.stands_alone:
            own, chance = _by_what_goes_on(after, result)
        elif not trained() or (readings and readings[0].reader in SAID_BEFORE):
            own, chance = _by_rules_alone(readings, result, catalog, warehouse), None
        elif defined := by_definitions(question, catalog, warehouse):
            own, chance, unlikely = _by_definition(defined, readings, result, catalog, warehouse)
        else:
            own, chance, unlikely = _by_both(question, readings, plan, result, catalog, warehouse)
    except AnalystError:
        return Reread()
    return Reread(tuple(own), chance, _unread(question, plan, own, catalog), tuple(unlikely))


def _by_what_goes_on(after: Heard, result: Result) -> tuple[list[Own], float | None]:
    """What the rules' change of the plan before comes to, and the learned reader's likeliest reading of the message
    behind it, of a message that goes on from an answer; and how likely the reading with the result is."""
    own: list[Own] = []
    mine = next((chance for one, chance in after.ranked if same(one.computed.result, result)), None)
    least = max(ask_from(), AGAINST * (mine or 0.0))
    learned = max((one for one, _ in after.ranked if one.guess), key=lambda one: one.score, default=None)
    for one, chance in after.ranked:
        agrees = same(one.computed.result, result)
        for reader in (*((RULES,) if one.edited else ()), *((LEARNED,) if one is learned else ())):
            reading = one.edited or Reading(one.plan, chance, reader=reader)
            own.append(Own(reader, reading, one.computed, agrees, chance >= least and not agrees))
    return own, mine


def _by_rules_alone(readings: Sequence[Reading], result: Result, catalog: Catalog, warehouse: Warehouse) -> list[Own]:
    """The rules' first reading, of a question that nobody else could read."""
    first = readings[0] if readings and not isinstance(readings[0].plan, Clarify) else None
    computed = computed_of(first.plan, catalog, warehouse, max_rows=MOST_ROWS) if first is not None else None
    if first is None or computed is None or first.score < ANSWER_THRESHOLD:
        return []
    agrees = same(computed.result, result)
    return [Own(RULES, first, computed, agrees, not agrees)]


def _by_definition(
    defined: Sequence[Weighed], readings: Sequence[Reading], result: Result, catalog: Catalog, warehouse: Warehouse
) -> tuple[list[Own], float | None, list[Result]]:
    """What each reader reads by what the question's keywords mean: the rules where they can use them, too."""
    sure = bool(readings) and bool(readings[0].definitions)
    own = _by_rules_alone(readings, result, catalog, warehouse) if sure else []
    mine = next((one.reading.score for one in defined if same(one.computed.result, result)), None)
    best = defined[0]
    agrees = same(best.computed.result, result)
    least = max(ask_from(), AGAINST * (mine or 0.0))
    own.append(Own(LEARNED, best.reading, best.computed, agrees, not agrees and best.reading.score >= least))
    return own, mine, [one.computed.result for one in defined if one.reading.score < UNHEARD]


def _by_both(
    question: Question,
    readings: Sequence[Reading],
    plan: Plan | None,
    result: Result,
    catalog: Catalog,
    warehouse: Warehouse,
) -> tuple[list[Own], float | None, list[Result]]:
    """What each reader reads by itself, and how likely the reading with the result is."""
    made, found = read(question, catalog, warehouse, readings)
    chances = _chances(made, found)
    weighed = is_open(question, readings, catalog)
    mine = _chance(plan, result, made, chances, found) if weighed else None
    least = max(ask_from(), AGAINST * (mine or 0.0))
    own = []
    for reader, place in _own(made, found):
        one, agrees = made[place], same(made[place].computed.result, result)
        # Over tables that the rules know the product does not ask the learned reader: there it may confirm, no more.
        against = chances[place] >= least if weighed else reader == RULES
        own.append(Own(reader, one.reading, one.computed, agrees, against and not agrees))
    own += _next(made, chances, result, least, own) if mine is not None else ()
    suggested = any(one.agrees and one.reader == RULES and _is_suggested(question, one, catalog) for one in own)
    few = [one.computed.result for one, chance in zip(made, chances, strict=True) if weighed and chance < UNHEARD]
    return own, None if suggested else mine, few


def _next(
    made: Sequence[Read], chances: Sequence[float], result: Result, least: float, own: Sequence[Own]
) -> Iterator[Own]:
    """The likeliest reading with another result, where it weighs enough and no reader has it for its own."""
    known = [result, *(one.computed.result for one in own)]
    likely = sorted(range(len(made)), key=lambda place: -chances[place])
    for place in (place for place in likely if chances[place] >= least):
        one = made[place]
        if not same(one.computed.result, result):
            if not any(same(one.computed.result, other) for other in known):
                yield Own(NEXT, one.reading, one.computed, agrees=False, speaks_against=True)
            return


def _is_suggested(question: Question, own: Own, catalog: Catalog) -> bool:
    """Whether the product itself suggests the question, so that how to read it is no guess."""
    return is_literal(question.text, own.reading, catalog) and is_suggested(question.text, own.reading, catalog)


def _chances(made: Sequence[Read], found: Proposed) -> list[float]:
    return [float(chance) for chance in judge().probabilities(features([one.seen for one in made], found))]


def _own(made: Sequence[Read], found: Proposed) -> Iterator[tuple[str, int]]:
    """Each reader with the place of what it reads by itself: of the rules their first where it is sure, of the learned
    reader the likeliest of its readings when nobody else is heard."""
    for place, one in enumerate(made):
        if one.seen.rules is not None and one.seen.rules >= ANSWER_THRESHOLD:
            yield RULES, place
    learned = [place for place, one in enumerate(made) if one.seen.rules is None]
    alone = _chances([made[place] for place in learned], found)
    if alone and max(alone) >= ask_from():
        yield LEARNED, learned[alone.index(max(alone))]


def _chance(
    plan: Plan | None, result: Result, made: Sequence[Read], chances: Sequence[float], found: Proposed
) -> float | None:
    """How likely the reading with this result is: as its likeliest reader has it, else weighed beside the others."""
    alike = [chance for one, chance in zip(made, chances, strict=True) if same(one.computed.result, result)]
    if alike or plan is None:
        return max(alike, default=None)
    beside = [*(one.seen for one in made), Weighable(plan, result)]
    return float(judge().probabilities(features(beside, found))[-1])


def _unread(question: Question, plan: Plan | None, own: Sequence[Own], catalog: Catalog) -> tuple[Span, ...]:
    """The words for which nobody who comes to the result has a use."""
    left = [] if plan is None else [unread(question, plan, catalog)]
    for one in own:
        if one.agrees and one.reader == RULES:
            left.append(unread_words(question.text, one.reading.unused))
        elif one.agrees:
            left.append(unread(question, one.reading.plan, catalog))
    return tuple(span for span in left[0] if all(span in other for other in left)) if left else ()
