"""What "last quarter" means on data that ended long ago: relative times then count from the data's last day.

Data are old for a phrase where nothing in them is as late as the period it names, and their last day is more than a
month back; an upload of yesterday is never old.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta

from apps.analyst.language.parse.draft import Draft
from apps.analyst.language.periods import PeriodMention, find_periods
from apps.analyst.language.tagging import Tagged
from apps.analyst.plan.spans import span_words
from apps.analyst.telling.formats import day as day_words
from apps.analyst.types import Column

OLD = timedelta(days=31)


def anchor_periods(draft: Draft) -> None:
    """Moves the relative periods of a sketch to the end of old data, and says so."""
    for condition in draft.conditions:
        mention = condition.period
        if mention is None or not mention.relative or condition.slot is None or not condition.slot.hits:
            continue
        end = data_end(draft.column(condition.slot.best))
        if end is None or not is_old(mention, end, draft.question.today):
            continue
        moved = moved_to(draft.tagged, mention, end)
        if moved is not None:
            condition.period = moved
            said = told(moved, end)
            draft.assumptions += [said] if said not in draft.assumptions else []


def data_end(column: Column) -> date | None:
    """The last day that a date column holds."""
    newest = column.maximum
    return newest.date() if isinstance(newest, datetime) else newest if isinstance(newest, date) else None


def data_start(column: Column) -> date | None:
    """The first day that a date column holds."""
    oldest = column.minimum
    return oldest.date() if isinstance(oldest, datetime) else oldest if isinstance(oldest, date) else None


def is_old(mention: PeriodMention, end: date, today: date) -> bool:
    """True where the data have nothing as late as the period and ended more than a month before today."""
    begins = mention.low or mention.high
    return begins is not None and end < begins and today - end > OLD


def moved_to(tagged: Tagged, mention: PeriodMention, end: date) -> PeriodMention | None:
    """The same words, said on the data's last day."""
    same = [m for m in find_periods(tagged.tokens, end) if (m.start, m.end) == (mention.start, mention.end)]
    return same[0] if same else None


def told(mention: PeriodMention, end: date) -> str:
    """The assumption in words."""
    if mention.low is None or mention.high is None:
        return f"Your data end on {day_words(end)}, so “{mention.label}” counts from then"
    span = span_words(mention.low, mention.high - timedelta(days=1)).removeprefix("in ")
    return f"Your data end on {day_words(end)}, so “{mention.label}” is {span}"
