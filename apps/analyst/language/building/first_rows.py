"""Figures over the first so many rows: "the total points of the top five finishers", of one table."""

from __future__ import annotations

from apps.analyst.language.building.built import Built, Unbuildable, scan_over
from apps.analyst.language.building.restricting import restrict
from apps.analyst.language.concepts import plain_name
from apps.analyst.language.figures import WORDS, as_figure, column_ref
from apps.analyst.language.parse.draft import Draft, Measure, Sort, holds_figures, is_number, is_time
from apps.analyst.language.parse.quantities import RANKS
from apps.analyst.language.tagging import ColumnHit
from apps.analyst.plan import ROW_NUMBER, Aggregate, ColumnRef, Expr, Missing, Order, Output, Query
from apps.analyst.plan.conditions import together

_ORDER = "order"


def is_of_first_rows(draft: Draft) -> bool:
    """True where figures are asked for and a ranking without groups says of which rows."""
    if draft.groups or draft.select or draft.having or not draft.measures or len(draft.sorts) != 1:
        return False
    sort = draft.sorts[0]
    ranked = sort.superlative and (sort.limit or 1) > 1 and not sort.offset and sort.measure is None
    if not ranked or len(draft.lexicon.tables) > 1 or draft.running or draft.share or draft.trend:
        return False
    if sort.slot is not None and is_time(draft.column(sort.slot.best)):
        return False  # "the first two years" may stand in many rows each
    return all(m.fn != "count" and m.slot is not None and as_figure(draft, m.slot.best) for m in draft.measures)


def figures_of_first_rows(draft: Draft) -> Built:
    """The figures over a listing that ends after so many rows. Raises Unbuildable."""
    sort, measures = draft.sorts[0], draft.measures
    hits = [measure.slot.best for measure in measures if measure.slot is not None]
    table = hits[0].table
    by, descending = _ranked_by(draft, sort, hits[0])
    scan = scan_over(draft, [table], [table])
    where, lost = restrict(draft, scan)
    given = [where] if where is not None else []
    columns = {hit.column: _figure(draft, hit) for hit in hits}
    inner = Query(
        source=scan.base,
        joins=tuple(scan.joins),
        where=together([*given, Missing(of=by, negated=True)]),
        columns=(
            *(Output(label=name, expr=expr, unit=_unit(draft, table, name)) for name, expr in columns.items()),
            Output(label=_ORDER, expr=by),
        ),
        order=(Order(by=_ORDER, descending=descending),),
        limit=sort.limit,
    )
    outputs = tuple(_over(draft, measure) for measure in measures)
    labels = [output.label for output in outputs]
    return Built(Query(source=inner, measures=outputs), labels, [], labels, lost)


def _ranked_by(draft: Draft, sort: Sort, figure: ColumnHit) -> tuple[Expr, bool]:
    """What the rows are ranked by: what is said, their place in the file, the table's own ranks, else the figure."""
    if sort.slot is not None:
        return as_figure(draft, sort.slot.best) or column_ref(draft, sort.slot.best), sort.descending
    if sort.row:
        return ColumnRef(table=figure.table, column=ROW_NUMBER), sort.descending
    for named in draft.lexicon.columns:
        words = [forms for forms, skip in zip(named.name.forms, named.name.optional, strict=True) if not skip]
        column = named.column
        if len(words) == 1 and words[0] & RANKS and (is_number(column) or holds_figures(column)):
            return _figure(draft, ColumnHit(named.table.name, column.name, 1.0)), not sort.descending
    return _figure(draft, figure), sort.descending


def _figure(draft: Draft, hit: ColumnHit) -> Expr:
    figure = as_figure(draft, hit)
    if figure is None:
        raise Unbuildable
    return figure


def _unit(draft: Draft, table: str, name: str) -> str | None:
    stored = draft.lexicon.schema.columns.get((table, name))
    return stored.column.unit if stored is not None else None


def _over(draft: Draft, measure: Measure) -> Output:
    """One figure of the rows that are kept."""
    assert measure.slot is not None
    hit = measure.slot.best
    return Output(
        label=f"{WORDS.get(measure.fn, measure.fn.capitalize())} {plain_name(hit.column)}",
        expr=Aggregate(fn=measure.fn, of=ColumnRef(table="", column=hit.column)),
        unit=_unit(draft, hit.table, hit.column),
    )
