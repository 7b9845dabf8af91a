"""Figures that people ask for and the data holds only in parts: revenue as price times quantity, less the discount.

A concept stands in the lexicon like a column, with a name no file can have, and becomes an expression in the plan.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations

from apps.analyst.formats import spoken
from apps.analyst.language.morphology import keys
from apps.analyst.language.names import split
from apps.analyst.plan import Arithmetic, Call, ColumnRef, Conditional, Constant, Expr, Missing, Predicate
from apps.analyst.types import Column, JoinPath, Table

REVENUE = "(revenue)"
MARGIN = "(profit margin)"
STOCK_VALUE = "(stock value)"
ALSO_CALLED = {
    ("revenue",): (("sales",), ("turnover",), ("revenue",)),
    ("stock", "value"): (("inventory", "value"), ("stock", "value")),
}
"""What people call a concept, its own words last."""
_AMOUNTS = frozenset(form for word in ("revenue", "amount", "sales", "turnover", "total") for form in keys(word))
_MOST_DATES = 6
_NUMERIC = ("integer", "decimal", "float")


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


def days_from(table: str, first: str, last: str) -> str:
    """The name of the days that lie between two dates of a row."""
    return f"(days from {first} to {last})"


def durations_of(table: Table) -> tuple[Concept, ...]:
    """The days between any two dates of a row; no word names them, so only who looks for them finds them."""
    dates = [column for column in table.columns if column.type in ("date", "datetime")]
    if len(dates) > _MOST_DATES:
        return ()
    found = []
    for first, last in permutations(dates, 2):
        refs = tuple(ColumnRef(table=table.name, column=column.name) for column in (first, last))
        name = days_from(table.name, first.name, last.name)
        column = Column(name=name, type="integer", role="dimension", unit="days")
        found.append(Concept(table.name, column, Call(name="days_between", args=refs), (table.name,), (), ""))
    return tuple(found)


def concepts_of(table: Table, tables: Sequence[Table], joins: Iterable[JoinPath]) -> tuple[Concept, ...]:
    """The concepts that a table's columns, or those of the tables its rows refer to, make possible."""
    margin = _margin(table) or _stock_value(table)
    if margin is not None or any(_is_amount(column) for column in table.columns):
        return () if margin is None else (margin,)
    price, quantity = _find(table, "price"), _find(table, "quantity")
    if price is not None and quantity is not None:
        discount = _fraction(table, _find(table, "discount"))
        return (_revenue(table, price, quantity, discount),)
    if price is None:
        return _priced_elsewhere(table, quantity, tables, joins)
    return ()


def _margin(table: Table) -> Concept | None:
    """Profit over sales, where both are known and no column holds it."""
    profit, sales = _shortest(table, ("profit",)), _shortest(table, ("sales", "revenue", "turnover"))
    if profit is None or sales is None or profit == sales or _find(table, "margin") is not None:
        return None
    column = Column(name=MARGIN, type="decimal", role="measure", unit="%")
    definition = f"Profit margin is the total of {profit.column.strip()} over the total of {sales.column.strip()}."
    return Concept(table.name, column, profit, (table.name,), ("profit", "margin"), definition, over=sales)


def _stock_value(table: Table) -> Concept | None:
    """What is in store, at its price."""
    price, stock = _find(table, "price"), _find(table, "stock") or _find(table, "inventory")
    if price is None or stock is None or price == stock or _find(table, "value") is not None:
        return None
    column = Column(name=STOCK_VALUE, type="decimal", role="measure")
    worth = Arithmetic(op="*", left=price, right=stock)
    definition = f"Stock value is {spoken(stock.column)} times {spoken(price.column)}."
    return Concept(table.name, column, worth, (table.name,), ("stock", "value"), definition)


def _shortest(table: Table, words: tuple[str, ...]) -> ColumnRef | None:
    """The column that is called by one of these words and by the fewest others."""
    for word in words:
        named = [
            (len(split(column.name)), place, column.name)
            for place, column in enumerate(table.columns)
            if column.type in _NUMERIC and any(keys(part) & keys(word) for part in split(column.name))
        ]
        if named:
            return ColumnRef(table=table.name, column=min(named)[2])
    return None


def _priced_elsewhere(
    table: Table, quantity: ColumnRef | None, tables: Sequence[Table], joins: Iterable[JoinPath]
) -> tuple[Concept, ...]:
    """Order lines whose item's price stands in the table of items."""
    for join in joins:
        other = next((t for t in tables if t.name == join.right_table), None)
        if join.left_table != table.name or not join.right_unique or other is None or other.rows >= table.rows:
            continue
        price = _find(other, "price")
        if price is not None and not any(_is_amount(column) for column in other.columns):
            sold = Missing(of=ColumnRef(table=table.name, column=join.left_columns[0]), negated=True)
            return (_revenue(table, price, quantity, None, sold),)
    return ()


def _revenue(
    table: Table,
    price: ColumnRef,
    quantity: ColumnRef | None,
    discount: ColumnRef | None,
    sold: Predicate | None = None,
) -> Concept:
    """`sold` ties a price of another table to this table's rows, so that each row counts once."""
    revenue: Expr = price if sold is None else Conditional(when=sold, then=price)
    words = "Revenue is the price of each row's item"
    if quantity is not None:
        revenue = Arithmetic(op="*", left=revenue, right=quantity)
        words = "Revenue is price times quantity"
    if discount is not None:
        rest = Arithmetic(op="-", left=Constant(value=1, type="number"), right=discount)
        revenue = Arithmetic(op="*", left=revenue, right=rest)
        words += ", less the discount"
    column = Column(name=REVENUE, type="decimal", role="measure", unit=None)
    return Concept(
        table.name, column, revenue, tuple(dict.fromkeys((table.name, price.table))), ("revenue",), f"{words}."
    )


def _fraction(table: Table, discount: ColumnRef | None) -> ColumnRef | None:
    """A discount given as a share of the price; amounts of money are left out."""
    if discount is None:
        return None
    maximum = next(c.maximum for c in table.columns if c.name == discount.column)
    return discount if maximum is not None and float(str(maximum)) <= 1 else None


def _is_amount(column: Column) -> bool:
    named = any(keys(word) & _AMOUNTS for word in split(column.name))
    return column.type in _NUMERIC and column.role != "id" and named


def _find(table: Table, word: str) -> ColumnRef | None:
    forms = keys(word)
    for column in table.columns:
        if column.type in _NUMERIC and any(keys(part) & forms for part in split(column.name)):
            return ColumnRef(table=table.name, column=column.name)
    return None
