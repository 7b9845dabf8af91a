"""The question back which of several files is meant, each with what would settle it for always."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from apps.analyst.computing.compute import Computed, computed_of
from apps.analyst.conversation.copies import holds_twice
from apps.analyst.conversation.readas.elsewhere import Matched, together
from apps.analyst.conversation.readas.lessons import taken_before
from apps.analyst.conversation.readas.names import Names
from apps.analyst.conversation.readas.pieces import keyed, pieces
from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.dictionary.lesson import Lesson
from apps.analyst.plan import Clarify, Combine, Option, Plan
from apps.analyst.ports import Catalog, Warehouse
from apps.analyst.reading.agreeing import figures_key
from apps.analyst.reading.reader import Weighed
from apps.analyst.telling.formats import listed, spoken
from apps.analyst.telling.glance import figure_of
from apps.analyst.types import Answer, Chip, Choice, Question, ReadAs

MOST_CHOICES = 4
ALL_TOGETHER = "All together"
DIFFER = "and the figures differ"
SAME = "each with the same figure"


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
    figure: str = ""


def asked_which(
    question: Question,
    best: Weighed,
    found: Mapping[str, Computed],
    plans: Mapping[str, Plan],
    catalog: Catalog,
    warehouse: Warehouse,
) -> Answer:
    """Which file is meant, each with its figure and with what would settle it for always; `found` is what the plan
    comes to over each that may be meant, `plans` the plan over each."""
    names = in_order(found, catalog)
    same = len({figures_key(computed.result) for computed in found.values()}) == 1
    text = f"{_subject(names)} can answer this, {SAME if same else DIFFER}."
    whole = added_up({name: plans[name] for name in names}, catalog, warehouse)
    shown = names[: MOST_CHOICES - (whole is not None)]
    ways = [_way(question, name, plans[name], names, figure_of(found[name], catalog), catalog) for name in shown]
    if whole is not None:
        ways.append(_together(question, names, whole, catalog, warehouse))
    return _answer(text, ways, best, best.reading.plan, catalog)


def in_order(names: Iterable[str], catalog: Catalog) -> list[str]:
    """The files as people would put them: the earlier before the later, else by name."""
    tables, meant = {table.name: table for table in catalog.tables()}, dictionary_of(catalog)

    def begins(name: str) -> str:
        meaning = meant.get(name)
        date = tables[name].column(meaning.date_column) if meaning is not None and meaning.date_column else None
        return str(date.minimum) if date is not None else ""

    return sorted(names, key=lambda name: (begins(name), name.casefold()))


def _together(question: Question, names: Sequence[str], whole: Combine, catalog: Catalog, warehouse: Warehouse) -> _Way:
    """The figure of all the files, of which only the total is told."""
    computed = computed_of(whole.model_copy(update={"outputs": whole.outputs[:1]}), catalog, warehouse)
    figure = figure_of(computed, catalog) if computed is not None else ""
    return _Way(ALL_TOGETHER, f"{_stem(question)} in {listed(list(names), most=len(names))}", whole, figure=figure)


def _subject(names: Sequence[str]) -> str:
    if len(names) > MOST_CHOICES:
        return f"{len(names)} files"
    return f"Both {listed(list(names))}" if len(names) == 2 else f"Each of {listed(list(names), most=MOST_CHOICES)}"


def _way(question: Question, name: str, plan: Plan, names: Sequence[str], figure: str, catalog: Catalog) -> _Way:
    others = tuple(other for other in names if other != name)
    return _Way(name, f"{_stem(question)} in {spoken(name)}", plan, taken_before(name, others, catalog), figure)


def asked_apart(question: Question, best: Weighed, pair: Matched, catalog: Catalog, warehouse: Warehouse) -> Answer:
    """Which of two files alike is meant, or whether their rows are to be matched; nothing is told of what matches
    them before."""
    plan, names = best.reading.plan, Names(best.reading.plan, catalog)
    plans = {name: made for name in in_order(pair.tables, catalog) if (made := pair.alone(name)) is not None}
    found = {name: computed_of(made, catalog, warehouse) for name, made in plans.items()}
    by = listed([names.label(ref) for ref in pair.by])
    ways = [
        _Way(name, f"{_stem(question)} in {spoken(name)} alone", plans[name], figure=figure_of(computed, catalog))
        for name, computed in found.items()
        if computed is not None
    ]
    whole = added_up({way.label: way.plan for way in ways}, catalog, warehouse)
    if whole is not None:
        ways.append(_together(question, list(plans), whole, catalog, warehouse))
    either = listed([*(way.label for way in ways if way.plan is not whole), f"the rows of both matched by {by}"], "or")
    ways.append(_Way(f"Rows matched by {by}", f"{_stem(question)}, rows matched by {by}", plan))
    return _answer(f"This can mean {either}.", ways, best, ways[0].plan, catalog)


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
        choices=tuple(Choice(way.label, way.question, lesson=way.lesson, figure=way.figure) for way in ways),
        read_as=ReadAs(chips),
        confidence=best.reading.score,
    )
