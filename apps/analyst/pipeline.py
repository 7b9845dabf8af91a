"""From a question to a checked answer: the story of the engine, told once.

Read the question, take the surest reading that the data bear out, compute it, draw it, word it. What cannot be read
surely is declined with what was understood and with questions that can be answered; no number is ever guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from apps.analyst import memory
from apps.analyst.charts import draw
from apps.analyst.charts.choice import SLICED
from apps.analyst.clarifying import asked_back, taken_up
from apps.analyst.clarifying_dates import Dates, is_plain_count, open_dates
from apps.analyst.compute import Computed, compute
from apps.analyst.errors import AnalystError, NoSuchData, PlanRejected, QueryFailed, Unclear
from apps.analyst.evidence import evidence_of, tables_of
from apps.analyst.exports import Wish, file_wish, file_words, result_file
from apps.analyst.followups import follow_ups, suggest
from apps.analyst.formats import listed
from apps.analyst.language import ANSWER_THRESHOLD, Reading
from apps.analyst.language.extent import wants_one
from apps.analyst.narrate import View, headed, headline, story
from apps.analyst.plan import Clarify, Option, Plan, Query
from apps.analyst.ports import Catalog, Emit, Planner, Warehouse
from apps.analyst.reading.judging import answer_from, ask_from, sure_from, trained
from apps.analyst.reading.reader import Weighed, weighed
from apps.analyst.scoped import narrowed
from apps.analyst.sentence import plan_sentence
from apps.analyst.types import Answer, Chart, Choice, Evidence, Question, Result, Step
from apps.analyst.understanding import understood
from apps.analyst.validate import validate

NEAR = 0.05
"""Readings whose scores lie this close are both computed: different results are named, not hidden."""
_SETTLED = frozenset({"metrics", "editing", "memory", "clarifying"})
"""Readers whose figure is no choice among columns: it has a definition, or was chosen before."""
SEVERAL = "You asked for one, and several rows fit what I understood."
MOST_BARS = 10
"""Things shown in a chart beside the first of an order."""
MOST_TRIED = 6
"""Readings that are tried before the question is declined."""
_SAID_BEFORE = frozenset({"editing", "memory", "clarifying", "about", "explaining", ""})
"""Readers whose reading follows from what was said or chosen before, not from this question's words alone."""
NEAR_SHARE = 0.4
"""How likely, against the likeliest, a reading is that is offered beside it."""
MOST_OFFERED = 3
CRM_EXPORTS = "hubspot_"
"""How files of the CRM's connector begin; nobody else may call a file so."""
HELD_WRONG = 0.12
"""A sure reading of the rules that the judge holds for less likely than this is not told."""
DOUBT = "I am not certain that this is what you asked. I read it as: {}"

__all__ = ["answer", "suggest", "worded"]


def quiet(_: Step) -> None:
    """The emit of those who do not watch."""


@dataclass(frozen=True, slots=True)
class _Found:
    reading: Reading
    computed: Computed


def answer(
    question: Question,
    *,
    catalog: Catalog,
    warehouse: Warehouse,
    emit: Emit = quiet,
    planner: Planner | None = None,
    onward: bool = True,
    learned: bool = True,
) -> Answer:
    """The answer to a question over a catalog. Raises only what `emit` raises, and AnalystErrors worth trying again.

    `onward` adds questions to go on with, which takes a moment the first time a catalog is seen. Without `learned`
    the rules of `language` read alone, by their own scores: for checks of those rules.
    """
    steps: list[Step] = []

    def tell(label: str, detail: str = "", *, brief: bool = False) -> None:
        step = Step(label, detail, brief)
        steps.append(step)
        emit(step)

    catalog = narrowed(catalog, question.files)
    if not catalog.tables():
        return Answer("declined", "There is no data to ask about yet. Upload a .csv or .xlsx file to start.")
    tell("Reading the question")
    wish = file_wish(question.text, catalog) if planner is None else None
    if wish is not None:
        question = replace(question, text=wish.text)
    if question.proven and planner is None:
        tell(memory.STEP)
    proven = memory.recalled(question, catalog) if planner is None else None
    readings = memory.with_proven(question, _readings(question, catalog, planner), proven)
    chance: float | None = None
    if learned and planner is None and proven is None and _open(readings, catalog):
        ranked = weighed(question, catalog, warehouse, readings)
        chance = _chance(readings, ranked)
        if not _stands(readings, chance):
            made = _weighed(question, ranked, readings, catalog, warehouse, tell, wish, onward=onward)
            return replace(made, steps=tuple(steps))
    sure = [reading for reading in readings if reading.score >= ANSWER_THRESHOLD][:MOST_TRIED]
    if not sure:
        return replace(_declined(readings, catalog, onward=onward), steps=tuple(steps))
    looked_at = listed(sorted(tables_of(sure[0].plan)) or ["your data"], most=3)
    tell(f"Looking at {looked_at}", "; ".join(sure[0].understood), brief=True)
    if isinstance(sure[0].plan, Clarify):
        return replace(_clarify(sure[0], sure[0].plan), steps=tuple(steps))
    tell("Computing")
    found, problem = _first_that_holds(sure, catalog, warehouse)
    if found is None:
        return replace(_declined(readings, catalog, problem, onward=onward), steps=tuple(steps))
    if planner is None and len(found.computed.result.rows) > 1 and wants_one(question.text):
        return replace(_declined(readings, catalog, SEVERAL, onward=onward), steps=tuple(steps))
    by_date = _open_dates(question, found, catalog, warehouse) if planner is None else None
    back = _asked_back(question, found, by_date, catalog, warehouse) if planner is None else None
    if back is not None:
        return replace(back, steps=tuple(steps))
    choices = _other_reading(found, sure, catalog, warehouse) or (by_date.offered() if by_date is not None else ())
    tell("Writing the answer", brief=True)
    made = worded(question, found.reading, found.computed, catalog)
    made = replace(made, chart=_whole_ranking(found, catalog, warehouse) or made.chart)
    if found.reading is readings[0]:
        made = replace(made, memory=proven, confidence=made.confidence if chance is None else chance)
    if wish is not None:
        made = _with_file(made, wish, wish.text or found.reading.wording)
    more = follow_ups(found.computed.plan, catalog, question.text) if onward else ()
    return replace(made, choices=choices, follow_ups=more, steps=tuple(steps))


def _open(readings: Sequence[Reading], catalog: Catalog) -> bool:
    """Whether a question is still to be read from its words: not said by a turn, a keyword or a definition before,
    and not about tables alone whose columns and words the rules know: the product's examples and the CRM's exports."""
    if not trained():
        return False
    first = readings[0] if readings else None
    if first is None:
        return True
    if first.reader in _SAID_BEFORE or first.definitions or isinstance(first.plan, Clarify):
        return False
    if first.reader == "statistics" or (first.chart is not None and first.chart.explicit):
        return False  # what the learned reader was not made for
    known = {table.name for table in catalog.tables() if table.example or table.file_name.startswith(CRM_EXPORTS)}
    used = tables_of(first.plan)
    return not (used and used <= known and first.score >= ANSWER_THRESHOLD)


def _chance(readings: Sequence[Reading], ranked: Sequence[Weighed]) -> float | None:
    """How likely the judge holds the rules' first reading; None where it could not be computed."""
    if not readings:
        return None
    return next((w.reading.score for w in ranked if w.reading.plan == readings[0].plan), None)


def _stands(readings: Sequence[Reading], chance: float | None) -> bool:
    """Whether the rules' own sure reading is told as it is: the judge does not hold it for wrong."""
    sure = bool(readings) and readings[0].score >= ANSWER_THRESHOLD
    return sure and (chance is None or chance >= HELD_WRONG)


def _weighed(
    question: Question,
    ranked: Sequence[Weighed],
    readings: Sequence[Reading],
    catalog: Catalog,
    warehouse: Warehouse,
    tell: Callable[..., None],
    wish: Wish | None,
    *,
    onward: bool,
) -> Answer:
    """The answer to a question that several readers propose readings of: the likeliest one where it is likely
    enough, else a question back about those that come close, else an honest refusal."""
    tell("Computing")
    best = ranked[0] if ranked else None
    if best is None or best.reading.score < ask_from():
        return _declined([w.reading for w in ranked] or readings, catalog, onward=onward)
    if best.reading.score < answer_from():
        return _offered(ranked)
    if len(best.computed.result.rows) > 1 and wants_one(question.text):
        return _declined([best.reading], catalog, SEVERAL, onward=onward)
    found = _Found(best.reading, best.computed)
    looked_at = listed(sorted(tables_of(best.reading.plan)) or ["your data"], most=3)
    tell(f"Looking at {looked_at}", "; ".join(best.reading.understood), brief=True)
    tell("Writing the answer", brief=True)
    made = worded(question, best.reading, best.computed, catalog)
    made = replace(made, chart=_whole_ranking(found, catalog, warehouse) or made.chart)
    if best.reading.score < sure_from():
        made = replace(made, text=f"{made.text}\n\n{DOUBT.format(plan_sentence(best.computed.plan))}")
    if wish is not None:
        made = _with_file(made, wish, wish.text or found.reading.wording)
    more = follow_ups(found.computed.plan, catalog, question.text) if onward else ()
    return replace(made, follow_ups=more)


def _offered(ranked: Sequence[Weighed]) -> Answer:
    """A question back: the readings that come close, each in words, to choose from."""
    near = [w for w in ranked if w.reading.score >= NEAR_SHARE * ranked[0].reading.score][:MOST_OFFERED]
    options = tuple(
        Option(label=sentence, question=sentence, plan=w.reading.plan)
        for w in near
        if (sentence := plan_sentence(w.reading.plan).rstrip("."))
    )
    text = (
        "I am not sure that I read this rightly. Did you mean this?"
        if len(near) == 1
        else "I can read this in more than one way. Which did you mean?"
    )
    choices = tuple(Choice(option.label, option.label) for option in options)
    return Answer(
        "clarify",
        text,
        plan=Clarify(question=text, options=options),
        choices=choices,
        confidence=ranked[0].reading.score,
    )


def _readings(question: Question, catalog: Catalog, planner: Planner | None) -> list[Reading]:
    if planner is not None:
        return _planned(question, catalog, planner)
    before = question.turns[-1] if question.turns else None
    chosen = taken_up(question)
    if chosen is not None:
        return [chosen]
    if not question.text and before is not None and before.plan is not None:
        # Nothing but a file was asked for: the answer before it is meant.
        return [Reading(plan=before.plan, score=1.0, wording=before.question)]
    return understood(question, catalog)


def _whole_ranking(found: _Found, catalog: Catalog, warehouse: Warehouse) -> Chart | None:
    """The first of an order among those behind it, as a chart; one bar or slice alone would show nothing. A pie that
    was asked for shows all of them or the first alone: its slices are shares."""
    plan, wish = found.computed.plan, found.reading.chart
    single = isinstance(plan, Query) and plan.limit == 1 and not plan.offset and not plan.limit_per
    sliced = wish is not None and wish.mark in SLICED
    asked_so = wish is not None and wish.explicit and not sliced
    if not single or asked_so or len(found.computed.result.rows) != 1:
        return None
    assert isinstance(plan, Query)
    if len(plan.groups) != 1 or len(plan.measures) != 1:
        return None
    try:
        most = plan.model_copy(update={"limit": MOST_BARS + sliced, "ties": False})
        ranking = compute(most, catalog, warehouse)
    except AnalystError:
        return None
    if sliced and len(ranking.result.rows) > MOST_BARS:
        return None
    return draw(View(ranking, catalog), wish)


def _with_file(made: Answer, wish: Wish, asked: str) -> Answer:
    """The answer with its table as the file that was asked for."""
    file = result_file(wish.kind, made, asked)
    if file is None or made.result is None:
        return made
    return replace(made, text=f"{made.text} {file_words(file, made.result)}", files=(*made.files, file))


def _planned(question: Question, catalog: Catalog, planner: Planner) -> list[Reading]:
    """A planner's plan as a reading; what it cannot plan has none."""
    try:
        return [Reading(plan=planner.plan(question, catalog), score=1.0)]
    except (Unclear, NoSuchData):
        return []


def _first_that_holds(readings: Sequence[Reading], catalog: Catalog, warehouse: Warehouse) -> tuple[_Found | None, str]:
    """The first reading that fits the catalog and can be computed, else why the surest could not."""
    problem = ""
    for reading in readings:
        if isinstance(reading.plan, Clarify):
            continue
        try:
            validate(reading.plan, catalog)
            return _Found(reading, compute(reading.plan, catalog, warehouse)), ""
        except QueryFailed as error:
            if error.retryable:
                raise
            problem = problem or error.message
        except AnalystError as error:
            problem = problem or error.message
    return None, problem


def _other_reading(
    found: _Found, readings: Sequence[Reading], catalog: Catalog, warehouse: Warehouse
) -> tuple[Choice, ...]:
    """A near reading with another result, as something to click on."""
    for reading in readings:
        near = found.reading.score - reading.score <= NEAR
        other = reading.wording.strip().casefold() not in ("", found.reading.wording.strip().casefold())
        if reading is found.reading or not near or not other or isinstance(reading.plan, Clarify):
            continue
        try:
            validate(reading.plan, catalog)
            computed = compute(reading.plan, catalog, warehouse)
        except (PlanRejected, QueryFailed, AnalystError):
            continue
        if not same_figures(computed.result, found.computed.result):
            return (Choice(label=f"Or did you mean: {reading.wording}", question=reading.wording),)
    return ()


def _asked_back(
    question: Question, found: _Found, by_date: Dates | None, catalog: Catalog, warehouse: Warehouse
) -> Answer | None:
    """The question back where a word, or none, could as well mean another column with other figures."""
    if found.reading.reader in _SETTLED:
        return None
    computed = found.computed.result
    back = asked_back(
        question, found.reading, computed, catalog, lambda plan: _result(plan, catalog, warehouse), same_figures
    )
    return back or (by_date.asked_back(found.reading.score) if by_date is not None else None)


def _open_dates(question: Question, found: _Found, catalog: Catalog, warehouse: Warehouse) -> Dates | None:
    """By which other dates the question may go. A figure with a definition, or chosen before, has its date."""
    if found.reading.reader in _SETTLED and not is_plain_count(found.reading.plan):
        return None
    return open_dates(
        question,
        found.reading.plan,
        found.computed.result,
        catalog,
        lambda plan: _result(plan, catalog, warehouse),
        same_figures,
    )


def _result(plan: Plan, catalog: Catalog, warehouse: Warehouse) -> Result | None:
    """What a plan gives; None where it does not hold."""
    try:
        validate(plan, catalog)
        return compute(plan, catalog, warehouse).result
    except AnalystError:
        return None


def same_figures(one: Result, other: Result) -> bool:
    """True where two results say the same, whatever their columns are called and however rows are ordered."""
    return sorted(map(_row_key, one.rows)) == sorted(map(_row_key, other.rows))


def _row_key(row: Sequence[object]) -> tuple[str, ...]:
    return tuple(sorted(f"{float(v):.9g}" if isinstance(v, int | float) else str(v) for v in row))


def worded(question: Question, reading: Reading, computed: Computed, catalog: Catalog) -> Answer:
    """A computed reading as an answer: text, table, chart and evidence."""
    view = View(computed, catalog)
    shown = headed(view)
    heads = {old.name: new.name for old, new in zip(view.columns, shown.columns, strict=True)}
    return Answer(
        status="answered",
        text=story(view, question.style),
        plan=reading.plan,
        result=shown,
        headline=headline(view),
        chart=draw(view, reading.chart),
        evidence=_told(evidence_of(computed, catalog), reading),
        assumptions=reading.assumptions,
        confidence=reading.score,
        asked=tuple(heads.get(label, label) for label in reading.asked),
    )


def _told(evidence: Evidence, reading: Reading) -> Evidence:
    """The evidence with the keywords that the question was read by."""
    definitions, notes = (*reading.definitions, *evidence.definitions), (*reading.notes, *evidence.notes)
    return replace(evidence, definitions=definitions, notes=notes)


def _clarify(reading: Reading, plan: Clarify) -> Answer:
    choices = tuple(Choice(option.label, option.question) for option in plan.options)
    if not plan.options:
        return Answer("declined", plan.question, plan=plan, confidence=reading.score)
    return Answer("clarify", plan.question, plan=plan, choices=choices, confidence=reading.score)


def _declined(readings: Sequence[Reading], catalog: Catalog, problem: str = "", *, onward: bool) -> Answer:
    """An honest refusal: what was understood, what was not, and what can be asked instead."""
    best = readings[0] if readings else None
    told = ["I could not answer this surely, so I give no number."]
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
