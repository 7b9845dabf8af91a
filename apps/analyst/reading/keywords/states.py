"""What of a table's columns says that its rows are in a state ("active", "lost"), and over how many months an amount
runs that is per the period in another column. Values are found as knowledge has them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from apps.analyst.dictionary.types import ColumnMeaning, TableMeaning
from apps.analyst.knowledge.english import english
from apps.analyst.knowledge.entries import State
from apps.analyst.knowledge.folding import folded
from apps.analyst.knowledge.loader import knowledge
from apps.analyst.plan import Among, Arithmetic, ColumnRef, Compare, Conditional, Constant, Expr
from apps.analyst.types import Column, Table

MOST_STATES = 40
"""Values of a column that says how things stand."""
Found = tuple[Column, tuple[str, ...]]
"""A column with those of its values that say a state."""


def state_in(phrase: str, trade: str, table: Table, meaning: TableMeaning) -> Found | None:
    """The column and the values that say a state, as the trade knows it; columns of states come first."""
    known = knowledge().states_of(phrase)
    states = [one for one in known if one.domain == trade] or list(known)
    found = [(_rank(meaning.column(column.name)), column, values) for column, values in _saying(states, table, meaning)]
    return min(found, key=lambda one: one[0])[1:] if found else None


def test_of(found: Found, table: Table) -> Compare | Among:
    """That a row has one of the values."""
    column, values = found
    of = ColumnRef(table=table.name, column=column.name)
    if column.type == "boolean":
        return Compare(op="=", left=of, right=Constant(value=values[0] == "true", type="boolean"))
    if len(values) == 1:
        return Compare(op="=", left=of, right=Constant(value=values[0]))
    return Among(of=of, values=tuple(Constant(value=value) for value in values))


def by_month(amount: Expr, period: Column, table: Table) -> Expr | None:
    """An amount that is per the period in a column, brought to a month; None where a period is not known."""
    lasting = {value.value: knowledge().months(value.value) for value in period.values}
    if not period.values_complete or not lasting or None in lasting.values():
        return None
    longer = {value: months for value, months in lasting.items() if months != 1}
    of = ColumnRef(table=table.name, column=period.name)
    months: Expr = _number(1)
    for value, count in longer.items():
        is_it = Compare(op="=", left=of, right=Constant(value=value))
        months = Conditional(when=is_it, then=_number(count or 1), otherwise=months)
    return Arithmetic(op="/", left=amount, right=months) if longer else amount


def _saying(states: Sequence[State], table: Table, meaning: TableMeaning) -> Iterator[Found]:
    plain = english().affirmed | english().denied  # "yes" says nothing by itself
    said = {folded(value) for state in states for value in state.values} - plain
    flags = {folded(name) for state in states for name in state.flags}
    for column in table.columns:
        means = meaning.column(column.name)
        if means is None or not column.values_complete or len(column.values) > MOST_STATES:
            continue
        if means.kind == "flag":
            if folded(means.label) in flags:
                yield column, tuple(v.value for v in column.values if v.value.casefold() in english().affirmed)
        elif column.type == "text":
            values = tuple(value.value for value in column.values if folded(value.value) in said)
            if values:
                yield column, values


def _rank(meaning: ColumnMeaning | None) -> int:
    concept = knowledge().concepts.get(meaning.concept or "") if meaning is not None else None
    return 0 if concept is not None and concept.kind == "status" else 1


def _number(value: float) -> Constant:
    return Constant(value=int(value) if value == int(value) else value, type="number")
