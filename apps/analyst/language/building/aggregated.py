"""Queries that group and measure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from apps.analyst.language.building.built import Built, Unbuildable, scan_over
from apps.analyst.language.building.dimensions import group_outputs
from apps.analyst.language.building.ordering import orders_of, same_measure
from apps.analyst.language.building.restricting import restrict
from apps.analyst.language.building.settling import head_table
from apps.analyst.language.concepts import plain_name
from apps.analyst.language.figures import (
    measure_output,
)
from apps.analyst.language.parse.draft import Draft, Group, Measure
from apps.analyst.language.predicates import number, restrictions
from apps.analyst.plan import (
    Aggregate,
    AllOf,
    Arithmetic,
    Between,
    ColumnRef,
    Compare,
    Conditional,
    Constant,
    Missing,
    Output,
    Part,
    Period,
    Predicate,
    Query,
    Window,
)
from apps.analyst.plan.conditions import together
from apps.analyst.telling.formats import capital, counted_by, plural, spoken

_AS_SHARE = re.compile(r"\bas (?:an?|the) (?:share|percentage|percent|proportion|%) of\b|\bas % of\b", re.IGNORECASE)


def counted_groups(draft: Draft) -> Built:
    """ "how many owners have more than two dogs": the things that fulfil a condition on a figure, counted."""
    counted = draft.measures[0]
    if (counted.slot is None and counted.table is None) or any(having.measure is counted for having in draft.having):
        return aggregated_query(draft)
    draft.groups = [Group(slot=counted.slot, table=counted.table, item=counted.item)]
    draft.measures = []
    inner = aggregated_query(draft)
    tables = draft.lexicon.schema.tables
    slot = counted.slot
    if counted.table or slot is None or not slot.hits:
        noun = plural(" ".join(tables[counted.table].name.needed)) if counted.table else " ".join(inner.groups[:1])
    else:
        noun = counted_by(plain_name(slot.best.column), slot.best.table)
    label = f"Number of {noun}"
    query = Query(
        source=inner.query.model_copy(update={"order": ()}),
        measures=(Output(label=label, expr=Aggregate(fn="count")),),
        noun=noun,
    )
    return Built(query, [label], [], [label], inner.lost, inner.multiplied)


def aggregated_query(draft: Draft) -> Built:
    dims = list(draft.groups) + [Group(slot=slot, item=slot.item) for slot in draft.select]
    measures = list(draft.measures)
    if (draft.having or any(s.measure for s in draft.sorts)) and not dims:
        head = _asked_entity(draft)
        if head is not None:
            dims.append(Group(table=head, item=0))
    for having in draft.having:
        if having.measure not in measures:
            measures.append(having.measure)
    for sort in draft.sorts:
        if sort.measure is not None and not any(same_measure(sort.measure, m) for m in measures):
            measures.append(sort.measure)
    if not measures:
        measures.append(Measure("count", table=head_table(draft), said=False))
    needed, preferred = needed_tables(draft, dims, measures)
    if not needed:
        raise Unbuildable
    scan = scan_over(draft, needed, preferred)
    where, lost = restrict(draft, scan)
    if not dims and any(sort.row and sort.limit for sort in draft.sorts):
        raise Unbuildable  # the figure of all rows is not that of the last one
    groups = group_outputs(draft, dims, scan)
    dated = [*_dated(draft, groups), *_known(draft, groups)]
    where = together([*_parts(where), *dated]) if dated else where
    if _by_itself(groups, measures) or any(isinstance(g.expr, Arithmetic | Conditional) for g in groups):
        raise Unbuildable
    outputs = [
        measure_output(draft, measure, scan.base, multiplied=scan.multiplied or measure.table not in (None, scan.base))
        for measure in measures
    ]
    outputs, relabelled = _unique(outputs, groups)
    if draft.share and _is_share_of_other(draft, outputs):
        outputs, measures = [_share_of_other(outputs)], measures[:1]
        relabelled = [outputs[0].label]
    elif draft.share and outputs:
        outputs = _shares(draft, outputs, groups)
    having_predicate = _having(draft, measures, relabelled)
    order, limit, offset, ties = orders_of(draft, groups, outputs, measures, scan)
    query = Query(
        source=scan.base,
        joins=tuple(scan.joins),
        where=where,
        groups=tuple(groups),
        measures=tuple(outputs),
        having=having_predicate,
        order=tuple(order),
        limit=limit,
        offset=offset,
        ties=ties,
    )
    said = [output.label for output, measure in zip(outputs, measures, strict=False) if measure in draft.measures]
    said += [output.label for output in outputs if output.label not in said and _is_selected(draft, output)]
    asked = [group.label for group in groups] + said
    if draft.having or any(sort.superlative for sort in draft.sorts):
        asked = (
            [group.label for group in groups] + said
            if draft.groups and not draft.select
            else [g.label for g in groups] + said
        )
    return Built(query, asked, [g.label for g in groups], [o.label for o in outputs], lost, scan.multiplied)


def _is_selected(draft: Draft, output: Output) -> bool:
    """ "the five most ordered dishes along with their quantities": the figure of the ranking is asked for as well."""
    if not draft.sorts or not isinstance(output.expr, Aggregate) or not isinstance(output.expr.of, ColumnRef):
        return False
    shown = [
        item.columns[0] for index, item in enumerate(draft.items) if draft.roles.get(index) == "select" and item.columns
    ]
    return any((hit.table, hit.column) == (output.expr.of.table, output.expr.of.column) for hit in shown)


def _by_itself(groups: list[Output], measures: list[Measure]) -> bool:
    """True where a figure would be added up for each of its own values: something else was meant."""
    summed = {(m.slot.best.table, m.slot.best.column) for m in measures if m.fn == "sum" and m.slot and m.slot.hits}
    return any(isinstance(g.expr, ColumnRef) and (g.expr.table, g.expr.column) in summed for g in groups)


def _asked_entity(draft: Draft) -> str | None:
    """The table asked for beside the one that is counted."""
    counted = {having.measure.table for having in draft.having} | {
        sort.measure.table for sort in draft.sorts if sort.measure
    }
    others = [table for _, table, _ in sorted(draft.entities) if table not in counted]
    return others[0] if others else None


def needed_tables(draft: Draft, dims: list[Group], measures: list[Measure]) -> tuple[list[str], list[str]]:
    tables: list[str] = []
    preferred: list[str] = []
    for measure in measures:
        table = measure.slot.best.table if measure.slot and measure.slot.hits else measure.table
        if table:
            tables.append(table)
            preferred.append(table)
        if measure.slot and measure.slot.hits:
            concept = draft.lexicon.concepts.get((measure.slot.best.table, measure.slot.best.column))
            tables += concept.tables if concept is not None else ()
    for dim in dims:
        if dim.slot is not None and dim.slot.hits:
            tables.append(dim.slot.best.table)
        elif dim.table:
            tables.append(dim.table)
    if not preferred:
        head = head_table(draft)
        if head is not None and not tables:
            tables.append(head)
    if not tables:
        tables = [restriction.table for restriction in restrictions(draft)][:1]
    if not tables and len(draft.lexicon.tables) == 1:
        tables = [draft.lexicon.tables[0].table.name]
    return list(dict.fromkeys(tables)), list(dict.fromkeys(preferred))


def _unique(outputs: list[Output], groups: list[Output]) -> tuple[list[Output], list[str]]:
    taken = {group.label for group in groups}
    made: list[Output] = []
    for output in outputs:
        label, number_ = output.label, 2
        while label in taken:
            label, number_ = f"{output.label} {number_}", number_ + 1
        taken.add(label)
        made.append(output.model_copy(update={"label": label}))
    return made, [output.label for output in made]


def _shares(draft: Draft, outputs: list[Output], groups: list[Output]) -> list[Output]:
    if not groups:
        return outputs
    first = outputs[0]
    share = Output(
        label=f"Share of {first.label[0].lower() + first.label[1:]}", expr=Window(fn="share", of=first.expr), unit="%"
    )
    return [*outputs, share]


def _is_share_of_other(draft: Draft, outputs: list[Output]) -> bool:
    """ "discounts as a share of sales": one figure over another, not each group's part of the whole."""
    figures = [output.expr.of for output in outputs if isinstance(output.expr, Aggregate)]
    return (
        len(figures) == len(outputs) == 2 and None not in figures and _AS_SHARE.search(draft.question.text) is not None
    )


def _share_of_other(outputs: list[Output]) -> Output:
    """The total of the first figure over that of the second, in per cent."""
    part, whole = (Aggregate(fn="sum", of=output.expr.of) for output in outputs if isinstance(output.expr, Aggregate))
    share = Arithmetic(op="/", left=part, right=whole)
    label = f"{outputs[0].label.split(' ', 1)[-1]} as a share of {outputs[1].label.split(' ', 1)[-1]}"
    expr = Arithmetic(op="*", left=share, right=Constant(value=100, type="number"))
    return Output(label=capital(label), expr=expr, unit="%")


def _having(draft: Draft, measures: list[Measure], labels: list[str]) -> Predicate | None:
    predicates: list[Predicate] = []
    for having in draft.having:
        label = labels[next(i for i, measure in enumerate(measures) if measure is having.measure)]
        of = ColumnRef(table="", column=label)
        if having.high is not None:
            predicates.append(Between(of=of, low=number(having.value), high=number(having.high)))
        else:
            predicates.append(Compare(op=having.op, left=of, right=number(having.value)))
    return together(predicates)


def _parts(where: Predicate | None) -> tuple[Predicate, ...]:
    return where.of if isinstance(where, AllOf) else () if where is None else (where,)


def _dated(draft: Draft, groups: list[Output]) -> Iterator[Predicate]:
    """Rows without a date belong to no period: they are left out, and the answer says how many."""
    for group in groups:
        of = group.expr.of if isinstance(group.expr, Period | Part) else None
        if not isinstance(of, ColumnRef) or not of.table:
            continue
        missing = draft.lexicon.schema.columns[of.table, of.column].column.missing
        if missing:
            rows = f"{missing:,} rows of {of.table} have" if missing > 1 else f"One row of {of.table} has"
            draft.assumptions.append(f"{rows} no {spoken(of.column)} and {'are' if missing > 1 else 'is'} left out")
            yield Missing(of=of, negated=True)


def _known(draft: Draft, groups: list[Output]) -> Iterator[Predicate]:
    """ "which town buys the most": a town that is not known is no answer."""
    if not any(sort.superlative and sort.limit == 1 for sort in draft.sorts):
        return
    for group in groups:
        if isinstance(group.expr, ColumnRef) and (group.expr.table, group.expr.column) in draft.lexicon.schema.columns:
            missing = draft.lexicon.schema.columns[group.expr.table, group.expr.column].column.missing
            if missing:
                yield Missing(of=group.expr, negated=True)
