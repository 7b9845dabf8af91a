"""Dimensions as named group outputs: columns, periods, bins, and things by the columns that name them."""

from __future__ import annotations

from apps.analyst.language.building.built import Unbuildable
from apps.analyst.language.figures import (
    column_ref,
    date_of_state,
    group_expression,
    is_personal,
    time_column,
)
from apps.analyst.language.morphology import keys
from apps.analyst.language.parse.draft import Draft, Group, is_number
from apps.analyst.language.scan import Scan
from apps.analyst.language.schema import tells_a_time
from apps.analyst.language.tagging import ColumnHit
from apps.analyst.plan import (
    Call,
    ColumnRef,
    Constant,
    Expr,
    Output,
)
from apps.analyst.types import Column


def group_outputs(draft: Draft, dims: list[Group], scan: Scan) -> list[Output]:
    outputs: list[Output] = []
    seen: set[str] = set()

    def add(label: str, expr: Expr, table: str) -> None:
        if any(output.expr == expr for output in outputs):
            return
        if label in seen:
            label = f"{table} {label}"
        seen.add(label)
        outputs.append(Output(label=label, expr=expr))

    for dim in dims:
        if dim.slot is not None and dim.slot.hits:
            hit = dim.slot.best
            if (
                draft.column(hit).role == "measure"
                and draft.lexicon.schema.path(scan.base, hit.table, one=True) is None
            ):
                raise Unbuildable  # a row meets several of these figures, and would count with each
            scan.reach(hit.table, many=True)
            entity = _referred(draft, hit, dim)
            if entity is not None and scan.reach(entity):
                for column in shown_columns(draft, entity):
                    add(column.column, column, entity)
                continue
            add(hit.column, group_expression(draft.column(hit), column_ref(draft, hit), dim), hit.table)
        elif dim.grain is not None or dim.part is not None:
            found = _moment(draft, scan)
            if found is None:
                raise Unbuildable
            timed, of = found
            clock = _clock(draft, of.table) if dim.part == "hour" and timed.type == "date" else None
            if clock is not None:
                add(clock.column, _hour(clock), clock.table)
                continue
            add(of.column, group_expression(timed, of, dim), of.table)
        elif dim.table is not None:
            table = _linked(draft, dim.table, dim.item)
            scan.reach(table, many=True)
            for column in shown_columns(draft, table):
                add(column.column, column, table)
    return outputs


def _linked(draft: Draft, table: str, item: int) -> str:
    """ "film category" where a table only links films with categories: the categories, by their names."""
    schema = draft.lexicon.schema
    if schema.name_columns(table) or not 0 <= item < len(draft.items):
        return table
    last = draft.tagged.tokens[draft.items[item].end - 1]
    for edge in schema.edges.get(table, ()):
        forms = schema.tables[edge.target].name.forms
        if edge.one and forms and all(form & last.keys for form in forms) and schema.name_columns(edge.target):
            return edge.target
    return table


def _clock(draft: Draft, table: str) -> ColumnRef | None:
    """The column of a table that holds times of day beside its dates."""
    columns = draft.lexicon.schema.tables[table].table.columns
    return next((ColumnRef(table=table, column=c.name) for c in columns if c.type == "text" and tells_a_time(c)), None)


def _hour(clock: ColumnRef) -> Expr:
    """The hour of a time of day that is written as text."""
    mark, first = Constant(value=":"), Constant(value=1, type="number")
    return Call(name="number", args=(Call(name="split_part", args=(clock, mark, first)),))


def shown_columns(draft: Draft, table: str) -> list[ColumnRef]:
    """How a grouped thing is shown: in a chart by one column, else with its key where names may repeat."""
    if draft.wish is not None and draft.wish.explicit:
        return entity_columns(draft, table)[:1]
    return entity_columns(draft, table, with_key=True)


def _referred(draft: Draft, hit: ColumnHit, dim: Group) -> str | None:
    """The table that a reference column points to, where the thing is meant and not its key ("by country")."""
    column = draft.column(hit)
    said = {
        form
        for token in draft.tagged.tokens[draft.items[dim.item].start : draft.items[dim.item].end]
        for form in token.keys
    }
    moment = dim.grain or dim.part or dim.bin
    if said & keys("id") or not (column.role == "id" or is_number(column)) or moment or dim.bare:
        return None
    for edge in draft.lexicon.schema.edges.get(hit.table, ()):
        refers = dim.table == edge.target or draft.named(hit).name.words[-1:] == ("id",) or column.role == "id"
        if (
            refers
            and edge.one
            and edge.source_columns == (hit.column,)
            and draft.lexicon.schema.name_columns(edge.target)
        ):
            return edge.target
    return None


def _timely(draft: Draft, scan: Scan) -> list[str]:
    """Tables in the order in which their time is meant: what is read already, then what lies near.

    Birthdays and days of hire are no time of what happened, however near they are.
    """
    schema = draft.lexicon.schema
    far = sorted(schema.tables, key=lambda table: schema.distance(scan.base, table))
    tables = list(dict.fromkeys((scan.base, *sorted(scan.joined), *far)))
    times = {table: time_column(draft, table) for table in tables}
    return sorted(tables, key=lambda table: (column := times[table]) is None or is_personal(draft, table, column))


def _moment(draft: Draft, scan: Scan) -> tuple[Column, ColumnRef] | None:
    """The date by which the scanned rows are restricted, else the time of their table, else of one it reaches."""
    said = _restricting(draft, scan.base)
    if said is not None:
        return said, ColumnRef(table=scan.base, column=said.name)
    for table in _timely(draft, scan):
        column = time_column(draft, table)
        if column is not None and scan.reach(table):
            return column, ColumnRef(table=table, column=column.name)
    return None


def _restricting(draft: Draft, table: str) -> Column | None:
    """ "cancelled in 2026, by month": the months of the cancelling, not of whatever else the rows have a date for."""
    for condition in draft.conditions:
        happened = condition.kind == "missing" and condition.negated
        hit = condition.slot.best if condition.slot is not None and condition.slot.hits else None
        if hit is None or hit.table != table or not (happened or condition.kind == "period"):
            continue
        column = draft.column(hit)
        if column.type in ("date", "datetime") and not is_personal(draft, table, column):
            return column
    return date_of_state(draft, table)


def entity_columns(draft: Draft, table: str, *, with_key: bool = False) -> list[ColumnRef]:
    """How rows of a table are shown: by name; by key too where names repeat, and alone where there is no name."""
    schema = draft.lexicon.schema
    names = schema.name_columns(table)
    key = schema.key_column(table)
    if not names:
        small = draft.lexicon.is_small(table) and len(draft.lexicon.tables) == 1
        chosen = [schema.entity_column(table)] if small or key is None else [key]
        return [ColumnRef(table=table, column=column.name) for column in chosen if column is not None]
    columns = list(names)
    if with_key and key is not None and not (len(names) == 1 and names[0].unique) and key not in names:
        columns.append(key)
    return [ColumnRef(table=table, column=column.name) for column in columns]
