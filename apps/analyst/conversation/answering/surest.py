"""What is told of the rules' surest reading: of what was said or chosen before, of figures with a definition, and of
what the product itself words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from apps.analyst.computing.compute import compute, computed_of, evidenced
from apps.analyst.conversation.answering.case import Case, Heard
from apps.analyst.conversation.clarifying import asked_back
from apps.analyst.conversation.clarifying_dates import Dates, is_plain_count, open_dates
from apps.analyst.conversation.doubting import asked_instead, doubted, is_guessed
from apps.analyst.conversation.readas.answers import as_read
from apps.analyst.conversation.readas.asking import asked_before
from apps.analyst.conversation.readas.declining import with_understood
from apps.analyst.conversation.which_file import file_settled, without_twins
from apps.analyst.errors import AnalystError, QueryFailed
from apps.analyst.language import ANSWER_THRESHOLD, Reading
from apps.analyst.plan import Clarify, Plan
from apps.analyst.plan.validate import validate
from apps.analyst.reading import weighing
from apps.analyst.reading.choices import has_too_many
from apps.analyst.reading.reader import Weighed
from apps.analyst.reading.rules.understanding import SAID_BEFORE
from apps.analyst.telling.answers import SEVERAL, Found, clarified, whole_ranking, with_file, worded
from apps.analyst.telling.evidence import tables_of
from apps.analyst.telling.followups import follow_ups
from apps.analyst.telling.formats import listed
from apps.analyst.telling.glance import figure_of
from apps.analyst.types import Answer, Choice, Result

NEAR = 0.05
"""Readings whose scores lie this close are both computed: different results are named, not hidden."""
MOST_TRIED = 6
"""Readings that are tried before the question is declined."""
_SETTLED = frozenset({"metrics", "editing", "memory", "clarifying"})
"""Readers whose figure is no choice among columns: it has a definition, or was chosen before."""


@dataclass(frozen=True)
class Taken:
    """The reading that is told, with what it gives; `own` is the same as it was weighed. `sure` and `ranked` are the
    others, by the rules' scores and by their probabilities."""

    found: Found
    own: Weighed | None
    sure: Sequence[Reading]
    ranked: list[Weighed]


def told_surest(case: Case, heard: Heard, own: Weighed | None) -> Answer:
    """The answer by the first of the rules' readings that holds; `own` is the first one as it was weighed."""
    sure = [reading for reading in heard.readings if reading.score >= ANSWER_THRESHOLD][:MOST_TRIED]
    if not sure:
        return case.refused(heard.readings, heard.ranked)
    looked_at = listed(sorted(tables_of(sure[0].plan)) or ["your data"], most=3)
    case.tell(f"Looking at {looked_at}", "; ".join(sure[0].understood), brief=True)
    if isinstance(sure[0].plan, Clarify):
        return clarified(sure[0], sure[0].plan)
    case.tell("Computing")
    found, problem = _computed(case, sure, own)
    if found is None:
        return case.refused(heard.readings, heard.ranked, problem)
    taken: Taken | Answer = Taken(found, own, sure, list(heard.ranked))
    if case.learned and case.planner is None and weighing.is_of_words(found.reading, heard.proven):
        taken = _over_the_file_meant(case, Taken(found, own, sure, list(heard.ranked)))
    if isinstance(taken, Answer):
        return taken
    by_date = _open_dates(case, taken.found) if case.planner is None else None
    back = _asked(case, heard, taken, by_date) if case.planner is None else None
    return back if back is not None else _written(case, heard, taken, by_date)


def _computed(case: Case, sure: Sequence[Reading], own: Weighed | None) -> tuple[Found | None, str]:
    """The first reading that fits the catalog and can be computed, else why the surest could not."""
    if own is not None:
        return Found(sure[0], evidenced(own.computed, case.catalog, case.warehouse)), ""
    problem = ""
    for reading in sure:
        if isinstance(reading.plan, Clarify):
            continue
        try:
            validate(reading.plan, case.catalog)
            return Found(reading, compute(reading.plan, case.catalog, case.warehouse)), ""
        except QueryFailed as error:
            if error.retryable:
                raise
            problem = problem or error.message
        except AnalystError as error:
            problem = problem or error.message
    return None, problem


def _over_the_file_meant(case: Case, taken: Taken) -> Taken | Answer:
    """The reading over the file that is meant, or the question which one that is."""
    found, own = taken.found, taken.own
    first = own or Weighed(found.reading, found.computed)
    rest = [one for one in taken.ranked if one is not own]
    (meant, *ranked), which = file_settled(case.question, [first, *rest], case.catalog, case.warehouse)
    if which is not None:
        return which
    same = meant.reading.plan == found.reading.plan
    reading = replace(meant.reading, score=found.reading.score)
    computed = found.computed if same else evidenced(meant.computed, case.catalog, case.warehouse)
    sure = [reading, *(without_twins(reading.plan, taken.sure, case.catalog) if same else ())]
    return Taken(Found(reading, computed), meant if own is not None else None, sure, ranked)


def _asked(case: Case, heard: Heard, taken: Taken, by_date: Dates | None) -> Answer | None:
    """What is asked, or refused, before the reading is told: several rows where one was asked for, a word that found no
    place, or one that could as well mean another column with other figures."""
    question, catalog, found = case.question, case.catalog, taken.found
    if has_too_many(question.text, found.reading.plan, found.computed.result):
        return case.refused(heard.readings, taken.ranked, SEVERAL)
    if case.asks and weighing.is_of_words(found.reading, heard.proven):
        one = Weighed(found.reading, found.computed)
        back = asked_before(question, one, taken.ranked, catalog, case.warehouse)
        if back is not None:
            return back
    back = _open_word(case, found, by_date)
    return with_understood(_with_figures(back, case), question, found.reading, catalog) if back is not None else None


def _with_figures(made: Answer, case: Case) -> Answer:
    """A question back with what each of its readings comes to; they were computed before they were put."""
    options = made.plan.options if isinstance(made.plan, Clarify) else ()
    if len(options) != len(made.choices):
        return made
    found = [computed_of(option.plan, case.catalog, case.warehouse) for option in options]
    figures = [figure_of(computed, case.catalog) if computed is not None else "" for computed in found]
    choices = (replace(choice, figure=figure) for choice, figure in zip(made.choices, figures, strict=True))
    return replace(made, choices=tuple(choices))


def _written(case: Case, heard: Heard, taken: Taken, by_date: Dates | None) -> Answer:
    """The answer in words, with its chart, its doubts and what to go on with."""
    question, catalog, found, own = case.question, case.catalog, taken.found, taken.own
    choices = _other_reading(case, found, taken.sure) or (by_date.offered() if by_date is not None else ())
    case.tell("Writing the answer", brief=True)
    made = weighing.with_origin(worded(question, found.reading, found.computed, catalog), found.reading.plan, catalog)
    made = replace(made, chart=whole_ranking(found, catalog, case.warehouse) or made.chart)
    made = doubted(made, found.reading, catalog, guessed=is_guessed(question, own, catalog))
    if found.reading is heard.readings[0] or own is not None:
        made = replace(made, memory=heard.proven, confidence=own.reading.score if own else made.confidence)
    if case.wish is not None:
        made = with_file(made, case.wish, case.wish.text or found.reading.wording, question.today)
    more = follow_ups(found.computed.plan, catalog, question.text) if case.onward else ()
    made = replace(made, choices=choices, follow_ups=more)
    return as_read(made, question, catalog, taken.ranked, found.reading)


def _other_reading(case: Case, found: Found, readings: Sequence[Reading]) -> tuple[Choice, ...]:
    """A near reading with another result, as something to click on; not one that only the question's own words say."""
    same = {"", *(text.strip().casefold() for text in (case.question.text, found.reading.wording))}
    for reading in readings:
        near = found.reading.score - reading.score <= NEAR
        other = reading.wording.strip().casefold() not in same
        if reading is found.reading or not near or not other or isinstance(reading.plan, Clarify):
            continue
        result = _result(case, reading.plan)
        given = result is not None and any(cell is not None for row in result.rows for cell in row)
        if result is not None and given and not same_figures(result, found.computed.result):
            return (Choice(label=f"Or did you mean: {reading.wording}", question=reading.wording),)
    return ()


def _open_word(case: Case, found: Found, by_date: Dates | None) -> Answer | None:
    """The question back where a word, or none, could as well mean another column with other figures."""
    question, catalog, reading = case.question, case.catalog, found.reading
    if reading.reader in _SETTLED:
        return None
    if reading.reader not in SAID_BEFORE:
        lost = asked_instead(question, reading.plan, reading.score, catalog)
        if lost is not None:
            return lost
    result = found.computed.result
    back = asked_back(question, reading, result, catalog, lambda plan: _result(case, plan), same_figures)
    return back or (by_date.asked_back(reading.score) if by_date is not None else None)


def _open_dates(case: Case, found: Found) -> Dates | None:
    """By which other dates the question may go. A figure with a definition, or chosen before, has its date."""
    plan = found.reading.plan
    if found.reading.reader in _SETTLED and not is_plain_count(plan):
        return None
    result = found.computed.result
    return open_dates(case.question, plan, result, case.catalog, lambda other: _result(case, other), same_figures)


def _result(case: Case, plan: Plan) -> Result | None:
    """What a plan gives; None where it does not hold."""
    try:
        validate(plan, case.catalog)
        return compute(plan, case.catalog, case.warehouse).result
    except AnalystError:
        return None


def same_figures(one: Result, other: Result) -> bool:
    """True where two results say the same, whatever their columns are called and however rows are ordered."""
    return sorted(map(_row_key, one.rows)) == sorted(map(_row_key, other.rows))


def _row_key(row: Sequence[object]) -> tuple[str, ...]:
    return tuple(sorted(f"{float(v):.9g}" if isinstance(v, int | float) else str(v) for v in row))
