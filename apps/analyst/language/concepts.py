"""Figures that people ask for and the data holds only in parts: revenue as price times quantity, less the discount.

A concept stands in the lexicon like a column, with a name no file can have, and becomes an expression in the plan.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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
PROFIT = "(profit)"
ALSO_CALLED = {
    ("revenue",): (("sales",), ("turnover",), ("revenue",)),
    ("profit",): (("gross", "profit"), ("profit",)),
    ("stock", "value"): (("inventory", "value"), ("stock", "value")),
}
"""What people call a concept, its own words last."""
_AMOUNTS = frozenset(form for word in ("revenue", "amount", "sales", "turnover", "total") for form in keys(word))
_PAID = frozenset(form for word in ("paid", "sold") for form in keys(word))
_MOST_DATES = 6
_STORED = frozenset(form for word in ("stock", "inventory", "warehouse") for form in keys(word))
_PIECES = frozenset(form for word in ("unit", "piece", "copy", "item") for form in keys(word))
_BESIDE_PIECES = frozenset(form for word in ("sold", "number", "no", "of", "ordered") for form in keys(word))
_BUYING = frozenset(form for word in ("buy", "buying", "purchase", "cost") for form in keys(word))
_CARRIAGE = frozenset(form for word in ("freight", "shipping", "delivery", "transport") for form in keys(word))
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
    margin = _margin(table) or _stock_value(table) or _stock_elsewhere(table, tables, joins)
    if margin is not None or any(_is_amount(column) for column in table.columns):
        return () if margin is None else (margin,)
    price, quantity = _price(table), _pieces(table)
    if _is_stored(table) or _only_links(table, joins):
        return ()
    if price is not None and quantity is not None:
        discount = _fraction(table, _find(table, "discount"))
        made: tuple[Concept, ...] = (_revenue(table, price, quantity, discount),)
    elif price is not None and _is_paid(table, price, joins):
        made = (_revenue(table, price, None, None),)
    elif price is None:
        made = _priced_elsewhere(table, quantity, tables, joins)
    else:
        return ()
    return (*made, *(each for one in made for each in _profit(table, one, quantity, tables, joins)))


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


def _stock_elsewhere(table: Table, tables: Sequence[Table], joins: Iterable[JoinPath]) -> Concept | None:
    """What is in store, at the cost or price that stands in the table of items."""
    stock = _find(table, "stock") or _find(table, "inventory") or (_pieces(table) if _is_stored(table) else None)
    if stock is None or not _is_stored(table):
        return None
    for other, key in _items(table, tables, joins):
        worth = _cost(other) or _price(other)
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
    if any(_find(each, word) for each in tables for word in ("profit", "margin")):
        return ()
    cost: Expr | None = _cost(table)
    named = cost
    places: tuple[str, ...] = (table.name,)
    for other, key in _items(table, tables, joins) if cost is None else ():
        named = _cost(other)
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


def _items(table: Table, tables: Sequence[Table], joins: Iterable[JoinPath]) -> Iterator[tuple[Table, ColumnRef]]:
    """The tables that a table's rows refer to, each with the key that does."""
    for join in joins:
        other = next((t for t in tables if t.name == join.right_table), None)
        if join.left_table == table.name and join.right_unique and other is not None and other.rows < table.rows:
            yield other, ColumnRef(table=table.name, column=join.left_columns[0])


def _price(table: Table) -> ColumnRef | None:
    """What a piece is sold for, not what it was bought for."""
    return _find(table, "price", _BUYING)


def _cost(table: Table) -> ColumnRef | None:
    """What a piece cost the seller."""
    return next((found for word in ("cost", "buy", "purchase") if (found := _find(table, word, _CARRIAGE))), None)


def _pieces(table: Table) -> ColumnRef | None:
    """How many pieces a row stands for: its quantity, or a column of "units (sold)" and the like."""
    named = _find(table, "quantity")
    if named is not None:
        return named
    for column in table.columns:
        said = [keys(part) for part in split(column.name)]
        pieces = any(forms & _PIECES for forms in said) and all(forms & (_PIECES | _BESIDE_PIECES) for forms in said)
        if column.type == "integer" and column.role != "id" and pieces:
            return ColumnRef(table=table.name, column=column.name)
    return None


def _is_stored(table: Table) -> bool:
    """True for a table of what lies in store, which nobody has bought."""
    return any(keys(word) & _STORED for word in split(table.name))


def _only_links(table: Table, joins: Iterable[JoinPath]) -> bool:
    """True for a table that only ties two others together ("playlist, track")."""
    links = {join.left_columns[0] for join in joins if join.left_table == table.name}
    return len(table.columns) > 1 and all(column.name in links for column in table.columns)


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


def _is_paid(table: Table, price: ColumnRef, joins: Iterable[JoinPath]) -> bool:
    """True for what was paid in a sale of one piece: a dated row that refers to what was sold, at its "price paid"."""
    paid = any(keys(word) & _PAID for word in split(price.column))
    dated = any(column.type in ("date", "datetime") for column in table.columns)
    return paid and dated and any(join.left_table == table.name and join.right_unique for join in joins)


def _priced_elsewhere(
    table: Table, quantity: ColumnRef | None, tables: Sequence[Table], joins: Iterable[JoinPath]
) -> tuple[Concept, ...]:
    """Order lines whose item's price stands in the table of items."""
    for join in joins:
        other = next((t for t in tables if t.name == join.right_table), None)
        if join.left_table != table.name or not join.right_unique or other is None or other.rows >= table.rows:
            continue
        price = _price(other)
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


def _find(table: Table, word: str, without: frozenset[str] = frozenset()) -> ColumnRef | None:
    forms = keys(word)
    for column in table.columns:
        said = [keys(part) for part in split(column.name)]
        if column.type in _NUMERIC and any(s & forms for s in said) and not any(s & without for s in said):
            return ColumnRef(table=table.name, column=column.name)
    return None
