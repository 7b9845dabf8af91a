"""What a table means: one row, its columns, and how each may be used. Judged from names, types and values alone; what
people said about it is put over it by `taught`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from apps.analyst.dictionary.columns import Named, adds_of, is_money, kind_of, named, says_of
from apps.analyst.dictionary.names import shown, trades
from apps.analyst.dictionary.nouns import lines_of, noun_of
from apps.analyst.dictionary.rows import Read, date_of, event_of, key_of, name_of, plural
from apps.analyst.dictionary.tied import Trades
from apps.analyst.dictionary.types import ColumnMeaning, TableMeaning
from apps.analyst.tables.words import CURRENCY_CODES
from apps.analyst.types import Table

_BESIDE = 0.5
"""How much the trade of the other tables counts beside a table's own."""
_MOST_TRADES = 10


def meanings_of(tables: Sequence[Table], among: Sequence[Table] | None = None) -> dict[str, TableMeaning]:
    """What each of the tables and its columns mean, by the tables' names. `among` are all tables of their catalog,
    where it has others."""
    every = tables if among is None else among
    own = {table.name: trades(_neighbours(table)) for table in every}
    whole = _added(list(own.values()))
    return {
        table.name: _meanings(table, _trades(_without(whole, own[table.name]), len(every) - 1, own[table.name]))
        for table in tables
    }


def meanings(table: Table, beside: Sequence[Table] = ()) -> TableMeaning:
    """What one table and its columns mean. `beside` are the other tables of the catalog."""
    others = _added([trades(_neighbours(other)) for other in beside])
    return _meanings(table, _trades(others, len(beside), trades(_neighbours(table))))


def _meanings(table: Table, shares: Trades) -> TableMeaning:
    neighbours = _neighbours(table)
    columns = [_read(position, named(column, neighbours, shares)) for position, column in enumerate(table.columns)]
    noun, whole, whole_columns = lines_of(noun_of(table, columns), columns)
    columns = [
        _as_number(read, whole, neighbours, shares) if read.column.name in whole_columns else read for read in columns
    ]
    named_after = whole or noun
    events = {
        read.column.name: event_of(read.named, named_after, dict(shares)) for read in columns if read.kind == "time"
    }
    currency = _currency(columns)
    name = name_of(named_after, columns, table.rows)
    return TableMeaning(
        table=table.name,
        row=noun,
        rows=plural(noun),
        columns=tuple(_meaning(read, events, currency, neighbours) for read in columns),
        name_column=name,
        key_column=key_of(noun, columns, table.rows, name),
        date_column=date_of(named_after, columns, events, table.rows),
        whole=whole,
        whole_columns=whole_columns,
    )


def _read(position: int, column: Named) -> Read:
    return Read(column, kind_of(column), position)


def _as_number(read: Read, whole: str, neighbours: tuple[str, ...], shares: Trades) -> Read:
    """What tells whole things apart, read as their number where its own name does not say whose it is: an export of
    orders that calls their numbers "Name" names nobody."""
    if read.stem:
        return read
    number = named(replace(read.column, name=f"{whole} number"), neighbours, shares)
    return _read(read.position, replace(number, column=read.column))


def _meaning(read: Read, events: Mapping[str, str], currency: str | None, neighbours: Sequence[str]) -> ColumnMeaning:
    measure = read.kind == "measure"
    money = measure and is_money(read.named)
    return ColumnMeaning(
        name=read.column.name,
        label=shown(read.column.name, read.named.words, neighbours),
        kind=read.kind,
        concepts=read.named.concepts,
        adds=adds_of(read.named) if measure else None,
        unit=read.named.unit or (currency if money else None),
        money=money,
        says=says_of(read.named, read.kind, neighbours),
        event=events.get(read.column.name, ""),
    )


def _neighbours(table: Table) -> tuple[str, ...]:
    return (table.name, *(column.name for column in table.columns))


def _trades(beside: Mapping[str, float], count: int, own: Mapping[str, float]) -> Trades:
    """The trades of a table, and of the `count` tables beside it, whose shares come added up: those that matter."""
    shares: defaultdict[str, float] = defaultdict(float, own)
    for trade, share in beside.items():
        shares[trade] += _BESIDE * share / max(count, 1)
    largest = sorted(shares.items(), key=lambda entry: (-entry[1], entry[0]))[:_MOST_TRADES]
    return tuple((trade, round(share, 3)) for trade, share in largest)


def _added(shares: Sequence[Mapping[str, float]]) -> Mapping[str, float]:
    whole: defaultdict[str, float] = defaultdict(float)
    for of_table in shares:
        for trade, share in of_table.items():
            whole[trade] += share
    return whole


def _without(whole: Mapping[str, float], own: Mapping[str, float]) -> Mapping[str, float]:
    return {trade: share - own.get(trade, 0.0) for trade, share in whole.items()}


def _currency(columns: Sequence[Read]) -> str | None:
    """The currency of all figures of money, where one column says that there is only one."""
    for read in columns:
        values = read.column.values
        if read.column.type == "text" and read.column.values_complete and len(values) == 1 and not read.column.missing:
            code = values[0].value.strip().upper()
            if code in CURRENCY_CODES:
                return code
    return None
