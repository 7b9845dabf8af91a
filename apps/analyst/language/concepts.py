"""Figures that people ask for and the data holds only in parts: revenue as price times quantity, less the discount.

A concept stands in the lexicon like a column, with a name no file can have, and becomes an expression in the plan.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations

from apps.analyst.language.concept_columns import (
    cost_of,
    find_column,
    fraction_of,
    is_amount,
    is_paid,
    is_stored,
    items_of,
    only_links,
    pieces_of,
    price_of,
    priced_by_the_piece,
    shortest_named,
)
from apps.analyst.plan import Arithmetic, Call, ColumnRef, Conditional, Constant, Expr, Missing, Predicate
from apps.analyst.telling.formats import spoken
from apps.analyst.types import Column, JoinPath, Table

REVENUE = "(revenue)"
MARGIN = "(profit margin)"
STOCK_VALUE = "(stock value)"
PROFIT = "(profit)"
DISCOUNT = "(discount given)"
ALSO_CALLED = {
    ("revenue",): (("sales",), ("turnover",), ("revenue",)),
    ("profit",): (("gross", "profit"), ("profit",)),
    ("stock", "value"): (("inventory", "value"), ("stock", "value")),
}
"""What people call a concept, its own words last."""
_MOST_DATES = 6
Moment = tuple[str, str]
"""A date: its table and its column."""


@dataclass(frozen=True, slots=True)
class Concept:
    """A derived figure of a table. `tables` are those its parts stand in; `definition` is stated with the answer."""

    table: str
    column: Column
    expression: Expr
    tables: tuple[str, ...]
    words: tuple[str, ...]
    definition: str
    over: Expr | None = None
    """For a rate, what it is a share of: its figure is the total of `expression` over that of this, in per cent."""


def plain_name(column: str) -> str:
    """A column as answers call it: a concept without its brackets, a stored column to the letter ("amount (USD)")."""
    return column[1:-1] if column.startswith("(") and column.endswith(")") else column


def days_from(first: Moment, last: Moment) -> str:
    """The name of the days that lie between two dates, of one row or of a row and what it belongs to."""
    alike = first[1] == last[1]
    names = (f"{table} {column}" if alike else column for table, column in (first, last))
    return "(days from {} to {})".format(*names)


def durations_of(table: Table, tables: Sequence[Table], joins: Iterable[JoinPath]) -> tuple[Concept, ...]:
    """The days between any two dates of a row, and between them and those of what the row belongs to; no word names
    them, so only who looks for them finds them."""
    own = _dates(table)
    pairs = list(permutations(own, 2))
    for join in joins if own else ():
        parent = next((t for t in tables if t.name == join.right_table and t is not table), None)
        if join.left_table == table.name and join.right_unique and not join.versions and parent is not None:
            pairs += [pair for one in own for other in _dates(parent) for pair in ((one, other), (other, one))]
    # Where a row and what it belongs to have a date of one name, the row's own is meant.
    named = {days_from(first, last): (first, last) for first, last in reversed(dict.fromkeys(pairs))}
    return tuple(_days(table, first, last) for first, last in named.values())


def _dates(table: Table) -> list[Moment]:
    """A table's dates, where they are few."""
    dates = [(table.name, column.name) for column in table.columns if column.type in ("date", "datetime")]
    return dates if len(dates) <= _MOST_DATES else []


def _days(table: Table, first: Moment, last: Moment) -> Concept:
    refs = tuple(ColumnRef(table=of, column=name) for of, name in (first, last))
    column = Column(name=days_from(first, last), type="integer", role="dimension", unit="days")
    places = tuple(dict.fromkeys((table.name, first[0], last[0])))
    return Concept(table.name, column, Call(name="days_between", args=refs), places, (), "")


def concepts_of(table: Table, tables: Sequence[Table], joins: Iterable[JoinPath]) -> tuple[Concept, ...]:
    """The concepts that a table's columns, or those of the tables its rows refer to, make possible."""
    margin = _margin(table) or _stock_value(table) or _stock_elsewhere(table, tables, joins)
    if margin is not None or any(is_amount(column) for column in table.columns):
        return () if margin is None else (margin,)
    price, quantity = priced_by_the_piece(table) or (price_of(table), pieces_of(table))
    if is_stored(table) or only_links(table, joins):
        return ()
    if price is not None and quantity is not None:
        discount = fraction_of(table, find_column(table, "discount"))
        made: tuple[Concept, ...] = (_revenue(table, price, quantity, discount),)
        given = () if discount is None else (_given(table, price, quantity, discount),)
        return (*made, *given, *_profit(table, made[0], quantity, tables, joins))
    if price is not None and is_paid(table, price, joins):
        made = (_revenue(table, price, None, None),)
    elif price is None:
        made = _priced_elsewhere(table, quantity, tables, joins)
    else:
        return ()
    return (*made, *(each for one in made for each in _profit(table, one, quantity, tables, joins)))


def _margin(table: Table) -> Concept | None:
    """Profit over sales, where both are known and no column holds it."""
    profit, sales = shortest_named(table, ("profit",)), shortest_named(table, ("sales", "revenue", "turnover"))
    if profit is None or sales is None or profit == sales or find_column(table, "margin") is not None:
        return None
    column = Column(name=MARGIN, type="decimal", role="measure", unit="%")
    definition = f"Profit margin is the total of {profit.column.strip()} over the total of {sales.column.strip()}."
    return Concept(table.name, column, profit, (table.name,), ("profit", "margin"), definition, over=sales)


def _stock_value(table: Table) -> Concept | None:
    """What is in store, at its price."""
    price, stock = find_column(table, "price"), find_column(table, "stock") or find_column(table, "inventory")
    if price is None or stock is None or price == stock or find_column(table, "value") is not None:
        return None
    column = Column(name=STOCK_VALUE, type="decimal", role="measure")
    worth = Arithmetic(op="*", left=price, right=stock)
    definition = f"Stock value is {spoken(stock.column)} times {spoken(price.column)}."
    return Concept(table.name, column, worth, (table.name,), ("stock", "value"), definition)


def _stock_elsewhere(table: Table, tables: Sequence[Table], joins: Iterable[JoinPath]) -> Concept | None:
    """What is in store, at the cost or price that stands in the table of items."""
    stock = (
        find_column(table, "stock")
        or find_column(table, "inventory")
        or (pieces_of(table) if is_stored(table) else None)
    )
    if stock is None or not is_stored(table):
        return None
    for other, key in items_of(table, tables, joins):
        worth = cost_of(other) or price_of(other)
        if worth is None:
            continue
        each = Conditional(when=Missing(of=key, negated=True), then=worth)
        column = Column(name=STOCK_VALUE, type="decimal", role="measure")
        definition = f"Stock value is {spoken(stock.column)} times {spoken(worth.column)}."
        value = Arithmetic(op="*", left=each, right=stock)
        return Concept(table.name, column, value, (table.name, other.name), ("stock", "value"), definition)
    return None


def _profit(
    table: Table, revenue: Concept, quantity: ColumnRef | None, tables: Sequence[Table], joins: Iterable[JoinPath]
) -> tuple[Concept, ...]:
    """What is left of the revenue when the items' cost is taken off, where no column holds it."""
    if any(find_column(each, word) for each in tables for word in ("profit", "margin")):
        return ()
    cost: Expr | None = cost_of(table)
    named = cost
    places: tuple[str, ...] = (table.name,)
    for other, key in items_of(table, tables, joins) if cost is None else ():
        named = cost_of(other)
        if named is not None:
            cost, places = Conditional(when=Missing(of=key, negated=True), then=named), (table.name, other.name)
            break
    if cost is None or not isinstance(named, ColumnRef):
        return ()
    spent = cost if quantity is None else Arithmetic(op="*", left=cost, right=quantity)
    column = Column(name=PROFIT, type="decimal", role="measure")
    definition = f"{revenue.definition[:-1]}; profit is what remains of it after the {spoken(named.column)}."
    left = Arithmetic(op="-", left=revenue.expression, right=spent)
    return (
        Concept(table.name, column, left, tuple(dict.fromkeys((*revenue.tables, *places))), ("profit",), definition),
    )


def _priced_elsewhere(
    table: Table, quantity: ColumnRef | None, tables: Sequence[Table], joins: Iterable[JoinPath]
) -> tuple[Concept, ...]:
    """Order lines whose item's price stands in the table of items."""
    for join in joins:
        other = next((t for t in tables if t.name == join.right_table), None)
        if join.left_table != table.name or not join.right_unique or other is None or other.rows >= table.rows:
            continue
        price = price_of(other)
        if price is not None and not any(is_amount(column) for column in other.columns):
            sold = Missing(of=ColumnRef(table=table.name, column=join.left_columns[0]), negated=True)
            return (_revenue(table, price, quantity, None, sold),)
    return ()


def _given(table: Table, price: ColumnRef, quantity: ColumnRef, discount: ColumnRef) -> Concept:
    """What a discount given as a share of the price takes off; it is asked for as the total of the discounts."""
    column = Column(name=DISCOUNT, type="decimal", role="measure")
    off = Arithmetic(op="*", left=Arithmetic(op="*", left=price, right=quantity), right=discount)
    parts = " times ".join(spoken(part.column) for part in (price, quantity, discount))
    definition = f"What was given as a discount is {parts}."
    return Concept(table.name, column, off, (table.name,), (), definition)


def _revenue(
    table: Table,
    price: ColumnRef,
    quantity: ColumnRef | None,
    discount: ColumnRef | None,
    sold: Predicate | None = None,
) -> Concept:
    """`sold` ties a price of another table to this table's rows, so that each row counts once."""
    revenue: Expr = price if sold is None else Conditional(when=sold, then=price)
    row = "row" if sold is None else "row's item"
    words = f"Revenue is the {spoken(price.column)} of each {row}"
    if quantity is not None:
        revenue = Arithmetic(op="*", left=revenue, right=quantity)
        words = f"Revenue is {spoken(price.column)} times {spoken(quantity.column)}"
    if discount is not None:
        rest = Arithmetic(op="-", left=Constant(value=1, type="number"), right=discount)
        revenue = Arithmetic(op="*", left=revenue, right=rest)
        words += ", less the discount"
    column = Column(name=REVENUE, type="decimal", role="measure", unit=None)
    return Concept(
        table.name, column, revenue, tuple(dict.fromkeys((table.name, price.table))), ("revenue",), f"{words}."
    )
