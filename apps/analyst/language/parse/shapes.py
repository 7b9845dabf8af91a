"""What a chart-like request means for rows and figures: scatter of raw rows, counts in bins (`fine_figures`), a trend,
counts of a dimension.

"distribution of age" counts ages in bins; "price vs weight" lists both; "plot origin" counts rows of each origin.
"""

from __future__ import annotations

from apps.analyst.language.parse.compared_values import compared_values, count_of_values
from apps.analyst.language.parse.draft import Draft, Group, Measure, is_number, is_time
from apps.analyst.language.parse.fine_figures import (
    by_figure,
    coarse_figures,
    counted_by_figure,
    fine,
    histogram,
    is_figure,
    mark_as,
    names_rows,
    pair_of,
)

_PARTLY = 0.6


def shape(draft: Draft) -> None:
    """Settles select, measures and groups of a chart-like request. Runs after the mentions are resolved."""
    _trailing_aggregate(draft)
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
    coarse_figures(draft, relation, distribution)
    if not scatter:
        counted_by_figure(draft, relation)
    figures = [slot for slot in draft.select if fine(draft, slot)]
    pair = (
        len(figures) + sum(g.slot is not None and bool(g.slot.hits) and fine(draft, g.slot) for g in draft.groups) == 2
    )
    if distribution and not scatter and not pair and histogram(draft, figures):
        return
    if (relation or scatter or (distribution and pair)) and pair_of(draft, figures):
        return
    if by_figure(draft):
        return
    _versus_dimension(draft, relation)
    _single_dimension(draft, distribution)
    compared_values(draft)
    count_of_values(draft)


def _trailing_aggregate(draft: Draft) -> None:
    """ "gross averaged by genre", "sales in total": an aggregate behind or apart from its figure."""
    for fn in ("sum", "avg", "median"):
        if "trailing_" + fn in draft.axes and not draft.measures:
            numeric = [slot for slot in draft.select if is_figure(draft, slot)]
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
    mark_as(draft, "line")


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
        ) and (names_rows(draft, slot) or draft.column(slot.best).role == "id" or draft.column(slot.best).unique):
            draft.select.remove(slot)
    if draft.groups and any(
        measure.fn == "count" and measure.table is None and measure.slot is None for measure in draft.measures
    ):
        draft.select = [slot for slot in draft.select if not names_rows(draft, slot)]


def _use(draft: Draft, *kinds: str) -> bool:
    found = False
    for index, item in enumerate(draft.items):
        if item.tag(*kinds) and (draft.free(index) or draft.roles.get(index) in ("chart", "group")):
            draft.use(index, role="chart")
            found = True
    return found


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
            if len(draft.select) == 1 and draft.wish is not None and draft.wish.mark in ("bar", "pie", "doughnut"):
                draft.entities.append((group.item, group.table, 1.0))  # "the weight of each crate": a bar a crate


def _name_dimensions(draft: Draft) -> None:
    """ "models by country": rows are counted, not listed by name; "names of every model" asks for names."""
    if (
        draft.groups
        and not draft.measures
        and draft.select
        and not draft.sorts
        and all(names_rows(draft, slot) and not is_number(draft.column(slot.best)) for slot in draft.select)
        and not all(g.slot is None and g.table == draft.select[0].best.table for g in draft.groups)
    ):
        table = draft.select[0].best.table
        draft.select = []
        draft.measures.append(Measure("count", table=table, said=False))


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
    dims = [slot for slot in draft.select if not is_figure(draft, slot)]
    figures = [slot for slot in draft.select if is_figure(draft, slot)]
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
        histogram(draft, figures)
    elif len(figures) == 1 and not dims and distribution:
        draft.groups = [Group(figures[0], item=figures[0].item)]
        draft.select = []
        draft.measures = [Measure("count", table=figures[0].best.table, said=False)]
