"""Which columns of a table are the price, the pieces, the cost: what derived figures are made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from apps.analyst.language.morphology import keys
from apps.analyst.language.names import split
from apps.analyst.plan import ColumnRef
from apps.analyst.types import Column, JoinPath, Table

_AMOUNTS = frozenset(form for word in ("revenue", "amount", "sales", "turnover", "total") for form in keys(word))
_PAID = frozenset(form for word in ("paid", "sold") for form in keys(word))
_SALES = frozenset(
    form
    for word in ("booking", "purchase", "sale", "rental", "reservation", "appointment", "ticket", "enrolment", "lesson")
    for form in keys(word)
)
"""What somebody has paid for once it is there: a row's price is what came in for it."""
_STORED = frozenset(form for word in ("stock", "inventory", "warehouse") for form in keys(word))
_PIECES = frozenset(form for word in ("unit", "piece", "copy", "item") for form in keys(word))
_BESIDE_PIECES = frozenset(form for word in ("sold", "number", "no", "of", "ordered", "booked") for form in keys(word))
_BUYING = frozenset(form for word in ("buy", "buying", "purchase", "cost") for form in keys(word))
_PRICES = frozenset(("price", "fee", "fare"))
_CARRIAGE = frozenset(form for word in ("freight", "shipping", "delivery", "transport") for form in keys(word))
_NUMERIC = ("integer", "decimal", "float")


def items_of(table: Table, tables: Sequence[Table], joins: Iterable[JoinPath]) -> Iterator[tuple[Table, ColumnRef]]:
    """The tables that a table's rows refer to by one column, each with the key that does."""
    for join in joins:
        other = next((t for t in tables if t.name == join.right_table), None)
        refers = join.left_table == table.name and join.right_unique and len(join.left_columns) == 1
        if refers and other is not None and other.rows < table.rows:
            yield other, ColumnRef(table=table.name, column=join.left_columns[0])


def price_of(table: Table) -> ColumnRef | None:
    """What a piece is sold for, not what it was bought for."""
    return find_column(table, "price", _BUYING)


def cost_of(table: Table) -> ColumnRef | None:
    """What a piece cost the seller."""
    return next((found for word in ("cost", "buy", "purchase") if (found := find_column(table, word, _CARRIAGE))), None)


def pieces_of(table: Table) -> ColumnRef | None:
    """How many pieces a row stands for: its quantity, or a column of "units (sold)" and the like."""
    named = find_column(table, "quantity")
    if named is not None:
        return named
    for column in table.columns:
        said = [keys(part) for part in split(column.name)]
        pieces = any(forms & _PIECES for forms in said) and all(forms & (_PIECES | _BESIDE_PIECES) for forms in said)
        if column.type == "integer" and column.role != "id" and pieces:
            return ColumnRef(table=table.name, column=column.name)
    return None


def priced_by_the_piece(table: Table) -> tuple[ColumnRef, ColumnRef] | None:
    """ "price per seat" beside "seats": what a row's pieces are called, its price says."""
    for column in table.columns:
        said = split(column.name)
        if column.type not in _NUMERIC or "per" not in said[1:-1] or not set(said[: said.index("per")]) & _PRICES:
            continue
        piece = [keys(word) for word in said[said.index("per") + 1 :]]
        pieces = next((other for other in table.columns if _is_number_of(other, piece)), None)
        if pieces is not None:
            return ColumnRef(table=table.name, column=column.name), ColumnRef(table=table.name, column=pieces.name)
    return None


def _is_number_of(column: Column, piece: Sequence[frozenset[str]]) -> bool:
    """True for "seats", "seats sold", "number of seats"."""
    own = [keys(word) for word in split(column.name)]
    named = all(any(forms & word for forms in own) for word in piece)
    only = all(any(forms & word for word in (*piece, _BESIDE_PIECES)) for forms in own)
    return named and only and column.type in _NUMERIC and column.role != "id"


def is_stored(table: Table) -> bool:
    """True for a table of what lies in store, which nobody has bought."""
    return any(keys(word) & _STORED for word in split(table.name))


def only_links(table: Table, joins: Iterable[JoinPath]) -> bool:
    """True for a table that only ties two others together ("playlist, track")."""
    links = {join.left_columns[0] for join in joins if join.left_table == table.name}
    return len(table.columns) > 1 and all(column.name in links for column in table.columns)


def shortest_named(table: Table, words: tuple[str, ...]) -> ColumnRef | None:
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


def is_paid(table: Table, price: ColumnRef, joins: Iterable[JoinPath]) -> bool:
    """True for what was paid in a sale of one piece: a dated row that refers to what was sold or to whom, at its "price
    paid" or in a table of "bookings"."""
    paid = any(keys(word) & _PAID for word in split(price.column)) or bool(keys(split(table.name)[-1]) & _SALES)
    dated = any(column.type in ("date", "datetime") for column in table.columns)
    return paid and dated and any(join.left_table == table.name and join.right_unique for join in joins)


def fraction_of(table: Table, discount: ColumnRef | None) -> ColumnRef | None:
    """A discount given as a share of the price; amounts of money are left out."""
    if discount is None:
        return None
    maximum = next(c.maximum for c in table.columns if c.name == discount.column)
    return discount if maximum is not None and float(str(maximum)) <= 1 else None


def is_amount(column: Column) -> bool:
    named = any(keys(word) & _AMOUNTS for word in split(column.name))
    return column.type in _NUMERIC and column.role != "id" and named


def find_column(table: Table, word: str, without: frozenset[str] = frozenset()) -> ColumnRef | None:
    forms = keys(word)
    for column in table.columns:
        said = [keys(part) for part in split(column.name)]
        if column.type in _NUMERIC and any(s & forms for s in said) and not any(s & without for s in said):
            return ColumnRef(table=table.name, column=column.name)
    return None
