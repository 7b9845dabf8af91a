"""A computed reading as an answer, and what is said where there is none: refusals with what was understood, and
questions back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TypeGuard

from apps.analyst.computing.compute import Computed, compute
from apps.analyst.errors import AnalystError
from apps.analyst.language import Reading
from apps.analyst.language.reading import ChartWish
from apps.analyst.plan import Clarify, Plan, Query
from apps.analyst.ports import Catalog, Warehouse
from apps.analyst.tables.scoped import narrowed
from apps.analyst.telling.charts import draw, why_not
from apps.analyst.telling.charts.slices import NO_PARTS, SLICED, has_no_parts
from apps.analyst.telling.evidence import evidence_of, tables_of
from apps.analyst.telling.exports import Wish, file_words, result_file
from apps.analyst.telling.followups import suggest
from apps.analyst.telling.formats import listed
from apps.analyst.telling.narrate import View, headed, headline, story
from apps.analyst.types import Answer, Chart, Choice, Evidence, Question

SEVERAL = "You asked for one, and several rows fit what I understood."
MOST_BARS = 10
"""Things shown in a chart beside the first of an order."""


@dataclass(frozen=True, slots=True)
class Found:
    """A reading with what it gives."""

    reading: Reading
    computed: Computed


def worded(question: Question, reading: Reading, computed: Computed, catalog: Catalog) -> Answer:
    """A computed reading as an answer: text, table, chart and evidence."""
    view = View(computed, catalog)
    shown = headed(view)
    chart = draw(view, reading.chart)
    heads = {old.name: new.name for old, new in zip(view.columns, shown.columns, strict=True)}
    return Answer(
        status="answered",
        text=_with_reason(story(view, question.style), view, reading.chart),
        plan=reading.plan,
        result=shown,
        headline=headline(view),
        chart=chart,
        evidence=_told(evidence_of(computed, catalog), reading),
        assumptions=reading.assumptions,
        confidence=reading.score,
        asked=tuple(heads.get(label, label) for label in reading.asked),
    )


def _with_reason(text: str, view: View, wish: ChartWish | None) -> str:
    """The text, and why there are no slices where they were asked for. The first of an order is drawn among those
    behind it (see whole_ranking)."""
    reason = why_not(view, wish)
    if reason and _is_first(view.plan, len(view.rows)):
        reason = NO_PARTS if has_no_parts(view, view.figures[0]) else ""
    return f"{text} {reason}" if reason else text


def _is_first(plan: Plan, rows: int) -> TypeGuard[Query]:
    """True for the first of an order alone, by one figure."""
    if not isinstance(plan, Query) or plan.limit != 1 or plan.offset or plan.limit_per or rows != 1:
        return False
    return len(plan.groups) == 1 and len(plan.measures) == 1


def _told(evidence: Evidence, reading: Reading) -> Evidence:
    """The evidence with the keywords that the question was read by."""
    definitions, notes = (*reading.definitions, *evidence.definitions), (*reading.notes, *evidence.notes)
    return replace(evidence, definitions=definitions, notes=notes)


def whole_ranking(found: Found, catalog: Catalog, warehouse: Warehouse) -> Chart | None:
    """The first of an order among those behind it, as a chart; one bar or slice alone would show nothing. A pie that
    was asked for shows all of them, for its slices are shares, and of many the first ones are bars."""
    plan, wish = found.computed.plan, found.reading.chart
    sliced = wish is not None and wish.mark in SLICED
    asked_so = wish is not None and wish.explicit and not sliced
    if not _is_first(plan, len(found.computed.result.rows)) or asked_so:
        return None
    try:
        most = plan.model_copy(update={"limit": MOST_BARS + sliced, "ties": False})
        ranking = compute(most, catalog, warehouse)
    except AnalystError:
        return None
    if sliced and len(ranking.result.rows) > MOST_BARS:
        return _first_bars(ranking, catalog)
    return draw(View(ranking, catalog), wish)


def _first_bars(ranking: Computed, catalog: Catalog) -> Chart | None:
    result = replace(ranking.result, rows=ranking.result.rows[:MOST_BARS])
    return draw(View(replace(ranking, result=result), catalog))


def with_file(made: Answer, wish: Wish, asked: str, today: date) -> Answer:
    """The answer with its table as the file that was asked for."""
    file = result_file(wish.kind, made, asked, today)
    if file is None or made.result is None:
        return made
    return replace(made, text=f"{made.text} {file_words(file, made.result)}", files=(*made.files, file))


def clarified(reading: Reading, plan: Clarify) -> Answer:
    choices = tuple(Choice(option.label, option.question) for option in plan.options)
    if not plan.options:
        return Answer("declined", plan.question, plan=plan, confidence=reading.score)
    return Answer("clarify", plan.question, plan=plan, choices=choices, confidence=reading.score)


def declined(readings: Sequence[Reading], catalog: Catalog, problem: str = "", *, onward: bool) -> Answer:
    """An honest refusal: what was understood, what was not, and what can be asked instead."""
    best = readings[0] if readings else None
    told = ["I could not answer this with confidence, so I give no number."]
    if best is not None and best.understood:
        told.append(f"I understood {listed(list(best.understood), most=6)}.")
    if best is not None and best.unused:
        told.append(f"I found nothing in your data for {listed([f'“{word}”' for word in best.unused], 'or', most=5)}.")
    if problem:
        told.append(problem)
    names = tables_of(best.plan) if best is not None else frozenset()
    offered = _offers(catalog, names) if onward else []
    if offered:
        told.append("Questions I can answer:")
    choices = tuple(Choice(text, text) for text in offered)
    return Answer("declined", " ".join(told), choices=choices, confidence=best.score if best is not None else 0.0)


def _offers(catalog: Catalog, names: frozenset[str]) -> list[str]:
    """Three questions about the tables that were understood, else about any."""
    if names:
        about = narrowed(catalog, None, tables=names)
        found = suggest(about, 3)
        if found:
            return found
    return suggest(catalog, 3)
