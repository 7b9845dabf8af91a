"""What all parts of reading one SELECT share: its scan, its names, and the roads to the parts that other files hold."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlglot import exp

from apps.analyst.computing.compile.scope import Shape
from apps.analyst.plan import Constant, Expr, Predicate
from apps.analyst.plan.lift.reasons import NotLifted
from apps.analyst.plan.lift.scans import Derived, Desk, Names, Scan


@dataclass(frozen=True)
class Cte:
    """A common table expression with those that it may name."""

    tree: exp.Expr
    known: Mapping[str, Cte]


@dataclass
class Reader(ABC):
    """One SELECT being read. What may stand in it is spread over the classes that follow, one family of forms each."""

    desk: Desk
    ctes: Mapping[str, Cte]
    outer: Reader | None = None
    scan: Scan = field(init=False)
    names: Names = field(init=False)
    aliases: dict[str, exp.Expr] = field(init=False)
    """The items of the SELECT by their names: GROUP BY, HAVING and ORDER BY may use them."""
    _open: set[str] = field(init=False)

    def __post_init__(self) -> None:
        self.scan, self.names, self.aliases, self._open = Scan(self.desk), Names(), {}, set()

    @abstractmethod
    def value(self, e: exp.Expr) -> Expr:
        """What the expression gives for a row, or for a group."""

    @abstractmethod
    def condition(self, e: exp.Expr) -> Predicate:
        """The condition."""

    @abstractmethod
    def figure(self, e: exp.Expr) -> Expr:
        """A figure over a group."""

    @abstractmethod
    def window(self, e: exp.Window) -> Expr:
        """A figure that looks across rows."""

    @abstractmethod
    def subquery(self, e: exp.Expr) -> Derived:
        """A query that stands inside, as a plan."""

    @abstractmethod
    def correlated(self, e: exp.Select) -> tuple[Derived, Expr] | None:
        """A query about the rows around it: the groups of its key with its figure, and the key out here."""

    def shape(self, expr: Expr) -> Shape:
        """The type and unit of an expression."""
        return self.scan.shape(expr)

    def column(self, e: exp.Column) -> Expr:
        """What a column stands for: a stored one, one of an inner query, or an item of this SELECT."""
        found = self.names.find(e)
        if found is not None:
            return found.expr
        name = e.name.casefold()
        if not e.table and name in self.aliases and name not in self._open:
            self._open.add(name)
            try:
                return self.value(self.aliases[name])
            finally:
                self._open.discard(name)
        if not isinstance(e.this, exp.Identifier):
            raise NotLifted("no column")
        if e.this.quoted and not e.table:
            return Constant(value=e.name)  # some engines take an unknown name in double quotes for a text
        raise NotLifted("column of an outer query" if self._outside(e) else "no such column")

    def _outside(self, e: exp.Column) -> bool:
        return self.outer is not None and (self.outer.names.find(e) is not None or self.outer._outside(e))

    def reaches_out(self, e: exp.Expr) -> bool:
        """Whether the expression names a column of the query around this one."""
        return any(
            isinstance(part, exp.Column) and self.names.find(part) is None and self._outside(part) for part in e.walk()
        )
