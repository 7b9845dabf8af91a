"""From a question to a checked answer: the story of the engine, told once.

Read the question, take the surest reading that the data bear out, compute it, draw it, word it. What cannot be read
surely is declined with what was understood and with questions that can be answered; no number is ever guessed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from apps.analyst.computing.compute import compute, evidenced
from apps.analyst.computing.warehouse.once import OnceWarehouse
from apps.analyst.conversation import memory
from apps.analyst.conversation.averaging import with_averages
from apps.analyst.conversation.clarifying import asked_back, taken_up
from apps.analyst.conversation.clarifying_dates import Dates, is_plain_count, open_dates
from apps.analyst.conversation.doubting import asked_instead, doubted, is_guessed
from apps.analyst.conversation.explaining_leaders import why_first
from apps.analyst.conversation.going_on import gone_on
from apps.analyst.conversation.nearest_statistics import statistic_instead
from apps.analyst.conversation.readas.answers import as_read
from apps.analyst.conversation.readas.asking import asked_before, asked_first, condition
from apps.analyst.conversation.readas.declining import asked_back_so, declined_so, with_understood
from apps.analyst.conversation.readas.own_words import in_own_words
from apps.analyst.conversation.replying import spoken_to
from apps.analyst.conversation.studied import is_read
from apps.analyst.conversation.talk import without_remarks
from apps.analyst.conversation.which_file import file_settled, over_meant, without_twins
from apps.analyst.errors import AnalystError, NoSuchData, PlanRejected, QueryFailed, Unclear
from apps.analyst.language import ANSWER_THRESHOLD, Reading
from apps.analyst.language.extent import wants_one
from apps.analyst.language.lengths import is_too_long
from apps.analyst.plan import Clarify, Plan
from apps.analyst.plan.validate import validate
from apps.analyst.ports import Catalog, Emit, Planner, Warehouse
from apps.analyst.reading import weighing
from apps.analyst.reading.keywords.known_figures import with_known_figures
from apps.analyst.reading.reader import Weighed
from apps.analyst.reading.rules.understanding import SAID_BEFORE, understood
from apps.analyst.tables.scoped import narrowed
from apps.analyst.telling.answers import SEVERAL, Found, clarified, declined, whole_ranking, with_file, worded
from apps.analyst.telling.evidence import tables_of
from apps.analyst.telling.exports import file_wish
from apps.analyst.telling.followups import follow_ups, suggest
from apps.analyst.telling.formats import listed
from apps.analyst.types import Answer, Choice, Question, Result, Step

NEAR = 0.05
"""Readings whose scores lie this close are both computed: different results are named, not hidden."""
_SETTLED = frozenset({"metrics", "editing", "memory", "clarifying"})
"""Readers whose figure is no choice among columns: it has a definition, or was chosen before."""
MOST_TRIED = 6
"""Readings that are tried before the question is declined."""
TOO_LONG = "That is too long for me to read as one question. Ask for one thing in a few sentences."
__all__ = ["answer", "suggest"]


def quiet(_: Step) -> None:
    """The emit of those who do not watch."""


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
    warehouse = OnceWarehouse(warehouse)

    def tell(label: str, detail: str = "", *, brief: bool = False) -> None:
        step = Step(label, detail, brief)
        steps.append(step)
        emit(step)

    catalog = narrowed(catalog, question.files)
    if not catalog.tables():
        return Answer(
            "declined", "There is no data to ask about yet. Upload a .csv or .xlsx file to start.", confidence=0.0
        )
    if planner is None and is_too_long(question.text, question.today):
        return Answer("declined", TOO_LONG, confidence=0.0)
    tell("Reading the question")
    said = spoken_to(question, catalog, warehouse) if planner is None else None
    if said is not None:
        return replace(said, steps=tuple(steps))
    if planner is None:
        question = with_known_figures(replace(question, text=without_remarks(question.text)), catalog)
    wish = file_wish(question.text, catalog) if planner is None else None
    if wish is not None:
        question = replace(question, text=wish.text)
    if question.proven and planner is None:
        tell(memory.STEP)
    proven = memory.recalled(question, catalog) if planner is None else None
    leading = why_first(question, catalog, warehouse) if planner is None else None
    read = [leading] if leading is not None else _readings(question, catalog, planner)
    readings: Sequence[Reading] = memory.with_proven(question, read, proven)
    own: Weighed | None = None
    ranked: list[Weighed] = []
    asks = onward and learned and planner is None

    def refused(made: Answer, reason: str = "") -> Answer:
        """A refusal that asks back, where people go on from it."""
        if not asks or made.plan is not None:
            return made
        statistic = statistic_instead(question, (), catalog, warehouse) if not reason else None
        return statistic or declined_so(made, question, ranked, catalog, warehouse, reason)

    goes_on = learned and planner is None and proven is None and leading is None
    on = gone_on(question, readings, catalog, warehouse, tell, wish, onward=onward) if goes_on else None
    if isinstance(on, Answer):
        return replace(on, steps=tuple(steps))
    if on is not None:
        readings = on.rules
    weighs = learned and planner is None and proven is None and not is_read(question, readings, catalog)
    if weighs and weighing.is_open(question, readings, catalog):
        readings = over_meant(question, readings, catalog, warehouse)
        if on is not None and readings is on.rules:
            ranked = on.ranked
        else:
            readings, ranked = weighing.weigh(question, catalog, warehouse, readings)
        ranked = in_own_words(question, with_averages(question, ranked, catalog, warehouse), catalog)
        own = weighing.of_rules(readings, ranked)
        likeliest = ranked[0].reading.score if ranked else 0.0
        if not weighing.stands(question.text, readings, own, catalog, likeliest):
            ranked, which = file_settled(question, ranked, catalog, warehouse)
            if which is not None and weighing.is_told(question.text, ranked[0].reading, catalog):
                return replace(which, steps=tuple(steps))
            made = weighing.told(question, ranked, readings, catalog, warehouse, tell, wish, onward=onward)
            before = asked_first(question, made, ranked, catalog, warehouse) if asks else None
            if before is not None:
                return replace(before, steps=tuple(steps))
            if made.status == "answered" and made.plan is not None:
                back = asked_instead(question, made.plan, made.confidence, catalog)
                made = back or weighing.with_origin(made, made.plan, catalog)
            if made.status == "clarify":
                asked = condition(question, ranked[0].reading, ranked, catalog) if asks else None
                made = asked_back_so(made, question, ranked, catalog, warehouse if asks else None, asked)
            reason = SEVERAL if SEVERAL in made.text else ""
            made = refused(made, reason) if made.status == "declined" else as_read(made, question, catalog, ranked)
            return replace(made, steps=tuple(steps))
    sure = [reading for reading in readings if reading.score >= ANSWER_THRESHOLD][:MOST_TRIED]
    if not sure:
        return replace(refused(declined(readings, catalog, onward=onward and not asks)), steps=tuple(steps))
    looked_at = listed(sorted(tables_of(sure[0].plan)) or ["your data"], most=3)
    tell(f"Looking at {looked_at}", "; ".join(sure[0].understood), brief=True)
    if isinstance(sure[0].plan, Clarify):
        return replace(clarified(sure[0], sure[0].plan), steps=tuple(steps))
    tell("Computing")
    found, problem = _first_that_holds(sure, catalog, warehouse) if own is None else (None, "")
    if own is not None:
        found = Found(sure[0], evidenced(own.computed, catalog, warehouse))
    if found is not None and learned and planner is None and weighing.is_of_words(found.reading, proven):
        first = own or Weighed(found.reading, found.computed)
        rest = [one for one in ranked if one is not own]
        (meant, *ranked), which = file_settled(question, [first, *rest], catalog, warehouse)
        if which is not None:
            return replace(which, steps=tuple(steps))
        same = meant.reading.plan == found.reading.plan
        told_so = replace(meant.reading, score=found.reading.score)
        computed = found.computed if same else evidenced(meant.computed, catalog, warehouse)
        found, own = Found(told_so, computed), meant if own is not None else None
        sure = [told_so, *(without_twins(told_so.plan, sure, catalog) if same else ())]
    if found is None:
        told = declined(readings, catalog, problem, onward=onward and not asks)
        return replace(refused(told, problem), steps=tuple(steps))
    if planner is None and len(found.computed.result.rows) > 1 and wants_one(question.text):
        told = declined(readings, catalog, SEVERAL, onward=onward and not asks)
        return replace(refused(told, SEVERAL), steps=tuple(steps))
    if asks and weighing.is_of_words(found.reading, proven):
        back = asked_before(question, Weighed(found.reading, found.computed), ranked, catalog, warehouse)
        if back is not None:
            return replace(back, steps=tuple(steps))
    by_date = _open_dates(question, found, catalog, warehouse) if planner is None else None
    back = _asked_back(question, found, by_date, catalog, warehouse) if planner is None else None
    if back is not None:
        return replace(with_understood(back, question, found.reading, catalog), steps=tuple(steps))
    choices = _other_reading(question, found, sure, catalog, warehouse) or (
        by_date.offered() if by_date is not None else ()
    )
    tell("Writing the answer", brief=True)
    made = weighing.with_origin(worded(question, found.reading, found.computed, catalog), found.reading.plan, catalog)
    made = replace(made, chart=whole_ranking(found, catalog, warehouse) or made.chart)
    made = doubted(made, found.reading, catalog, guessed=is_guessed(question, own, catalog))
    if found.reading is readings[0] or own is not None:
        made = replace(made, memory=proven, confidence=own.reading.score if own else made.confidence)
    if wish is not None:
        made = with_file(made, wish, wish.text or found.reading.wording, question.today)
    more = follow_ups(found.computed.plan, catalog, question.text) if onward else ()
    made = replace(made, choices=choices, follow_ups=more, steps=tuple(steps))
    return as_read(made, question, catalog, ranked, found.reading)


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


def _planned(question: Question, catalog: Catalog, planner: Planner) -> list[Reading]:
    """A planner's plan as a reading; what it cannot plan has none."""
    try:
        return [Reading(plan=planner.plan(question, catalog), score=1.0)]
    except (Unclear, NoSuchData):
        return []


def _first_that_holds(readings: Sequence[Reading], catalog: Catalog, warehouse: Warehouse) -> tuple[Found | None, str]:
    """The first reading that fits the catalog and can be computed, else why the surest could not."""
    problem = ""
    for reading in readings:
        if isinstance(reading.plan, Clarify):
            continue
        try:
            validate(reading.plan, catalog)
            return Found(reading, compute(reading.plan, catalog, warehouse)), ""
        except QueryFailed as error:
            if error.retryable:
                raise
            problem = problem or error.message
        except AnalystError as error:
            problem = problem or error.message
    return None, problem


def _other_reading(
    question: Question, found: Found, readings: Sequence[Reading], catalog: Catalog, warehouse: Warehouse
) -> tuple[Choice, ...]:
    """A near reading with another result, as something to click on; not one that only the question's own words say."""
    same = {"", *(text.strip().casefold() for text in (question.text, found.reading.wording))}
    for reading in readings:
        near = found.reading.score - reading.score <= NEAR
        other = reading.wording.strip().casefold() not in same
        if reading is found.reading or not near or not other or isinstance(reading.plan, Clarify):
            continue
        try:
            validate(reading.plan, catalog)
            computed = compute(reading.plan, catalog, warehouse)
        except (PlanRejected, QueryFailed, AnalystError):
            continue
        given = any(cell is not None for row in computed.result.rows for cell in row)
        if given and not same_figures(computed.result, found.computed.result):
            return (Choice(label=f"Or did you mean: {reading.wording}", question=reading.wording),)
    return ()


def _asked_back(
    question: Question, found: Found, by_date: Dates | None, catalog: Catalog, warehouse: Warehouse
) -> Answer | None:
    """The question back where a word, or none, could as well mean another column with other figures."""
    if found.reading.reader in _SETTLED:
        return None
    if found.reading.reader not in SAID_BEFORE:
        lost = asked_instead(question, found.reading.plan, found.reading.score, catalog)
        if lost is not None:
            return lost
    computed = found.computed.result
    back = asked_back(
        question, found.reading, computed, catalog, lambda plan: _result(plan, catalog, warehouse), same_figures
    )
    return back or (by_date.asked_back(found.reading.score) if by_date is not None else None)


def _open_dates(question: Question, found: Found, catalog: Catalog, warehouse: Warehouse) -> Dates | None:
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
