"""What an answer says of rows that are not in its figures, and of rows that are lines of one thing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from apps.analyst.computing.compile.walk import references
from apps.analyst.computing.metrics.used import needs_all
from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.plan import Aggregate, Output, Period
from apps.analyst.telling import formats
from apps.analyst.telling.labelling import rows_of, wholes_of
from apps.analyst.telling.narrate.view import View
from apps.analyst.telling.wording import an
from apps.analyst.types import Column, Table


def missing_values(view: View) -> tuple[str, ...]:
    """That rows without a value are not in a figure."""
    told: list[str] = []
    query = view.scan
    for output, table, column in with_gaps(view):
        name = view.said(formats.spoken(column.name))
        verb = "has" if column.missing == 1 else "have"
        things = wholes_of(table.name, view.catalog, table.rows) if column.per_key == "once" else ""
        rows = f"{table.rows:,} {things or rows_of(table.name, view.catalog, table.rows)}"
        if not isinstance(output.expr, Aggregate):
            told.append(f"{column.missing:,} of {rows} {verb} no {name}.")
        elif query is not None and query.where is not None:
            told.append(f"{column.missing:,} of all {rows} {verb} no {name}; such rows are not in this figure.")
        else:
            left = "is" if column.missing == 1 else "are"
            told.append(f"{column.missing:,} of {rows} {verb} no {name} and {left} not in this figure.")
    return tuple(dict.fromkeys(told))


def with_gaps(view: View) -> Iterator[tuple[Output, Table, Column]]:
    """The figures and groups of what is read, each with every column that leaves a row out of it where it is empty. Of
    what is told once for several lines (and the table then as one of whole things) only where it is not told at all."""
    query = view.scan
    for output in (*query.measures, *query.groups) if query is not None else ():
        read = output.expr.of if isinstance(output.expr, Aggregate | Period) else output.expr
        for ref in references(read) if read is not None and needs_all(read) else ():
            stored = view.stored(ref)
            table, column = _of_wholes(*stored) if stored is not None else (None, None)
            if table is not None and column is not None and column.missing > 0:
                yield output, table, column


def _of_wholes(table: Table, column: Column) -> tuple[Table, Column]:
    key = next((other for other in table.columns if other.per_key == "key"), None)
    if key is None or column.per_key != "once":
        return table, column
    others = table.rows - key.distinct
    return replace(table, rows=key.distinct), replace(column, missing=column.missing - others)


def lines_told(view: View) -> Iterator[str]:
    """That rows are lines of a thing, where something is read that is told once for all of its lines."""
    query = view.scan
    outputs = (*query.measures, *query.groups, *query.columns, query.where) if query is not None else ()
    stored = [view.stored(ref) for node in outputs if node is not None for ref in references(node)]
    for name in dict.fromkeys(found[0].name for found in stored if found and found[1].per_key in ("same", "once")):
        meaning = dictionary_of(view.catalog).get(name)
        if meaning is not None and meaning.whole:
            row, whole = an(meaning.row), an(meaning.whole)
            yield f"Each row of {name} is {row}; what is told once for {whole} holds for all of its lines."
