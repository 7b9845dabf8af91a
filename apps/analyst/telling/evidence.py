"""What an answer stands on, so that a person can check it: sources, filters, definitions, joins, query, rows."""

from __future__ import annotations

from collections.abc import Iterator

from apps.analyst.computing.compile.outputs import inline_labels
from apps.analyst.computing.compile.walk import inner_queries
from apps.analyst.computing.compute import Computed
from apps.analyst.computing.metrics.decided import undecided_notes
from apps.analyst.plan import ColumnRef, Combine, Comparison, Describe, Join, Node, Plan, Query
from apps.analyst.plan.sentence import (
    expr_words,
    filters_of,
    of_groups_words,
    queries_of,
)
from apps.analyst.plan.sentence_groups import figures_within
from apps.analyst.ports import Catalog
from apps.analyst.telling import formats
from apps.analyst.telling.formats import capital, spoken
from apps.analyst.telling.labelling import labelled, told_sentence
from apps.analyst.telling.narrate import View, lines_told, look_alikes, missing_values
from apps.analyst.types import Evidence, JoinPath, SourceUse


def evidence_of(computed: Computed, catalog: Catalog) -> Evidence:
    """The evidence of a computed plan."""
    plan, told = computed.plan, labelled(computed.plan, catalog)
    names = tables_of(plan)
    view = View(computed, catalog)
    rule = (computed.statistic.rule,) if computed.statistic is not None and computed.statistic.rule else ()
    return Evidence(
        sources=tuple(
            SourceUse(table.name, table.file_name, table.rows, table.refreshed_at)
            for table in catalog.tables()
            if table.name in names or (isinstance(plan, Describe) and plan.table is None)
        ),
        plan_sentence=told_sentence(plan, catalog),
        filters=tuple(capital(text) for text in filters_of(told)),
        definitions=(*definitions_of(told), *rule),
        joins=joins_of(plan, catalog),
        query=computed.query,
        row_count=_rows_used(computed),
        notes=tuple(dict.fromkeys(_notes(view, catalog))),
    )


def _rows_used(computed: Computed) -> int:
    """The rows that enter the figures: of those that are read, not those that lack the value or are not decided."""
    return computed.used if computed.used else computed.row_count


def _notes(view: View, catalog: Catalog) -> Iterator[str]:
    yield from missing_values(view)
    yield from lines_told(view)
    yield from undecided_notes(view.plan, catalog)
    yield from view.computed.mixed
    yield from view.computed.notes
    yield from look_alikes(view)


def tables_of(plan: Plan) -> frozenset[str]:
    """The names of all tables that the plan reads, inner queries included."""
    if isinstance(plan, Describe):
        return frozenset({plan.table} if plan.table else ())
    return frozenset(name for query in every_query(plan) for name in _scanned(query))


def every_query(plan: Plan) -> Iterator[Query]:
    """All queries of a plan, however deep."""
    waiting = list(queries_of(plan))
    if isinstance(plan, Comparison):
        waiting += [query for side in (plan.current, plan.baseline) for query in inner_queries(side)]
    while waiting:
        query = waiting.pop(0)
        yield query
        if isinstance(query.source, Query):
            waiting.append(query.source)
        parts: list[Node] = [output.expr for output in (*query.columns, *query.groups, *query.measures)]
        parts += [part for part in (query.where, query.having) if part is not None]
        parts += [order.by for order in query.order if not isinstance(order.by, str)]
        for part in parts:
            waiting += list(inner_queries(part))


def _scanned(query: Query) -> Iterator[str]:
    if isinstance(query.source, str):
        yield query.source
    yield from (join.table for join in query.joins)


def definitions_of(plan: Plan) -> tuple[str, ...]:
    """What each figure is made of, where its name does not say it already."""
    found: list[str] = []
    for query in queries_of(plan):
        inner = figures_within(query)
        for output in query.measures:
            made = inner.get(output.label) or inline_labels(output.expr, query)
            words = of_groups_words(query) or expr_words(made)
            if words.casefold() != spoken(output.label).casefold():
                found.append(f"{capital(spoken(output.label))}: {words}")
    if isinstance(plan, Combine):
        made_of = [output for output in plan.outputs if not isinstance(output.expr, ColumnRef)]
        found += [f"{capital(spoken(output.label))}: {expr_words(output.expr)}" for output in made_of]
    return tuple(dict.fromkeys(found))


def joins_of(plan: Plan, catalog: Catalog) -> tuple[str, ...]:
    """How tables were put together, with the share of rows that found a partner."""
    told: list[str] = []
    for query in every_query(plan):
        for join in query.joins:
            told.append(_join_words(join, query, catalog))
    return tuple(dict.fromkeys(told))


def _join_words(join: Join, query: Query, catalog: Catalog) -> str:
    keys = formats.listed([_key_words(key.left.column, key.right.column) for key in join.on])
    other = next(
        (ref.table for key in join.on for ref in (key.left, key.right) if ref.table != (join.alias or join.table)), ""
    )
    aliases = {j.alias or j.table: j.table for j in query.joins}
    left = aliases.get(other, other) or "the inner result"
    text = f"{left} with {join.table} by {keys}"
    path = _path(left, join, catalog)
    if path is not None:
        text += f": {formats.figure(100 * path.match_rate, '%')} of the rows of {path.left_table} find a partner"
    if any(key.part is not None for key in join.on):
        text += ", one key being a part of the other"
    if path is not None and path.versions:
        text += f"; {path.right_table} repeats keys, and what it says of one is taken once"
    if any(key.fold for key in join.on):
        text += ", ignoring case, blanks and leading zeros"
    return text + (", rows without one are kept." if join.how == "left" else ".")


def _key_words(left: str, right: str) -> str:
    return left if left == right else f"{left} = {right}"


def _path(one: str, join: Join, catalog: Catalog) -> JoinPath | None:
    """The way between two tables that a join goes; None for one that nobody found or drew."""
    columns = {key.left.column for key in join.on} | {key.right.column for key in join.on}
    pairs = {(one, join.table), (join.table, one)}
    return next(
        (
            path
            for path in catalog.joins()
            if (path.left_table, path.right_table) in pairs and {*path.left_columns, *path.right_columns} == columns
        ),
        None,
    )
