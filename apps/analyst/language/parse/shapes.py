"""What a chart-like request means for rows and figures: scatter of raw rows, counts in bins, a trend, counts of a
dimension.

"distribution of age" counts ages in bins; "price vs weight" lists both; "plot origin" counts rows of each origin.
"""

from __future__ import annotations

from dataclasses import replace

from apps.analyst.language.parse.draft import Condition, Draft, Group, Measure, Slot, is_number, is_time, is_year
from apps.analyst.language.reading import ChartWish
from apps.analyst.types import ChartType

_PARTLY = 0.6
FINE = 20
"""From so many distinct figures on, a numeric column is drawn in bins or as points rather than by value."""


def shape(draft: Draft) -> None:
    """Settles select, measures and groups of a chart-like request. Runs after the mentions are resolved."""
    trailing_aggregate(draft)
    _trend(draft)
    _own_moment(draft)
    _figure_of_each(draft)
    _named_by_column(draft)
    _phrase_columns(draft)
    coloured = any(item.tag("by") and item.norm.startswith(("color", "colour")) for item in draft.items)
    relation = _use(draft, "correlation", "versus") or (coloured and not draft.measures)
    _name_dimensions(draft)
    distribution = _use(draft, "distribution") or bool(draft.wish and draft.wish.x_bin) or "bin" in draft.axes
    scatter = draft.wish is not None and draft.wish.mark == "scatter"
    _drop_own_rows(draft)
    _coarse_figures(draft, relation, distribution)
    if not scatter:
        _counted_by_figure(draft, relation)
    figures = [slot for slot in draft.select if fine(draft, slot)]
    pair = (
        len(figures) + sum(g.slot is not None and bool(g.slot.hits) and fine(draft, g.slot) for g in draft.groups) == 2
    )
    if distribution and not scatter and not pair and _histogram(draft, figures):
        return
    if (relation or scatter or (distribution and pair)) and _pair(draft, figures):
        return
    if _by_figure(draft):
        return
    _versus_dimension(draft, relation)
    _single_dimension(draft, distribution)
    _compared_values(draft)
    _count_of_values(draft)


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


def trailing_aggregate(draft: Draft) -> None:
    """ "gross averaged by genre", "sales in total": an aggregate behind or apart from its figure."""
    for fn in ("sum", "avg", "median"):
        if "trailing_" + fn in draft.axes and not draft.measures:
            numeric = [slot for slot in draft.select if _figure(draft, slot)]
            if numeric:
                draft.select.remove(numeric[0])
                draft.measures.append(Measure(fn, numeric[0], item=numeric[0].item))
                return
            ranked = [s for s in draft.sorts if s.superlative and s.slot is not None and s.slot.hits]
            asked = draft.select or draft.entities
            if len(ranked) == 1 and asked and ranked[0].slot and is_number(draft.column(ranked[0].slot.best)):
                ranked[0].measure = Measure(fn, ranked[0].slot, item=ranked[0].item)
                ranked[0].slot = None


def _trend(draft: Draft) -> None:
    """ "over time", or a line without a time: the data's own time as the first dimension."""
    line = draft.wish is not None and draft.wish.mark == "line" and bool(draft.measures)
    timed = any(
        g.grain or g.part or (g.slot and g.slot.hits and is_time(draft.column(g.slot.best))) for g in draft.groups
    )
    drawn_line = draft.wish is not None and draft.wish.mark == "line"
    moments = [slot for slot in draft.select if is_time(draft.column(slot.best))]
    if drawn_line and moments and not draft.measures and not timed and len(draft.select) > 1:
        draft.select.remove(moments[0])
        draft.groups.insert(0, Group(moments[0], item=moments[0].item))
        timed = True
    timed = timed or bool(moments)
    if timed or not (draft.trend or line) or not any(is_time(named.column) for named in draft.lexicon.columns):
        return
    draft.groups.insert(0, Group(grain="auto", item=len(draft.items) - 1))
    _mark(draft, "line")


def _own_moment(draft: Draft) -> None:
    """A date named beside a grain is what the grain is of; a weekday wins over a day."""
    loose = [group for group in draft.groups if (group.grain or group.part) and group.slot is None]
    if any(group.part for group in draft.groups):
        draft.groups = [group for group in draft.groups if group.grain != "day" or group.part]
    moments = [slot for slot in draft.select if draft.column(slot.best).type in ("date", "datetime")]
    for group in loose:
        if moments:
            group.slot = moments[0]
            draft.select.remove(moments.pop(0))
    if "bin" in draft.axes or any(item.norm in ("bin", "bins", "binned", "binning") for item in draft.items):
        for group in draft.groups:
            if group.grain == "month" and group.slot is not None:
                group.grain, group.part = None, "month_name"


def _figure_of_each(draft: Draft) -> None:
    """ "customers and their total spending": a figure of each thing named before it."""
    if not draft.measures or draft.groups or not draft.entities:
        return
    first = min(measure.item for measure in draft.measures)
    counted = {measure.table for measure in draft.measures}
    for item, table, _ in sorted(draft.entities):
        between = {word for other in draft.items[item + 1 : first] for word in other.norm.split()}
        if item < first and table not in counted and between & {"their", "its", "his", "her"}:
            draft.groups.append(Group(table=table, item=item))
            return


def _named_by_column(draft: Draft) -> None:
    """ "for each room its name", "grouped by the owner's first name": the column says how the thing is shown."""
    shown = {slot.best.table for slot in draft.select if draft.column(slot.best).type == "text"}
    shown |= {
        g.slot.best.table
        for g in draft.groups
        if g.slot is not None and g.slot.hits and draft.column(g.slot.best).type == "text"
    }
    meant = any(axis.startswith("average_") for axis in draft.axes)
    if draft.measures and len(draft.groups) + len(draft.select) > 1 and not meant:
        draft.groups = [g for g in draft.groups if not _is_shown(draft, g, shown)]


def _is_shown(draft: Draft, group: Group, shown: set[str]) -> bool:
    """True for a thing whose name is a dimension already, be it in the table of people that it refers to."""
    schema = draft.lexicon.schema
    if group.slot is None:
        nameless = group.table is not None and not schema.name_columns(group.table)
        named = any(schema.path(group.table, table, one=True) for table in shown) if group.table and nameless else False
        return group.table in shown or named
    key = schema.key_column(group.slot.best.table) if group.slot.hits else None
    weak = key is not None and group.slot.best.score < _PARTLY and group.slot.best.column == key.name
    return weak and group.slot.best.table in shown


def _phrase_columns(draft: Draft) -> None:
    """ "average capacity among rooms": a thing's key behind a figure only says whose figure it is."""
    if not draft.measures:
        return
    for slot in list(draft.select):
        item = draft.items[slot.item] if slot.item >= 0 else None
        weak = slot.best.score < 0.9 or (draft.column(slot.best).role == "id" and slot.best.score < 1.0)
        if (
            item is not None
            and weak
            and draft.items[max(0, slot.item - 1)].norm
            in ("of", "of the", "among", "for", "in", "from", "all", "the", "of all")
        ) and (_names_rows(draft, slot) or draft.column(slot.best).role == "id" or draft.column(slot.best).unique):
            draft.select.remove(slot)
    if draft.groups and any(
        measure.fn == "count" and measure.table is None and measure.slot is None for measure in draft.measures
    ):
        draft.select = [slot for slot in draft.select if not _names_rows(draft, slot)]


def _coarse_figures(draft: Draft, relation: bool, distribution: bool) -> None:
    """ "number of cylinders" beside another figure is a dimension, not a total."""
    coarse = [
        m for m in draft.measures if not m.said and m.fn == "sum" and m.slot is not None and not fine(draft, m.slot)
    ]
    others = [m for m in draft.measures if m not in coarse]
    figures = [slot for slot in draft.select if _figure(draft, slot) and fine(draft, slot)]
    if distribution and not others and not figures and not draft.measures:
        for slot in [s for s in draft.select if _figure(draft, s) and not fine(draft, s)][:1]:
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


def _counted_by_figure(draft: Draft, relation: bool) -> None:
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
        _mark(draft, "bar", x_bin=True)


def _axes_said(draft: Draft) -> bool:
    return any("axis" in item.norm.split() for item in draft.items)


def _use(draft: Draft, *kinds: str) -> bool:
    found = False
    for index, item in enumerate(draft.items):
        if item.tag(*kinds) and (draft.free(index) or draft.roles.get(index) in ("chart", "group")):
            draft.use(index, role="chart")
            found = True
    return found


def _mark(draft: Draft, mark: ChartType, *, x_bin: bool = False) -> None:
    wish = draft.wish or ChartWish()
    draft.wish = replace(wish, mark=wish.mark or mark, x_bin=x_bin)


def _drop_own_rows(draft: Draft) -> None:
    """ "for each movie" over a table of movies: every row on its own, no dimension."""
    own = {slot.best.table for slot in draft.select} | {
        m.slot.best.table for m in draft.measures if m.slot and m.slot.hits
    }
    if not own and len(draft.lexicon.tables) == 1:
        own = {draft.lexicon.tables[0].table.name}
    for group in list(draft.groups):
        if (
            group.slot is None
            and group.table in own
            and (len(draft.groups) > 1 or (draft.select and not draft.measures))
        ):
            draft.groups.remove(group)
            if len(draft.select) == 1 and draft.wish is not None and draft.wish.mark in ("bar", "pie"):
                draft.entities.append((group.item, group.table, 1.0))  # "the weight of each crate": a bar a crate


def _name_dimensions(draft: Draft) -> None:
    """ "models by country": rows are counted, not listed by name; "names of every model" asks for names."""
    if (
        draft.groups
        and not draft.measures
        and draft.select
        and not draft.sorts
        and all(_names_rows(draft, slot) and not is_number(draft.column(slot.best)) for slot in draft.select)
        and not all(g.slot is None and g.table == draft.select[0].best.table for g in draft.groups)
    ):
        table = draft.select[0].best.table
        draft.select = []
        draft.measures.append(Measure("count", table=table, said=False))


def _histogram(draft: Draft, figures: list[Slot]) -> bool:
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
        _mark(draft, "scatter")
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
    draft.select = [other for other in others if not _names_rows(draft, other)]
    _mark(draft, "bar", x_bin=True)
    return True


def _width(draft: Draft) -> float | None:
    for index, item in enumerate(draft.items):
        if item.number is not None and draft.free(index) and item.number > 0:
            draft.use(index, role="group")
            return item.number
    return None


def _names_rows(draft: Draft, slot: Slot) -> bool:
    """True for columns that (nearly) tell rows apart."""
    column = draft.column(slot.best)
    rows = draft.lexicon.schema.tables[slot.best.table].table.rows
    return column.distinct > 0.7 * max(1, rows - column.missing) and rows > FINE


def _pair(draft: Draft, figures: list[Slot]) -> bool:
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
    colours = [slot for slot in draft.select if slot not in slots and not _names_rows(draft, slot)]
    colours += [g.slot for g in draft.groups if g.slot is not None and g.slot.hits and not _names_rows(draft, g.slot)]
    colours += [slot for c in draft.conditions if (slot := _side_by_side(c)) is not None]
    draft.select, draft.groups, draft.measures = [*slots[:2], *colours[:1]], [], []
    _mark(draft, "scatter")
    return True


def _by_figure(draft: Draft) -> bool:
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
        _mark(draft, "scatter")
        return True
    if not said and not figures:
        for group in fine_groups:
            group.bin = True
        if not draft.measures and draft.head is None:
            table = fine_groups[0].slot.best.table if fine_groups[0].slot else None
            draft.measures.append(Measure("count", table=table, said=False))
        _mark(draft, "bar", x_bin=True)
        return True
    return False


def _versus_dimension(draft: Draft, relation: bool) -> None:
    """ "average price vs region", "count against type": the other side is the dimension."""
    if not relation or draft.groups:
        return
    if draft.measures and draft.select:
        return
    figures = [
        slot for slot in draft.select if is_number(draft.column(slot.best)) and not is_time(draft.column(slot.best))
    ]
    dims = [slot for slot in draft.select if slot not in figures]
    coarse = [slot for slot in figures if not fine(draft, slot)]
    if len(figures) == 2 and len(coarse) == 1 and not dims and draft.wish is not None and draft.wish.mark == "bar":
        figures, dims = [slot for slot in figures if slot not in coarse], coarse  # bars of price against rooms
    if len(figures) == 1 and dims:
        draft.groups = [Group(slot, item=slot.item) for slot in dims]
        draft.select = figures


def _single_dimension(draft: Draft, distribution: bool) -> None:
    """ "plot origin", "distribution of genres": rows counted by value."""
    charted = distribution or (
        draft.wish is not None and (draft.wish.mark in (None, "bar", "pie", "doughnut") and draft.wish.explicit)
    )
    if not charted or draft.measures or draft.groups or (draft.sorts and any(sort.superlative for sort in draft.sorts)):
        return
    dims = [slot for slot in draft.select if not _figure(draft, slot)]
    figures = [slot for slot in draft.select if _figure(draft, slot)]
    if dims and not figures and len(dims) <= 2:
        draft.groups = [Group(slot, item=slot.item) for slot in dims]
        draft.select = []
        draft.measures = [Measure("count", table=dims[0].best.table, said=False)]
    elif (
        len(figures) == 1
        and not dims
        and fine(draft, figures[0])
        and not draft.entities
        and draft.wish
        and draft.wish.mark in ("bar", None)
    ):
        _histogram(draft, figures)
    elif len(figures) == 1 and not dims and distribution:
        draft.groups = [Group(figures[0], item=figures[0].item)]
        draft.select = []
        draft.measures = [Measure("count", table=figures[0].best.table, said=False)]


def _figure(draft: Draft, slot: Slot) -> bool:
    column = draft.column(slot.best)
    return is_number(column) and not is_year(column) and column.role == "measure"


def _compared_values(draft: Draft) -> None:
    """ "how many male and female members": values of one column set side by side are a dimension."""
    compared = any(item.norm in ("compare", "comparing", "comparison", "compares") for item in draft.items)
    compared = compared or _counted_side_by_side(draft)
    lines = bool(draft.groups) and all(_is_timed(draft, group) for group in draft.groups)
    if (
        (draft.groups and not lines)
        or draft.select
        or not draft.measures
        or not (compared or (draft.wish is not None and draft.wish.explicit))
    ):
        return
    for condition in draft.conditions:
        slot = _side_by_side(condition)
        if slot is not None and (condition.summed or not lines):
            draft.groups.append(Group(slot, item=slot.item))
            return


def _is_timed(draft: Draft, group: Group) -> bool:
    moment = group.slot is not None and bool(group.slot.hits) and is_time(draft.column(group.slot.best))
    return bool(moment or group.grain or group.part)


def _side_by_side(condition: Condition) -> Slot | None:
    """The column of several values that are wanted beside one another."""
    told = condition.kind == "value" and len(condition.values) > 1 and not condition.negated
    return condition.slot if told else None


def _counted_side_by_side(draft: Draft) -> bool:
    """ "how many male and female members": each is counted; "male or female" are counted together."""
    asked = (
        bool(draft.items)
        and draft.items[0].tag("count") is not None
        and len(draft.measures) == 1
        and draft.measures[0].fn == "count"
    )
    ends = [c.item for c in draft.conditions if c.kind == "value" and len(c.values) == 2 and not c.every]
    return asked and any(
        draft.items[end - 1].tag("and") and draft.items[end - 2].values and draft.items[end + 1].names
        for end in ends
        if 1 < end < len(draft.items) - 1
    )


def _count_of_values(draft: Draft) -> None:
    """ "a bar chart of the number of names of patients": the counted column is the dimension."""
    if draft.wish is None or not draft.wish.explicit or draft.groups or len(draft.measures) != 1:
        return
    measure = draft.measures[0]
    loose = measure.fn == "count" and measure.slot is None and measure.table is None
    if loose and len(draft.select) == 1 and not _figure(draft, draft.select[0]):
        measure.slot = draft.select.pop()
    if draft.select:
        return
    if measure.fn == "count" and measure.slot is not None and measure.slot.hits and not measure.distinct:
        slot = measure.slot
        table = slot.best.table
        met = [c for c in draft.conditions if c.kind == "exists" and not c.negated and c.table]
        far = [
            c.slot.best.table
            for c in draft.conditions
            if c.slot is not None
            and c.slot.hits
            and not c.negated
            and c.slot.best.table != table
            and draft.lexicon.schema.path(table, c.slot.best.table, one=True) is None
            and draft.lexicon.schema.path(c.slot.best.table, table, one=True)
        ]
        if met:
            table = met[0].table or table
            draft.conditions.remove(met[0])
        elif far:
            table = far[0]
        draft.groups = [Group(slot, item=slot.item)]
        draft.measures = [Measure("count", table=table, item=measure.item)]
