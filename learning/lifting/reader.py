"""What all parts of lifting a query share: the catalog, the names of one SELECT, and the roads to the other parts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date

from sqlglot import exp

from apps.analyst.ports import Catalog
from apps.analyst.types import Table
from learning.lifting.days import day_of
from learning.lifting.sketches import Node, NotLifted

Ctes = Mapping[str, exp.Expression]
"""The common table expressions that a query may name."""
Of = Callable[[exp.Expression], Node]
"""Lifts a part of an expression."""


@dataclass
class Env:
    """What names mean inside one SELECT: alias -> table, and for derived tables their named expressions."""

    ctes: Ctes
    tables: dict[str, str] = field(default_factory=dict)
    derived: dict[str, Mapping[str, exp.Expression]] = field(default_factory=dict)
    merged: dict[str, Env] = field(default_factory=dict)
    figures: dict[str, Mapping[str, tuple[exp.Expression, Env, Node]]] = field(default_factory=dict)
    """The figures of inner queries of groups, each with the names inside and the condition of its rows."""
    aliases: Mapping[str, exp.Expression] = field(default_factory=dict)
    """The items of the SELECT by their names."""

    def item(self, e: exp.Expression) -> exp.Expression:
        """The item of the SELECT that a name stands for, else the expression itself."""
        if isinstance(e, exp.Column) and e.name.casefold() in self.aliases:
            return self.aliases[e.name.casefold()]
        return e


class Reader(ABC):
    """A query being lifted. What may stand in it is spread over the classes that follow, one family of forms each."""

    def __init__(self, catalog: Catalog, today: date | None) -> None:
        self.catalog = catalog
        self.today = today
        self.by_name = {table.name: table for table in catalog.tables()}

    @abstractmethod
    def query(self, tree: exp.Expression, ctes: Ctes) -> Node:
        """A whole query."""

    @abstractmethod
    def value(self, e: exp.Expression, env: Env) -> Node:
        """What the expression gives for a row."""

    @abstractmethod
    def measure(self, e: exp.Expression, env: Env) -> Node:
        """A figure over rows."""

    @abstractmethod
    def arithmetic(self, e: exp.Expression, of: Of) -> Node:
        """Figures computed with each other."""

    @abstractmethod
    def conjunction(self, e: exp.Expression, env: Env) -> Node:
        """Conditions that all have to hold, two ends of a stretch of time put together."""

    @abstractmethod
    def pred(self, e: exp.Expression, env: Env) -> Node:
        """One condition."""

    def day(self, e: exp.Expression | None) -> date | None:
        """The day that is written there, or counted from today."""
        return day_of(e, self.today)

    def table(self, name: str) -> Table:
        """The table of that name."""
        return self.by_name[name]

    def is_date(self, node: Node) -> bool:
        """Whether a value is a stored date."""
        if node[0] != "C":
            return False
        column = self.table(node[1]).column(node[2])
        return column is not None and column.type in ("date", "datetime")

    def only_year(self, node: Node) -> int | None:
        """The year that all days of a stored date lie in; None where they lie in several."""
        column = self.table(node[1]).column(node[2])
        ends = [str(end)[:4] for end in (column.minimum, column.maximum)] if column is not None else []
        return int(ends[0]) if len(set(ends)) == 1 and ends[0].isdigit() else None

    def date_column(self, e: exp.Expression, env: Env) -> Node:
        """The stored date that the expression is."""
        node = self.value(e, env)
        if not self.is_date(node):
            raise NotLifted("no date column")
        return node
