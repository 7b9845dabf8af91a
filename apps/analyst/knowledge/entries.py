"""The entries of the knowledge files, and the index that finds them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal[
    "thing", "name", "id", "amount", "count", "price", "rate", "score", "duration", "date", "time", "flag", "status",
    "category", "place", "text", "stock", "share", "measure",
]  # fmt: skip
GROUPING: frozenset[Kind] = frozenset({"category", "status", "place"})
"""What a column is whose values are kinds of something, and name nobody."""
Direction = Literal["high", "low"]
Unit = Literal["percent", "ratio", "money", "days", "count"]
Words = tuple[str, ...]


@dataclass(frozen=True)
class Concept:
    """What a column can be."""

    id: str
    kind: Kind
    label: str
    columns: Words = ()
    headers: Words = ()
    """Names of columns in the exports of known products, whole or not at all: of "order item id" an order's id has
    nothing."""
    words: Words = ()
    called: Words = ()
    """What it may be called, too, where the data have nothing nearer: the value of orders is a shop's revenue."""

    @property
    def domain(self) -> str:
        return self.id.partition(".")[0]


@dataclass(frozen=True)
class Verb:
    """What happens, who does it, what it is done to, and the date and the figure that belong to it."""

    domain: str
    words: Words
    event: str
    subject: str = ""
    object: str = ""
    date: str = ""
    amount: str = ""


@dataclass(frozen=True)
class Adjective:
    """A word that ranks by a figure, and which end of it is meant."""

    domain: str
    words: Words
    of: str
    direction: Direction


@dataclass(frozen=True)
class State:
    """A state that a thing is in: how people say it, and how the data write it."""

    domain: str
    words: Words
    of: str
    values: Words = ()
    flags: Words = ()
    opposites: Words = ()
    missing: Words = ()
    present: Words = ()


@dataclass(frozen=True)
class Codes:
    """What the codes of a column stand for."""

    domain: str
    of: str
    values: Mapping[str, str] = field(hash=False)


@dataclass(frozen=True)
class Periods:
    """How many months the periods last that a column's values name, where an amount beside it is per such a period."""

    domain: str
    of: str
    months: Mapping[str, float] = field(hash=False)


@dataclass(frozen=True)
class Derived:
    """A figure that is computed from others."""

    domain: str
    words: Words
    formula: str
    unit: Unit
    less: str = ""
    """What is taken off each row where the data have it as a fraction: a discount of 0.05."""
    whole: str = ""
    """The amount of a whole thing, as an order, that comes from such figures of its lines."""


@dataclass(frozen=True)
class Units:
    """The units that names of columns state: in brackets, and as a name's last word."""

    bracketed: frozenset[str]
    ending: frozenset[str]


Positions = Mapping[str, Sequence[int]]


@dataclass(frozen=True)
class Index:
    """Where to find entries: folded phrases with the positions of the entries that have them; compiled with these."""

    said: Positions = field(default_factory=dict)
    verbs: Positions = field(default_factory=dict)
    adjectives: Positions = field(default_factory=dict)
    states: Positions = field(default_factory=dict)
    values: Positions = field(default_factory=dict)
    opposites: Positions = field(default_factory=dict)
    flags: Positions = field(default_factory=dict)
    derived: Positions = field(default_factory=dict)
    names: Sequence[str] = ()
    """The names that a column may have, in content words."""
    named: Sequence[int] = ()
    """For each of the names, the position of its concept."""
    headers: Positions = field(default_factory=dict)
    """Names that a column has whole or not at all, in content words."""
    spoken: Sequence[str] = ()
    """The words that people say, as they are written and in the singular."""
    written: Sequence[str] = ()
    """The other words of names and expansions."""
