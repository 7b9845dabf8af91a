"""Figures of several tables side by side: "how many meetings and emails did each owner have", "total amount of deals
and number of tickets by company".

Joined, each row of one table would meet every row of the other, and rows without a partner would be lost; so each
figure is computed apart and put beside the others by the group they share.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from apps.analyst.computing.compile.walk import references
from apps.analyst.language.beside import known_only, of_group, side_by_side
from apps.analyst.language.building.aggregated import aggregated_query
from apps.analyst.language.building.built import Built, Unbuildable
from apps.analyst.language.building.dimensions import shown_columns
from apps.analyst.language.building.ordering import same_measure
from apps.analyst.language.building.restricting import restrict
from apps.analyst.language.concepts import plain_name
from apps.analyst.language.figures import default_aggregate, measure_output
from apps.analyst.language.parse.draft import Condition, Draft, Group, Measure, Sort, is_number
from apps.analyst.language.scan import Scan
from apps.analyst.language.tagging import ColumnHit
from apps.analyst.plan import ColumnRef, Compare, Expr, Order, Output, Query, ScalarQuery
from apps.analyst.telling.formats import capital, spoken

_AS_WELL = 0.4
"""So much less a column of the figure's own table may be called by the group's word than another table's."""


def figures_of_tables(draft: Draft) -> bool:
    """True where nothing but figures of two or more tables are asked for, of one group at most."""
    measures = _figures(draft)
    homes = [home for measure in measures if (home := _home(measure)) is not None]
    if len(homes) < len(measures) or len(set(homes)) < 2 or draft.having or draft.share or draft.axes:
        return False
    if len(draft.groups) + len(draft.select) > 1 or any(sort.per_group or sort.row for sort in draft.sorts):
        return False
    if any(is_number(draft.column(slot.best)) for slot in draft.select if slot.hits):
        return False
    return any(not _paired(draft, one, other) for one in homes for other in homes if one != other)


def _paired(draft: Draft, one: str, other: str) -> bool:
    """True where each row of one table meets one of the other, and the other way round: they are one table in two."""
    schema = draft.lexicon.schema
    return schema.path(one, other, one=True) is not None and schema.path(other, one, one=True) is not None


def _figures(draft: Draft) -> list[Measure]:
    """What is asked for, and before it what the rows are sorted by."""
    first = [measure for sort in draft.sorts if (measure := _sorted_by(draft, sort)) is not None]
    return [*(m for m in first if not any(same_measure(m, other) for other in draft.measures)), *draft.measures]


def _sorted_by(draft: Draft, sort: Sort) -> Measure | None:
    if sort.measure is not None or sort.slot is None or not sort.slot.hits:
        return sort.measure
    figure = draft.column(sort.slot.best).role == "measure" and is_number(draft.column(sort.slot.best))
    return Measure(default_aggregate(draft, sort.slot.best), sort.slot, item=sort.item, said=False) if figure else None


def _home(measure: Measure) -> str | None:
    """The table whose rows a figure is made of."""
    return measure.slot.best.table if measure.slot is not None and measure.slot.hits else measure.table


def figures_apart(draft: Draft) -> Built:
    """Each figure by itself, beside the others. Raises Unbuildable."""
    group = next(iter(draft.groups), None) or next((Group(slot=slot, item=slot.item) for slot in draft.select), None)
    measures = _figures(draft)
    if group is not None and group.slot is None and group.table is not None and group.grain is None:
        built = _of_things(draft, group.table, measures)
    else:
        built = _of_values(draft, group, measures)
    if group is None:
        return built
    query = _in_order(draft, built, measures)
    if draft.first_to_second is not None:
        left, right = (ColumnRef(table="", column=label) for label in built.measures)
        query = query.model_copy(update={"having": Compare(op=draft.first_to_second, left=left, right=right)})
    return replace(built, query=query)


def _in_order(draft: Draft, built: Built, measures: list[Measure]) -> Query:
    """Sorted as was asked, else in time or by the first figure."""
    order, limit, ties = built.query.order, None, False
    for sort in draft.sorts:
        by = _sorted_by(draft, sort)
        labels = [label for label, m in zip(built.measures, measures, strict=True) if by and same_measure(m, by)]
        if not labels and not sort.axis:
            raise Unbuildable
        label = labels[0] if labels else built.groups[0] if sort.axis == "x" else built.measures[0]
        order = (Order(by=label, descending=sort.descending),)
        limit, ties = sort.limit, sort.limit == 1
    return built.query.model_copy(update={"order": order, "limit": limit, "ties": ties})


def _of_things(draft: Draft, table: str, measures: list[Measure]) -> Built:
    """Of each thing of a table, also of those that have none."""
    schema = draft.lexicon.schema
    key = schema.key_column(table)
    if key is None or any(c.slot is not None and c.slot.best.table == table for c in draft.conditions):
        raise Unbuildable
    own = ColumnRef(table=table, column=key.name)
    figures, lost = [], 0
    for measure in measures:
        home = _home(measure) or ""
        scan = Scan(schema, home, joined={home})
        if home == table or not scan.reach(table):
            raise Unbuildable
        where, missed = restrict(_alone(draft, measure, None), scan)
        output = measure_output(draft, measure, home, multiplied=False)
        group = Output(label=key.name, expr=own)
        query = Query(source=home, joins=tuple(scan.joins), where=where, groups=(group,), measures=(output,))
        value = ScalarQuery(query=query, own=own)
        figures.append(Output(label=output.label, expr=of_group(output, value), unit=output.unit))
        lost += missed
    shown = [Output(label=ref.column, expr=ref) for ref in shown_columns(draft, table)]
    labels = [figure.label for figure in figures]
    order = (Order(by=labels[0], descending=True),)
    return _built(Query(source=table, groups=tuple(shown), measures=tuple(figures), order=order), shown, labels, lost)


def _of_values(draft: Draft, group: Group | None, measures: list[Measure]) -> Built:
    """Of each value of a column that all the tables have or reach; or of all rows."""
    parts = [aggregated_query(_alone(draft, measure, group)) for measure in measures]
    if any(len(part.query.groups) != (group is not None) or len(part.query.measures) != 1 for part in parts):
        raise Unbuildable
    queries = [part.query.model_copy(update={"limit": None}) for part in parts]
    if group is not None:
        if queries[0].where is None and _has_gaps(draft, queries[0].groups[0].expr):
            queries[0] = known_only(queries[0])
        counted = spoken(queries[0].measures[0].label).removeprefix("number of ").removeprefix("Number of ")
        draft.assumptions.append(f"Only those with {counted} are listed")
    query = side_by_side(queries)
    if query is None:
        raise Unbuildable
    labels = [part.query.measures[0].label for part in parts]
    return _built(query, list(query.groups), labels, sum(part.lost for part in parts))


def _has_gaps(draft: Draft, dimension: Expr) -> bool:
    columns = draft.lexicon.schema.columns
    return any(columns[ref.table, ref.column].column.missing for ref in references(dimension))


def _alone(draft: Draft, measure: Measure, group: Group | None) -> Draft:
    """The sketch with one of its figures: by the group's column of that figure's own table where it has one, and
    without the conditions that are said of the others."""
    home = _home(measure) or ""
    groups = []
    if group is not None and group.slot is not None:
        groups = [replace(group, slot=replace(group.slot, choice=_group_column(draft, group, home)))]
    elif group is not None:
        groups = [group]
    return replace(
        draft,
        measures=[measure],
        groups=groups,
        select=[],
        sorts=[],
        conditions=list(_conditions(draft, home)),
        entities=[entity for entity in draft.entities if entity[1] == home],
    )


def _group_column(draft: Draft, group: Group, home: str) -> ColumnHit:
    """The column that tells the groups apart for a figure of this table. Raises Unbuildable where none does."""
    assert group.slot is not None
    best = group.slot.best
    mine = [hit for hit in group.slot.hits if hit.table == home and hit.score >= best.score - _AS_WELL]
    if not mine and draft.lexicon.schema.path(home, best.table, one=True) is None:
        raise Unbuildable
    return mine[0] if mine else best


def _conditions(draft: Draft, home: str) -> Iterator[Condition]:
    """The conditions that hold for a figure: of a column that its own table has as well, by that one; not those on the
    rows of another figure."""
    others = {_home(measure) for measure in _figures(draft)} - {home}
    for condition in draft.conditions:
        slot = condition.slot
        if slot is None or not slot.hits:
            yield condition
            continue
        mine = [hit for hit in slot.hits if hit.table == home]
        if mine and slot.best.table != home:
            yield replace(condition, slot=replace(slot, choice=mine[0]))
        elif slot.best.table in others:
            told = f"{capital(spoken(plain_name(slot.best.column)))} is asked of {spoken(slot.best.table)} only"
            draft.assumptions += [told] if told not in draft.assumptions else []
        else:
            yield condition


def _built(query: Query, groups: list[Output], measures: list[str], lost: int) -> Built:
    shown = [group.label for group in groups]
    return Built(query, [*shown, *measures], shown, measures, lost)
