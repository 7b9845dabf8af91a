"""Figures of a single row that is named: "the number of laps Ann had", "what percentage of voters under 30 voted in
1970". They stand in its cell and are not counted."""

from __future__ import annotations

from apps.analyst.language.parse.draft import Draft, Measure, Slot, holds_figures, is_number
from apps.analyst.language.tagging import ColumnHit

_NAMED = 0.95
_HUNDRED = 100


def read_cells(draft: Draft) -> None:
    """Takes the cell of the named row where a count or a share of its rows could only be one, or all of it."""
    if len(draft.lexicon.tables) > 1 or draft.groups or draft.having or draft.sorts or not _names_one_row(draft):
        return
    if draft.share and not draft.measures:
        _share_in_cell(draft)
    elif len(draft.measures) == 1:
        _count_in_cell(draft, draft.measures[0])


def _names_one_row(draft: Draft) -> bool:
    """True where a condition holds for one row at most."""
    return any(
        condition.kind == "value"
        and condition.slot is not None
        and not condition.negated
        and len(condition.values) == 1
        and draft.column(condition.slot.best).unique
        for condition in draft.conditions
    )


def _count_in_cell(draft: Draft, measure: Measure) -> None:
    if measure.fn != "count" or measure.slot is None or not measure.slot.hits or measure.distinct:
        return
    hit = measure.slot.best
    if hit.score >= _NAMED and _is_figure(draft, hit) and not draft.column(hit).unique:
        draft.measures, draft.select = [], [Slot(measure.slot.item, (hit,))]


def _share_in_cell(draft: Draft) -> None:
    """A column of percentages that is named: its cell is the share already."""
    slots = [slot for slot in draft.select if slot.best.score >= _NAMED and _is_percentage(draft, slot.best)]
    if len(slots) == 1:
        draft.share, draft.share_at, draft.select = False, None, slots


def _is_figure(draft: Draft, hit: ColumnHit) -> bool:
    return is_number(draft.column(hit)) or holds_figures(draft.column(hit))


def _is_percentage(draft: Draft, hit: ColumnHit) -> bool:
    column = draft.column(hit)
    low, high = column.minimum, column.maximum
    inside = isinstance(low, int | float) and isinstance(high, int | float) and low >= 0 and 1 < high <= _HUNDRED
    return is_number(column) and (column.unit == "%" or inside)
