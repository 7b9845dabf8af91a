"""The question back which of several files is meant, each with what would settle it for always."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from apps.analyst.computing.compute import computed_of
from apps.analyst.conversation.copies import holds_twice
from apps.analyst.conversation.readas.elsewhere import Matched, together
from apps.analyst.conversation.readas.lessons import taken_before
from apps.analyst.conversation.readas.names import Names
from apps.analyst.conversation.readas.pieces import keyed, pieces
from apps.analyst.dictionary.lesson import Lesson
from apps.analyst.plan import Clarify, Combine, Option, Plan
from apps.analyst.ports import Catalog, Warehouse
from apps.analyst.reading.reader import Weighed
from apps.analyst.telling.formats import listed, spoken
from apps.analyst.types import Answer, Chip, Choice, Question, ReadAs

MOST_CHOICES = 4
ALL_TOGETHER = "All together"


def added_up(plans: Mapping[str, Plan], catalog: Catalog, warehouse: Warehouse) -> Combine | None:
    """Several files' totals added up; None for what does not add up and for files that hold the same things."""
    whole = together(plans)
    return None if whole is None or holds_twice(plans, catalog, warehouse) else whole


@dataclass(frozen=True, slots=True)
class _Way:
    """One thing that may be meant, with the question that says so."""

    label: str
    question: str
    plan: Plan
    lesson: Lesson | None = None


def asked_which(
    question: Question, best: Weighed, plans: Mapping[str, Plan], catalog: Catalog, warehouse: Warehouse
) -> Answer:
    """Which file is meant; each with what would settle it for always."""
    names = list(plans)
    text = f"{_subject(names)} can answer this, and the figures differ."
    whole = added_up(plans, catalog, warehouse)
    ways = [_way(question, name, plans[name], names, catalog) for name in names[: MOST_CHOICES - (whole is not None)]]
    if whole is not None:
        ways.append(_Way(ALL_TOGETHER, f"{_stem(question)} in {listed(names, most=len(names))}", whole))
    return _answer(text, ways, best, best.reading.plan, catalog)


def _subject(names: Sequence[str]) -> str:
    if len(names) > MOST_CHOICES:
        return f"{len(names)} files"
    return f"Both {listed(list(names))}" if len(names) == 2 else f"Each of {listed(list(names), most=MOST_CHOICES)}"


def _way(question: Question, name: str, plan: Plan, names: Sequence[str], catalog: Catalog) -> _Way:
    others = tuple(other for other in names if other != name)
    return _Way(name, f"{_stem(question)} in {spoken(name)}", plan, taken_before(name, others, catalog))


def asked_apart(question: Question, best: Weighed, pair: Matched, catalog: Catalog, warehouse: Warehouse) -> Answer:
    """Which of two files alike is meant, or whether their rows are to be matched; nothing is told of what matches
    them before."""
    plan, names = best.reading.plan, Names(best.reading.plan, catalog)
    found = {name: pair.alone(name) for name in pair.tables}
    plans = {n: p for n, p in found.items() if p is not None and computed_of(p, catalog, warehouse) is not None}
    by = listed([names.label(ref) for ref in pair.by])
    ways = [_Way(name, f"{_stem(question)} in {spoken(name)} alone", made) for name, made in plans.items()]
    whole = added_up(plans, catalog, warehouse)
    if whole is not None:
        ways.append(_Way(ALL_TOGETHER, f"{_stem(question)} in {listed(list(pair.tables))}", whole))
    ways.append(_Way(f"Rows matched by {by}", f"{_stem(question)}, rows matched by {by}", plan))
    either = listed([*plans, f"the rows of both matched by {by}"], "or")
    return _answer(f"This can mean {either}.", ways, best, next(iter(plans.values()), plan), catalog)


def _stem(question: Question) -> str:
    return question.text.strip().rstrip("?.! ")


def _answer(text: str, ways: Sequence[_Way], best: Weighed, plan: Plan, catalog: Catalog) -> Answer:
    """The question back, with the parts of the plan that are not open."""
    chart = best.reading.chart
    # A plan does not keep which chart was asked for: such a question is read anew.
    clicked = () if chart is not None and chart.explicit else ways
    asked = [Option(label=way.question.strip(" .!\"'“”"), question=way.question, plan=way.plan) for way in clicked]
    short = [Option(label=way.label, question=way.question, plan=way.plan) for way in ways]
    found = keyed(pieces(plan, catalog))
    chips = tuple(Chip(key, piece.part, piece.label) for key, piece in found.items() if piece.part != "files")
    return Answer(
        "clarify",
        text,
        plan=Clarify(question=text, options=(*asked, *short)),
        choices=tuple(Choice(way.label, way.question, lesson=way.lesson) for way in ways),
        read_as=ReadAs(chips),
        confidence=best.reading.score,
    )
