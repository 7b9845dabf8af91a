"""What people said about tables and columns, put over what was found out. What they said wins."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from apps.analyst.dictionary.rows import plural
from apps.analyst.dictionary.types import ColumnMeaning, Concepts, TableMeaning
from apps.analyst.knowledge.loader import knowledge
from apps.analyst.tables.words import CURRENCY_CODES

if TYPE_CHECKING:
    from apps.analyst.types import Taught


def corrected(found: TableMeaning, entries: Iterable[Taught]) -> TableMeaning:
    """The meaning with people's entries. Columns that are not there any more are passed over; of two entries for the
    same, the later wins."""
    said = {entry.column: entry for entry in entries}
    if not said:
        return found
    columns = tuple(_column(column, said[column.name]) if column.name in said else column for column in found.columns)
    made = replace(found, columns=columns)
    own = said.get("")
    if own is None:
        return made
    dated = made.column(own.date_column) if own.date_column else None
    if dated is not None and dated.kind == "time":
        made = replace(made, date_column=dated.name)
    row = own.row or made.row
    if row == made.whole:  # they count its rows
        made = replace(made, whole="", whole_columns=())
    return replace(made, row=row, rows=own.rows or (plural(row) if own.row else made.rows))


def _column(found: ColumnMeaning, said: Taught) -> ColumnMeaning:
    kind = said.kind or found.kind
    measure = kind == "measure"
    unit = found.unit if said.unit is None else said.unit or None
    concepts = _concepts(found.concepts, said.concept)
    return replace(
        found,
        label=said.label or found.label,
        kind=kind,
        concepts=concepts,
        adds=(said.adds or found.adds or "sum") if measure else None,
        unit=unit,
        money=measure and (unit in CURRENCY_CODES or (found.money and said.unit is None)),
        event=found.event if kind == "time" else "",
        says=_says(found.says, said.values),
        synonyms=said.synonyms,
        value_synonyms=said.value_synonyms,
    )


def _concepts(found: Concepts, said: str | None) -> Concepts:
    """The concept that people named is sure; "" says that the column is none of those that are known."""
    if said is None:
        return found
    if said not in knowledge().concepts:
        return found if said else ()
    return ((said, 1.0), *(entry for entry in found if entry[0] != said))


def _says(found: Mapping[str, str], said: Mapping[str, str]) -> Mapping[str, str]:
    """Meanings of values; "" says that a value means what it says."""
    return {value: meaning for value, meaning in {**found, **said}.items() if meaning}
