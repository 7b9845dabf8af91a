"""Rows of several tables counted side by side: "how many meetings and emails did each owner have".

Joined, each row of one table would meet every row of the other; so each count is computed apart and put beside the
others by the group they share.
"""

from __future__ import annotations

from dataclasses import replace

from apps.analyst.formats import spoken
from apps.analyst.language.building.aggregated import aggregated_query
from apps.analyst.language.building.built import Built, Unbuildable
from apps.analyst.language.building.dimensions import shown_columns
from apps.analyst.language.building.restricting import restrict
from apps.analyst.language.figures import measure_output
from apps.analyst.language.parse.draft import Draft, Group, Measure
from apps.analyst.language.scan import Scan
from apps.analyst.plan import Aggregate, Call, ColumnRef, Constant, Expr, Missing, Order, Output, Query, ScalarQuery


def counts_of_tables(draft: Draft) -> bool:
    """True where nothing but the rows of two or more tables are counted, of one group at most."""
    counted = [measure.table for measure in draft.measures if measure.fn == "count" and measure.slot is None]
    plain = len(counted) == len(draft.measures) > 1 and None not in counted and len(set(counted)) == len(counted)
    return plain and len(draft.groups) <= 1 and not (draft.having or draft.select or draft.sorts or draft.share)


def counted_apart(draft: Draft) -> Built:
    """Each count by itself, beside the others. Raises Unbuildable."""
    group = draft.groups[0] if draft.groups else None
    if group is not None and group.slot is None and group.table is not None and group.grain is None:
        return _of_things(draft, group.table)
    return _of_values(draft, group)


def _of_things(draft: Draft, table: str) -> Built:
    """Of each thing of a table, also of those that have none."""
    schema = draft.lexicon.schema
    key = schema.key_column(table)
    if key is None or any(c.slot is not None and c.slot.best.table == table for c in draft.conditions):
        raise Unbuildable
    own = ColumnRef(table=table, column=key.name)
    counts, lost = [], 0
    for measure in draft.measures:
        home = measure.table or ""
        scan = Scan(schema, home, joined={home})
        if home == table or not scan.reach(table):
            raise Unbuildable
        where, missed = restrict(draft, scan)
        output = measure_output(draft, measure, home, multiplied=False)
        group = Output(label=key.name, expr=own)
        query = Query(source=home, joins=tuple(scan.joins), where=where, groups=(group,), measures=(output,))
        counts.append(Output(label=output.label, expr=_or_nought(ScalarQuery(query=query, own=own))))
        lost += missed
    shown = [Output(label=ref.column, expr=ref) for ref in shown_columns(draft, table)]
    labels = [count.label for count in counts]
    order = (Order(by=labels[0], descending=True),)
    query = Query(source=table, groups=tuple(shown), measures=tuple(counts), order=order)
    return _built(query, [output.label for output in shown], labels, lost)


def _of_values(draft: Draft, group: Group | None) -> Built:
    """Of each value of a column that all the tables have or reach; or of all rows."""
    parts = [aggregated_query(_alone(draft, measure, group)) for measure in draft.measures]
    first, others = parts[0], parts[1:]
    if any(len(part.query.groups) != (group is not None) or len(part.query.measures) != 1 for part in parts):
        raise Unbuildable
    source, shown = first.query.model_copy(update={"order": (), "limit": None}), []
    own: Expr | None = None
    if group is not None:
        label, dimension = first.query.groups[0].label, first.query.groups[0].expr
        own, shown = ColumnRef(table="", column=label), [label]
        if first.query.where is None:
            source = source.model_copy(update={"where": Missing(of=dimension, negated=True)})
        counted = spoken(first.measures[0]).removeprefix("number of ").removeprefix("Number of ")
        draft.assumptions.append(f"Only those with {counted} are listed")
    groups = tuple(Output(label=name, expr=ColumnRef(table="", column=name)) for name in shown)
    label = first.measures[0]
    figure: Expr = ColumnRef(table="", column=label)
    counts = [Output(label=label, expr=Aggregate(fn="sum", of=figure) if group is not None else figure)]
    for part in others:
        value = ScalarQuery(query=part.query.model_copy(update={"order": (), "limit": None}), own=own)
        counts.append(Output(label=part.measures[0], expr=_or_nought(value) if group is not None else value))
    labels = [count.label for count in counts]
    if group is None:
        query = Query(source=source, columns=tuple(counts))
    else:
        order = (Order(by=labels[0], descending=True),)
        query = Query(source=source, groups=groups, measures=tuple(counts), order=order)
    return _built(query, shown, labels, sum(part.lost for part in parts))


def _alone(draft: Draft, measure: Measure, group: Group | None) -> Draft:
    """The sketch with one of its counts, by the group's column of that count's own table where it has one."""
    groups = []
    if group is not None and group.slot is not None:
        mine = tuple(hit for hit in group.slot.hits if hit.table == measure.table)
        chosen = mine[0] if mine else group.slot.best
        groups = [replace(group, slot=replace(group.slot, choice=chosen))]
    elif group is not None:
        groups = [group]
    entities = [entity for entity in draft.entities if entity[1] == measure.table]
    return replace(draft, measures=[measure], groups=groups, entities=entities)


def _or_nought(value: ScalarQuery) -> Expr:
    """The one figure that each group has, or nought."""
    return Call(name="coalesce", args=(Aggregate(fn="max", of=value), Constant(value=0, type="number")))


def _built(query: Query, groups: list[str], measures: list[str], lost: int) -> Built:
    return Built(query, [*groups, *measures], groups, measures, lost)
