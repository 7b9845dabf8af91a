"""Where no word says by which date a question goes: one question back, or the other date to click on.

"How many tickets in March" may mean those opened or those resolved then. Where both are as likely and the figures
differ, the answer is one question with each date to choose from, and with the keyword that would settle it for good.
Else the first is answered, being the thing's own (an order's, before it is shipped), and another is offered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from apps.analyst.language import ANSWER_THRESHOLD
from apps.analyst.plan import Aggregate, Clarify, ColumnRef, Option, Plan, Query
from apps.analyst.ports import Catalog
from apps.analyst.reading import dates
from apps.analyst.reading.keywords.terms import mentions
from apps.analyst.reading.rules.understanding import understood
from apps.analyst.telling.formats import listed
from apps.analyst.telling.labelling import names_of
from apps.analyst.types import Answer, Choice, KeptKeyword, Question, Result

MOST_CHOICES = 4
MOST_TRIED = 5
"""Wordings that are read for a date before it is not offered."""
Computing = Callable[[Plan], Result | None]
Same = Callable[[Result, Result], bool]
_TIME = re.compile(r"\s(?:in|during|since|before|after|between|last|this|per|by)\s", re.IGNORECASE)
_THERE = re.compile(r"\b(?P<be>were|are|was|is) there\b", re.IGNORECASE)
_DONE = re.compile(r"(?P<done>\w+ed|sent|won|lost|paid|sold|begun|held) (?:on|at|date)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Dated:
    """The question by one date: its plan, and as far as it reads back a wording and the keyword that keeps it."""

    ref: ColumnRef
    plan: Query
    shown: Choice


@dataclass(frozen=True, slots=True)
class Dates:
    """The dates that a question may go by: the one that was taken, and others with other figures."""

    taken: _Dated
    others: tuple[_Dated, ...]

    def asked_back(self, score: float) -> Answer | None:
        """The question back, where things of a time are counted and another date is as likely as the one taken.

        A trend, and amounts of a time, are answered: by which date they go stands beside the other one to click on.
        """
        if self.taken.plan.groups or not is_plain_count(self.taken.plan):
            return None
        likely = [other for other in self.others if dates.as_likely(self.taken.ref, other.ref)]
        if not likely:
            return None
        chosen = (self.taken, *likely)[:MOST_CHOICES]
        named = listed([f"“{one.shown.label}”" for one in chosen], "or", most=MOST_CHOICES)
        text = f"Your question does not say by which date it goes: {named}. The figures differ."
        options = tuple(Option(label=one.shown.label, question=one.shown.question, plan=one.plan) for one in chosen)
        clarify = Clarify(question=text, options=options)
        return Answer("clarify", text, plan=clarify, choices=tuple(one.shown for one in chosen), confidence=score)

    def offered(self) -> tuple[Choice, ...]:
        """The first other date, as something to click on."""
        other = self.others[0].shown
        return (replace(other, label=f"By {other.label} instead"),)


def is_plain_count(plan: Plan) -> bool:
    """True for the number of a table's rows."""
    return isinstance(plan, Query) and [output.expr for output in plan.measures] == [Aggregate(fn="count")]


def open_dates(
    question: Question, plan: Plan, result: Result, catalog: Catalog, compute: Computing, same: Same
) -> Dates | None:
    """The dates that the question leaves open, each with figures of its own; None where there is only one."""
    mine = dates.open_date(question.text, plan) if isinstance(plan, Query) else None
    if mine is None or any(dates.is_named(said.definition.text, mine.column) for said in mentions(question)):
        return None
    if dates.is_taught(mine, catalog):
        return None
    found: list[_Dated] = []
    for ref in dates.others(mine, catalog):
        swapped = dates.by_other_date(plan, mine, ref)
        computed = compute(swapped)
        if computed is not None and not same(computed, result):
            dated = _dated(question, ref, computed, catalog, compute, same)
            found += [dated] if dated is not None else []
    if not found:
        return None
    taken = _dated(question, mine, result, catalog, compute, same)
    return Dates(taken, tuple(found)) if taken is not None else None


def _dated(
    question: Question, ref: ColumnRef, wanted: Result, catalog: Catalog, compute: Computing, same: Same
) -> _Dated | None:
    """The question worded so that it reads as going by this date, with the same figures."""

    def settled_by(kept: KeptKeyword) -> bool:
        with_it = {**question.keywords, kept.term: kept.definition}
        return _read(replace(question, keywords=with_it), ref, catalog) is not None

    names = names_of(ref, catalog)
    tried = [(name, *one) for name in names for one in list(_wordings(question.text, name))[:MOST_TRIED]]
    for name, text, kept in tried:
        plan = _read(replace(question, text=text), ref, catalog)
        computed = compute(plan) if plan is not None else None
        if plan is None or computed is None or not same(computed, wanted):
            continue
        return _Dated(ref, plan, Choice(name, text, kept if kept is not None and settled_by(kept) else None))
    return None


def _wordings(text: str, name: str) -> Iterator[tuple[str, KeptKeyword | None]]:
    """The question with the date named, and the keyword that would do so from now on where a thing stands before."""
    done = _DONE.fullmatch(name)
    if done is not None and _THERE.search(text):
        yield _THERE.sub(rf"\g<be> {done['done'].lower()}", text), None
    for place in reversed(list(_TIME.finditer(text))):
        before, after = text[: place.start()], text[place.start() :]
        thing = re.search(r"\w{3,}s$", before)
        for said in (*([done["done"].lower()] if done else []), f"with {name}", f"by {name}"):
            time = place.group().rstrip()
            kept = KeptKeyword(thing[0] + time, f"{thing[0]} {said}{time}") if thing is not None else None
            yield f"{before} {said}{after}", kept


def _read(question: Question, ref: ColumnRef, catalog: Catalog) -> Query | None:
    """The plan that the question reads as, where it goes by that date alone."""
    readings = understood(question, catalog)
    plan = readings[0].plan if readings and readings[0].score >= ANSWER_THRESHOLD else None
    if not isinstance(plan, Query):
        return None
    return plan if dates.gone_by(plan) == [ref] else None
