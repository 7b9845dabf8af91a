"""How many years a row spans, where a table tells when each began and ended: terms of office, years in service."""

from __future__ import annotations

from apps.analyst.language.concepts import Concept
from apps.analyst.language.morphology import words
from apps.analyst.language.names import split
from apps.analyst.plan import Arithmetic, ColumnRef
from apps.analyst.types import Column, Table

TERM = "(duration)"
TERM_CALLED = (("duration",), ("tenure",), ("service",), ("served",), ("reign",), ("lifespan",), ("years", "served"))
"""What people call it; the first is its own name."""
_BEGINS = words(
    "start started starts begin began begun from since introduced built opened joined join appointed elected "
    "commissioned established founded inaugurated took launched hired born"
)
_ENDS = words(
    "end ended ends to until till left retired withdrawn closed decommissioned dissolved abolished scrapped died "
    "discontinued withdrew"
)
_TOLD = words("duration tenure years length term days months age served service")
"""A column that is called so holds it already."""
_FIRST_YEAR, _LAST_YEAR = 1000, 2200


def terms_of(table: Table) -> tuple[Concept, ...]:
    """The years from a row's beginning to its end; none where a column holds them or several could be meant."""
    years = [column for column in table.columns if _holds_years(column)]
    begins = _fullest([column for column in years if _BEGINS & set(split(column.name))])
    ends = _fullest([column for column in years if _ENDS & set(split(column.name))])
    told = any(_TOLD & set(split(column.name)) for column in table.columns if column not in (*begins, *ends))
    if told or len(begins) != 1 or len(ends) != 1 or begins == ends:
        return ()
    first, last = (ColumnRef(table=table.name, column=column.name) for column in (begins[0], ends[0]))
    column = Column(name=TERM, type="integer", role="measure", unit="years")
    definition = f"Duration is the years from {begins[0].name} to {ends[0].name}."
    span = Arithmetic(op="-", left=last, right=first)
    return (Concept(table.name, column, span, (table.name,), TERM_CALLED[0], definition),)


def _fullest(columns: list[Column]) -> list[Column]:
    """Those of the fewest gaps: a second column of beginnings that hardly a row has is a note."""
    least = min((column.missing for column in columns), default=0)
    return [column for column in columns if column.missing == least]


def _holds_years(column: Column) -> bool:
    low, high = column.minimum, column.maximum
    whole = column.type == "integer" and isinstance(low, int) and isinstance(high, int)
    return whole and isinstance(low, int) and isinstance(high, int) and low >= _FIRST_YEAR and high <= _LAST_YEAR
