"""Figures with many values, which are drawn in bins or as points: "distribution of age", "price vs weight"."""

from __future__ import annotations

from dataclasses import replace

from apps.analyst.language.parse.draft import Condition, Draft, Group, Measure, Slot, is_number, is_time, is_year
from apps.analyst.language.reading import ChartWish
from apps.analyst.types import ChartType

FINE = 20
"""From so many distinct figures on, a numeric column is drawn in bins or as points rather than by value."""


def fine(draft: Draft, slot: Slot) -> bool:
    """True for numeric columns with many values that are no times or ids."""
    column = draft.column(slot.best)
    rows = draft.lexicon.schema.tables[slot.best.table].table.rows
    return (
        is_number(column)
        and not is_time(column)
        and column.role != "id"
        and (column.distinct > FINE or (rows <= 3 * FINE and column.distinct > 0.6 * rows))
    )


def is_figure(draft: Draft, slot: Slot) -> bool:
    """True for columns that measure something, however few their values are."""
    column = draft.column(slot.best)
    return is_number(column) and not is_year(column) and column.role == "measure"


def names_rows(draft: Draft, slot: Slot) -> bool:
    """True for columns that (nearly) tell rows apart."""
    column = draft.column(slot.best)
    rows = draft.lexicon.schema.tables[slot.best.table].table.rows
    return column.distinct > 0.7 * max(1, rows - column.missing) and rows > FINE


def mark_as(draft: Draft, mark: ChartType, *, x_bin: bool = False) -> None:
    """Wishes for a kind of chart where none was said."""
    wish = draft.wish or ChartWish()
    draft.wish = replace(wish, mark=wish.mark or mark, x_bin=x_bin)


def coarse_figures(draft: Draft, relation: bool, distribution: bool) -> None:
    """ "number of cylinders" beside another figure is a dimension, not a total."""
    coarse = [
        m for m in draft.measures if not m.said and m.fn == "sum" and m.slot is not None and not fine(draft, m.slot)
    ]
    others = [m for m in draft.measures if m not in coarse]
    figures = [slot for slot in draft.select if is_figure(draft, slot) and fine(draft, slot)]
    if distribution and not others and not figures and not draft.measures:
        for slot in [s for s in draft.select if is_figure(draft, s) and not fine(draft, s)][:1]:
            draft.select.remove(slot)
            draft.groups.insert(0, Group(slot, item=slot.item))
            draft.measures.append(Measure("count", table=slot.best.table, said=False))
    for measure in coarse:
        if others or ((relation or distribution or draft.groups) and (figures or distribution)):
            draft.measures.remove(measure)
            draft.groups.insert(0, Group(measure.slot, item=measure.item))
            if distribution and not others and not figures:
                draft.measures.append(
                    Measure("count", table=measure.slot.best.table if measure.slot else None, said=False)
                )
    for measure in [
        m for m in draft.measures if not m.said and m.slot is not None and len(draft.measures) == 1 and draft.groups
    ]:
        table = [g for g in draft.groups if g.slot is not None and g.slot.hits and fine(draft, g.slot)]
        if table and relation:
            draft.measures.remove(measure)
            draft.select.append(measure.slot)  # type: ignore[arg-type]


def counted_by_figure(draft: Draft, relation: bool) -> None:
    """ "weight on the x axis and count on the y axis", "count vs weight": rows counted in bins of the figure."""
    if draft.groups or len(draft.measures) != 1 or draft.measures[0].fn != "count" or draft.measures[0].distinct:
        return
    measure = draft.measures[0]
    if relation and measure.slot is not None and measure.slot.hits and fine(draft, measure.slot):
        draft.select.append(measure.slot)
        measure.slot = None
    figures = [slot for slot in draft.select if fine(draft, slot)]
    if len(figures) == 1 and len(draft.select) == 1 and (relation or _axes_said(draft) or draft.wish is not None):
        draft.select = []
        draft.groups = [Group(figures[0], bin=True, bin_width=_width(draft), item=figures[0].item)]
        measure.table, measure.slot = measure.table or figures[0].best.table, None
        mark_as(draft, "bar", x_bin=True)


def _axes_said(draft: Draft) -> bool:
    return any("axis" in item.norm.split() for item in draft.items)


def histogram(draft: Draft, figures: list[Slot]) -> bool:
    """Counts of a figure in bins."""
    others = [slot for slot in draft.select if slot not in figures]
    grouped = [
        group for group in draft.groups if group.slot is not None and group.slot.hits and fine(draft, group.slot)
    ]
    if any(m.said and m.fn != "count" for m in draft.measures):
        return False
    if len(figures) + len(grouped) == 2 and not draft.measures:
        slots = [*figures, *(group.slot for group in grouped if group.slot)]
        draft.groups = [group for group in draft.groups if group not in grouped]
        draft.select = slots
        mark_as(draft, "scatter")
        return True
    counted_by = [group for group in draft.groups if group not in grouped and group.slot is not None]
    if counted_by and any(m.said and m.fn == "count" for m in draft.measures):
        figures = [slot for slot in figures if slot.best.score >= 0.9]
    slot = next(iter(figures or [group.slot for group in grouped if group.slot is not None]), None)
    counted = next((m.slot for m in draft.measures if not m.said and m.slot is not None and fine(draft, m.slot)), None)
    slot = slot or counted
    if slot is None:
        return False
    width = grouped[0].bin_width if grouped else _width(draft)
    draft.measures = [Measure("count", table=slot.best.table, said=False)]
    draft.groups = [
        Group(slot, bin=True, bin_width=width, item=slot.item),
        *(g for g in draft.groups if g not in grouped),
    ]
    draft.select = [other for other in others if not names_rows(draft, other)]
    mark_as(draft, "bar", x_bin=True)
    return True


def _width(draft: Draft) -> float | None:
    for index, item in enumerate(draft.items):
        if item.number is not None and draft.free(index) and item.number > 0:
            draft.use(index, role="group")
            return item.number
    return None


def pair_of(draft: Draft, figures: list[Slot]) -> bool:
    """Two figures against one another: their raw rows, coloured by a dimension if one is named."""
    slots = list(figures)
    for measure in [m for m in draft.measures if not m.said and m.slot is not None and fine(draft, m.slot)]:
        slots.append(measure.slot)  # type: ignore[arg-type]
        draft.measures.remove(measure)
    for group in [g for g in draft.groups if g.slot is not None and g.slot.hits and fine(draft, g.slot)]:
        slots.append(group.slot)  # type: ignore[arg-type]
        draft.groups.remove(group)
    if len(slots) < 2:
        numeric = [slot for slot in draft.select if is_number(draft.column(slot.best)) and slot not in slots]
        if draft.wish is None or draft.wish.mark != "scatter" or len(slots) + len(numeric) < 2 or draft.measures:
            draft.select = [*draft.select, *(slot for slot in slots if slot not in draft.select)]
            return False
        slots += numeric
    if any(measure.said for measure in draft.measures):
        return False
    slots.sort(key=lambda slot: slot.item)
    # "Ratings on A and B": the figure that is said once for both is no third one.
    once = list({(slot.best.table, slot.best.column): slot for slot in slots}.values())
    slots = once if len(once) > 1 else slots
    colours = [slot for slot in draft.select if slot not in slots and not names_rows(draft, slot)]
    colours += [g.slot for g in draft.groups if g.slot is not None and g.slot.hits and not names_rows(draft, g.slot)]
    colours += [slot for c in draft.conditions if (slot := side_by_side(c)) is not None]
    draft.select, draft.groups, draft.measures = [*slots[:2], *colours[:1]], [], []
    mark_as(draft, "scatter")
    return True


def by_figure(draft: Draft) -> bool:
    """ "rating by price": two figures without an aggregate are rows, a count by a figure is a histogram."""
    fine_groups = [g for g in draft.groups if g.slot is not None and g.slot.hits and fine(draft, g.slot) and not g.bin]
    if not fine_groups:
        return False
    said = [m for m in draft.measures if m.said and m.fn != "count"]
    figures = [slot for slot in draft.select if fine(draft, slot)]
    if figures and not said and not any(m.fn == "count" for m in draft.measures):
        group = fine_groups[0]
        colours = [g.slot for g in draft.groups if g is not group and g.slot is not None and g.slot.hits]
        draft.select = [figures[0], group.slot, *colours[:1]]  # type: ignore[list-item]
        draft.groups, draft.measures = [], []
        mark_as(draft, "scatter")
        return True
    if not said and not figures:
        for group in fine_groups:
            group.bin = True
        if not draft.measures and draft.head is None:
            table = fine_groups[0].slot.best.table if fine_groups[0].slot else None
            draft.measures.append(Measure("count", table=table, said=False))
        mark_as(draft, "bar", x_bin=True)
        return True
    return False


def side_by_side(condition: Condition) -> Slot | None:
    """The column of several values that are wanted beside one another."""
    told = condition.kind == "value" and len(condition.values) > 1 and not condition.negated
    return condition.slot if told else None
