"""Which words of a question found no place in the plan, as stretches of the person's own text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from functools import cache

from apps.analyst.conversation.studied import places_of, untold
from apps.analyst.knowledge.english import english
from apps.analyst.language import Reading
from apps.analyst.plan import Constant, Part, Plan, Query, TextMatch
from apps.analyst.plan.nodes import every
from apps.analyst.ports import Catalog
from apps.analyst.reading.closeness import content_fits
from apps.analyst.reading.coverage import NEAR_ENOUGH, unnamed_places, unused
from apps.analyst.reading.defined_states import defined_of
from apps.analyst.reading.linking import TOKEN, Linked, link
from apps.analyst.reading.rules.understanding import SAID_BEFORE
from apps.analyst.reading.values_said import phrases_of
from apps.analyst.types import Question

Span = tuple[int, int]
SAID = NEAR_ENOUGH
"""How well a word fits a column or a value that it names."""


def unread_words(text: str, words: Sequence[str]) -> tuple[Span, ...]:
    """Where the words that a reader had no use for stand."""
    found = [match.span() for word in words if word for match in re.finditer(_whole(word), text, re.IGNORECASE)]
    return tuple(sorted(set(found)))


def _whole(word: str) -> str:
    return rf"(?<!\w){re.escape(word)}(?!\w)"


def unread_by_rules(question: Question, reading: Reading, catalog: Catalog) -> tuple[Span, ...]:
    """The words that the rules had no use for, as they say themselves, and those for things of which the plan reads
    nothing: whoever counts appointments where there are only deals counts something else."""
    found = unread_words(question.text, reading.unused)
    if reading.reader in SAID_BEFORE or reading.definitions:
        return found
    spans, linked = spans_of(question.text), link(question, catalog)
    if len(spans) < len(linked.tokens):
        return found
    asked = places_of(linked)
    lost = [n for n in unnamed_places(linked, reading.plan) if n not in asked and not _is_form(linked, n)]
    things = [spans[n] for n in lost if linked.tokens[n] not in english().general]
    heeded = {spans[n] for n in _defined(linked, reading.plan)}
    return tuple(sorted({*found, *things} - heeded))


def unread(question: Question, plan: Plan, catalog: Catalog) -> tuple[Span, ...]:
    """The words, numbers and periods for which the plan has no use; words of form, as "show" and "highest", ask for no
    place."""
    spans = spans_of(question.text)
    linked = link(question, catalog)
    if len(spans) < len(linked.tokens):
        return ()
    heard = _said_by_days(linked, plan)
    dated = {place for one in linked.dated if _is_held(one.ranges, plan) for place in one.places}
    dated |= _present(linked)
    left = [n for n in unused(linked, plan) if not _is_form(linked, n) and linked.tokens[n] not in heard]
    left = [n for n in left if n not in dated | _defined(linked, plan)]
    asked = places_of(linked)
    lost = [place for one in untold(linked, plan) for place in range(one.start, one.end)]
    left = [*(n for n in left if n not in asked), *lost]
    left += [place for place in _numbers(linked, plan) if place not in left]
    found = [spans[n] for n in left]
    passed = [p for p in linked.periods if p.start not in dated and not _said_period(p.ranges, plan)]
    found += [(spans[p.start][0], spans[p.end - 1][1]) for p in passed]
    return tuple(sorted(set(found)))


def unknown(question: Question, linked: Linked) -> tuple[Span, ...]:
    """The words that name nothing in all of the data."""
    spans = spans_of(question.text)
    asked = places_of(linked)
    found = [n for n, fit in content_fits(linked) if fit < SAID and not _is_form(linked, n) and n not in asked]
    return tuple(spans[n] for n in found) if len(spans) >= len(linked.tokens) else ()


def spans_of(text: str) -> list[Span]:
    """Where each token of a question stands in it; none where folding its letters changes their number."""
    plain = text.casefold().replace("’", "'")
    return [match.span() for match in TOKEN.finditer(plain)] if len(plain) == len(text) else []


def _numbers(linked: Linked, plan: Plan) -> Iterator[int]:
    """Numbers of the question that the plan neither compares with nor counts by."""
    nodes = list(every(plan))
    in_periods = {place for p in linked.periods for place in range(p.start, p.end)}
    said = {str(n.value).casefold() for n in nodes if isinstance(n, Constant | TextMatch)}
    said |= {str(n.limit) for n in nodes if isinstance(n, Query) and n.limit}
    text = " ".join(said)
    for place, value in linked.numbers:
        if place not in in_periods and linked.tokens[place].isdigit() and f"{value:g}" not in text:
            yield place


def _said_period(ranges: Sequence[Sequence[object]], plan: Plan) -> bool:
    constants = [n.value for n in every(plan) if isinstance(n, Constant)]
    said = " ".join(map(str, constants))
    years = {
        first.year for first, end in ranges if isinstance(first, date) and end == first.replace(year=first.year + 1)
    }
    return any(str(day) in said for pair in ranges for day in pair) or not years.isdisjoint(constants)


def _is_held(ranges: Sequence[Sequence[object]], plan: Plan) -> bool:
    """Whether the plan holds a date between both ends of one of some periods: what two mentions say together."""
    said = " ".join(str(n.value) for n in every(plan) if isinstance(n, Constant))
    return any(all(str(day) in said for day in pair) for pair in ranges)


def _said_by_days(linked: Linked, plan: Plan) -> set[str]:
    """The words of time that the plan heeds by parts of dates, or by a period that ends what is meant."""
    known = english()
    ends = {word for phrase in (*known.until, *known.ends) for word in phrase.split()}
    ends = ends if any(p.ends for p in linked.periods) else set()
    parts = {node.part for node in every(plan) if isinstance(node, Part)}
    weekdays = known.weekend.union(*known.weekdays) if parts & {"weekday", "weekday_name"} else frozenset()
    return ends | weekdays


def _present(linked: Linked) -> set[int]:
    """The places of the words for how things stand as somebody asks ("right now")."""
    known = english().as_it_stands
    return {n for start, end, phrase in phrases_of(linked.tokens) if phrase in known for n in range(start, end)}


def _defined(linked: Linked, plan: Plan) -> frozenset[int]:
    """The places of the words for a figure of things in a state, where the plan has a condition for that state."""
    defined = defined_of(linked)
    return defined.places if defined is not None and defined.agrees(plan, linked.index.tables) else frozenset()


def _is_form(linked: Linked, place: int) -> bool:
    """Whether a word says how to answer, which kind of chart is wanted ("line chart"), or that the number behind it is
    meant exactly ("only one")."""
    known, word = english(), linked.tokens[place]
    behind = linked.tokens[place + 1] if place + 1 < len(linked.tokens) else ""
    exact = word in known.exact and any(at == place + 1 for at, _ in linked.numbers)
    return word in _form() or exact or (word in known.pictures and behind in known.drawn)


@cache
def _form() -> frozenset[str]:
    """Words that say how to answer, or whoever and whatever it is about, not about what: of 300 answers over databases
    left out those with such a word "unread" were right as often as all others."""
    known = english()
    phrases = [phrase for words in (*known.cues.values(), *known.units.values()) for phrase in words]
    sets = (known.drawn, known.filling, known.this, known.last, known.next, known.halves, known.affirmed, known.denied,
            known.general, known.everyday)  # fmt: skip
    counted = (*known.ordinals, *known.numbers, *known.scales, *known.to_date)
    return frozenset({word for phrase in phrases for word in phrase.split()}.union(*sets, counted))
