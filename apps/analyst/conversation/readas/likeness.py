"""Which other columns a part of a plan could as well have meant: of the same table and kind, the likest first."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from apps.analyst.conversation.readas.names import Names
from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.dictionary.types import Adds, ColumnMeaning, TableMeaning
from apps.analyst.plan import ColumnRef, Query
from apps.analyst.telling.formats import spoken

MOST_GROUPED = 60
"""Different values of a column up to which it tells groups apart that are worth seeing."""
MOST_AMOUNTS = 2
"""Figures that are offered for a count of rows."""
NUMBERS = ("integer", "decimal", "float")


def measures_like(mine: ColumnRef, names: Names) -> Iterator[tuple[ColumnRef, Adds]]:
    """Other figures of the column's table, with how they add up."""
    meaning, own = _meanings(mine, names)
    if meaning is None:
        return

    def is_figure(other: ColumnMeaning) -> bool:
        column = names.stored(_beside(mine, other))
        return other.kind == "measure" and column is not None and column.type in NUMBERS

    for other in _ranked(own, meaning, is_figure):
        if own is not None and _alike(own, other):
            yield _beside(mine, other), other.adds or "sum"


def dates(mine: ColumnRef, names: Names) -> Iterator[ColumnRef]:
    """Other dates of the column's table."""
    meaning, own = _meanings(mine, names)
    taken = names.stored(mine)
    for other in meaning.columns if meaning is not None and taken is not None else ():
        column = names.stored(_beside(mine, other))
        if other is not own and column is not None and column.type in ("date", "datetime"):
            yield _beside(mine, other)


def groups_like(mine: ColumnRef, names: Names) -> Iterator[ColumnRef]:
    """Other columns that tell the table's rows apart in few groups."""
    meaning, own = _meanings(mine, names)
    if meaning is None:
        return

    def tells_groups(other: ColumnMeaning) -> bool:
        column, table = names.stored(_beside(mine, other)), names.table_of(mine)
        if column is None or table is None or other.kind not in ("dimension", "flag"):
            return False
        return 2 <= column.distinct <= MOST_GROUPED and column.distinct * 2 <= table.rows

    for other in _ranked(own, meaning, tells_groups):
        yield _beside(mine, other)


def amounts(query: Query, names: Names) -> Iterator[tuple[ColumnRef, Adds]]:
    """The first figures of a query's table, money before others: what "sales" may mean where its rows were counted."""
    meaning = dictionary_of(names.catalog).get(query.source) if isinstance(query.source, str) else None
    figures = [column for column in meaning.columns if column.kind == "measure"] if meaning is not None else []
    for column in sorted(figures, key=lambda column: not column.money)[:MOST_AMOUNTS]:
        ref = ColumnRef(table=str(query.source), column=column.name)
        stored = names.stored(ref)
        if stored is not None and stored.type in NUMBERS:
            yield ref, column.adds or "sum"


def identifiers(query: Query, names: Names) -> Iterator[ColumnRef]:
    """Keys of other things that the rows of a query's table name: what could be counted instead of them."""
    if not isinstance(query.source, str):
        return
    meaning = dictionary_of(names.catalog).get(query.source)
    for other in meaning.columns if meaning is not None else ():
        ref = ColumnRef(table=query.source, column=other.name)
        column = names.stored(ref)
        if other.kind == "identifier" and column is not None and not column.unique:
            yield ref


def _beside(mine: ColumnRef, other: ColumnMeaning) -> ColumnRef:
    return mine.model_copy(update={"column": other.name})


def _meanings(mine: ColumnRef, names: Names) -> tuple[TableMeaning | None, ColumnMeaning | None]:
    table = names.table_of(mine)
    meaning = dictionary_of(names.catalog).get(table.name) if table is not None else None
    return meaning, meaning.column(mine.column) if meaning is not None else None


def _ranked(
    own: ColumnMeaning | None, table: TableMeaning, fits: Callable[[ColumnMeaning], bool]
) -> list[ColumnMeaning]:
    """The table's other columns that fit, those first that mean or are called alike."""
    if own is None:
        return []
    others = [column for column in table.columns if column is not own and fits(column)]
    return sorted(others, key=lambda other: -_alike(own, other))


def _alike(one: ColumnMeaning, other: ColumnMeaning) -> int:
    concepts = {concept for concept, _ in one.concepts} & {concept for concept, _ in other.concepts}
    words = set(spoken(one.label).split()) & set(spoken(other.label).split())
    return 2 * bool(concepts) + 2 * bool(words) + (one.money == other.money) + (one.unit == other.unit)
