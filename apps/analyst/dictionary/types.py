"""What a table and its columns mean, as values. How that is found out stands in `meaning`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["measure", "dimension", "time", "identifier", "flag", "text"]
Adds = Literal["sum", "average", "last"]
"""How a measure may be aggregated: it adds up; it is averaged, because a sum of prices says nothing; or it adds up over
things but not over time, where the last value of each counts (stock, balances)."""

Concepts = tuple[tuple[str, float], ...]
"""Ids of concepts with confidences from 0 to 1, best first."""


FIRST_NAME, LAST_NAME = "people.first_name", "people.last_name"
"""The concepts of the two halves of a person's name."""


@dataclass(frozen=True, slots=True)
class ColumnMeaning:
    """What one column means."""

    name: str
    """The column's name, to the letter."""
    label: str
    kind: Kind
    concepts: Concepts = ()
    adds: Adds | None = None
    """Measures only."""
    unit: str | None = None
    """As for `Column.unit`: a currency code, "%", or a word such as "days"."""
    money: bool = False
    """True for figures of money, also where nothing says in which currency."""
    says: Mapping[str, str] = field(default_factory=dict, hash=False)
    """What stored values of a flag or a column of codes mean, where it is not what they say: {"HB": "half board"}."""
    event: str = ""
    """Times only: what happened then, as a noun ("delivery")."""
    synonyms: tuple[str, ...] = ()
    """What else people call the column; only people teach these."""
    value_synonyms: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    """What else people call a stored value; only people teach these."""

    @property
    def concept(self) -> str | None:
        """The id of the likeliest concept, or None."""
        return self.concepts[0][0] if self.concepts else None

    @property
    def confidence(self) -> float:
        """How sure the concept is, from 0 to 1."""
        return self.concepts[0][1] if self.concepts else 0.0


@dataclass(frozen=True, slots=True)
class TableMeaning:
    """What one table means. Columns are given by their names, to the letter."""

    table: str
    row: str
    """What one row is: "order line"."""
    rows: str
    """What several are: "order lines"."""
    columns: tuple[ColumnMeaning, ...]
    name_column: str | None = None
    """The column that says what a row is called: a person's or a thing's name."""
    key_column: str | None = None
    """The column that tells the rows apart."""
    date_column: str | None = None
    """The date that is meant where none is named."""
    whole: str = ""
    """What the rows are lines of, where the table tells it on the first line only: "order". "" for all others."""
    whole_columns: tuple[str, ...] = ()
    """The columns that tell these apart: the one that repeats on their lines, then others that say the same."""

    def column(self, name: str) -> ColumnMeaning | None:
        """The meaning of the column of that exact name, or None."""
        return next((column for column in self.columns if column.name == name), None)
