"""Figures that knowledge has a formula for, made of one table's columns and states: "loss rate" of the stages that say
won and lost, monthly revenue of amounts that are per month in some rows and per year in others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from apps.analyst.computing.compile.walk import within
from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.dictionary.types import TableMeaning
from apps.analyst.knowledge.arithmetic import Sign
from apps.analyst.knowledge.entries import Derived
from apps.analyst.knowledge.folding import folded
from apps.analyst.knowledge.formulas import Figure as Term
from apps.analyst.knowledge.formulas import Made, Part, Tree, figures, tree_of
from apps.analyst.knowledge.loader import knowledge
from apps.analyst.plan import (
    Aggregate,
    AnyOf,
    Arithmetic,
    Call,
    ColumnRef,
    Constant,
    Expr,
    Missing,
    Output,
    Predicate,
    Query,
)
from apps.analyst.plan.conditions import together
from apps.analyst.ports import Catalog
from apps.analyst.reading.keywords.formula_rows import NUMBERS
from apps.analyst.reading.keywords.formulas import Figure, Formula, hundred, only
from apps.analyst.reading.keywords.states import by_month, state_in, test_of
from apps.analyst.reading.keywords.term_columns import meant_columns
from apps.analyst.telling.formats import capital, is_money, listed, spoken
from apps.analyst.types import Column, Table

SURE = 0.9
"""How sure the dictionary is of what a column is, so that a formula may use it: yearly revenue is no monthly one."""
_DEEPEST = 2
"""How many formulas lie within each other: what comes in a year is twelve times what comes in a month."""
_SIGNS = {"*": "×", "/": "÷", "-": "−"}


@dataclass(frozen=True, slots=True)
class MadeOf:
    """A figure as a formula over a table, and in words."""

    formula: Formula
    text: str


@dataclass(frozen=True, slots=True)
class _Bound:
    """A part of a formula over a table: what to compute, in which currency, in words, and whether words and signs have
    to be kept together."""

    expr: Expr
    unit: str | None
    text: str
    joint: bool = False


def made_of(phrase: str, catalog: Catalog) -> MadeOf | None:
    """What a figure is made of, where one table has all of it; None where none does, or several do, and for plain sums,
    products and averages, which are read as they are said."""
    known = dictionary_of(catalog)
    for derived in knowledge().derived_of(phrase):
        tree = tree_of(derived.formula)
        if tree is None or not _is_made_here(tree, derived):
            continue
        over = (_Over(derived, table, known.get(table.name)) for table in catalog.tables())
        found = [(one, bound) for one in over if (bound := one.bound(tree)) is not None]
        if len(found) > 1:
            return None
        for one, bound in found:
            if not _is_mean(bound.expr) and any(isinstance(node, Aggregate) for node in within(bound.expr)):
                return MadeOf(_formula(phrase, derived, bound, one), bound.text)
    return None


def _is_mean(expr: Expr) -> bool:
    """Whether a formula is the mean of a column over all rows."""
    parts = (expr.left, expr.right) if isinstance(expr, Arithmetic) and expr.op == "/" else ()
    return [(one.fn, one.distinct, one.where) for one in parts if isinstance(one, Aggregate)] == [
        ("sum", False, None),
        ("count", False, None),
    ]


def lacking(phrase: str, catalog: Catalog) -> str | None:
    """Why a figure that knowledge has a formula for cannot be made here: what it is made of, and what of that no table
    has; None where it can be, and for what is not made here."""
    trees = [(one, tree) for one in knowledge().derived_of(phrase) if (tree := tree_of(one.formula)) is not None]
    trees = [(one, tree) for one, tree in trees if _is_made_here(tree, one)]
    tables = catalog.tables()
    if not trees or not tables or made_of(phrase, catalog) is not None:
        return None
    known = dictionary_of(catalog)
    tried = ((tree, _Over(one, table, known.get(table.name))) for one, tree in trees for table in tables)
    tree, missing = min(((tree, over.missing(tree)) for tree, over in tried), key=lambda pair: len(pair[1]))
    wanted = f"; I find no table with {listed(missing)}" if missing else ""
    return f"{shown(phrase)} is {_said(tree)}{wanted}."


def _is_made_here(tree: Tree, derived: Derived) -> bool:
    """Whether a formula is more than sums of columns: it counts, asks for a state, divides, or goes on from another.
    A share of all rows is none: whoever asks for a rate leaves out what is not decided yet, and says so."""
    terms = list(figures(tree))
    of_all = isinstance(tree, Made) and tree.sign == "/" and isinstance(tree.right, Term) and tree.right.fn == "count"
    if derived.unit == "days" or (of_all and any(part.state for part in terms[0].of) and not terms[-1].of[0].state):
        return False
    stated = any(part.state or part.per for term in terms for part in term.of)
    goes_on = isinstance(tree, Made) and tree.sign == "*" and isinstance(tree.right, float)
    parts = isinstance(tree, Made) and tree.sign in "/-" and all(term.fn in ("", "sum", "count") for term in terms)
    return bool(terms) and (stated or goes_on or parts)


@dataclass(frozen=True, slots=True)
class _Over:
    """A formula over one table."""

    derived: Derived
    table: Table
    meaning: TableMeaning | None
    depth: int = 0

    def bound(self, tree: Tree) -> _Bound | None:
        """A tree over the table; None where the table lacks something of it."""
        if isinstance(tree, float):
            value = int(tree) if tree.is_integer() else tree
            return _Bound(Constant(value=value, type="number"), None, f"{value}")
        if isinstance(tree, Term):
            return self._counted(tree) if tree.fn == "count" else self._amount(tree)
        left, right = self.bound(tree.left), self.bound(tree.right)
        if left is None or right is None or left.expr == right.expr:
            return None  # a figure set against itself tells nothing
        joined = _joined(tree.sign, left, right)
        return self._of_given(joined) if tree.sign == "/" else joined

    def _of_given(self, quotient: _Bound) -> _Bound:
        """A quotient of sums over the rows alone that have both: seats that never flew are none of a flight's."""
        parts = [node.of for node in within(quotient.expr) if isinstance(node, Aggregate)]
        summed = [part for part in parts if isinstance(part, ColumnRef)]
        gaps = [part for part in summed if (column := self.table.column(part.column)) is not None and column.missing]
        if len(summed) < len(parts) or not gaps:
            return quotient
        given = together([Missing(of=part, negated=True) for part in dict.fromkeys(gaps)])
        return replace(quotient, expr=only(quotient.expr, given))

    def missing(self, tree: Tree) -> list[str]:
        """What of a tree the table does not have, in words."""
        return list(dict.fromkeys(_said(term) for term in figures(tree) if self.bound(term) is None))

    def _amount(self, term: Term) -> _Bound | None:
        (part,) = term.of if len(term.of) == 1 else (None,)
        if part is None or self.meaning is None:
            return None
        column = self._column(part.name)
        if column is None:
            return None if part.state or part.per else self._derived(part.name)
        means = self.meaning.column(column.name)
        if means is None or (not term.fn and means.adds != "sum"):
            return None
        of: Expr = ColumnRef(table=self.table.name, column=column.name)
        said = spoken(column.name)
        if part.per:
            period = self._period(part.per)
            brought = by_month(of, period, self.table) if period is not None else None
            if period is None or brought is None:
                return None
            of, said = brought, f"{said} per month of {spoken(period.name)}"
        where, told = self._where((part,))
        if part.state and where is None:
            return None
        fn = "avg" if term.fn == "average" else "sum"
        text = f"{'average' if fn == 'avg' else 'total'} {said}{told}"
        unit = means.unit if is_money(means.unit) else None
        return _Bound(Aggregate(fn=fn, of=of, where=where), unit, text, bool(told))

    def _counted(self, term: Term) -> _Bound | None:
        if self.meaning is None or len({part.name for part in term.of}) != 1:
            return None
        name = term.of[0].name
        of, counted = None, self.meaning.rows
        if not self._is_row(name):
            column = self._thing(name)
            if column is None or any(part.state for part in term.of):
                return None
            of = ColumnRef(table=self.table.name, column=column.name)
            counted = f"number of different {spoken(column.name)}"
        where, told = self._where(term.of)
        if where is None and any(part.state for part in term.of):
            return None
        expr = Aggregate(fn="count", of=of, distinct=of is not None, where=where)
        return _Bound(expr, None, f"{counted}{told}", bool(told))

    def _where(self, parts: tuple[Part, ...]) -> tuple[Predicate | None, str]:
        """That rows are in one of the states of some parts, and how that is said; nothing where one is not told."""
        assert self.meaning is not None
        found = [state_in(part.state, self.derived.domain, self.table, self.meaning) for part in parts if part.state]
        known = [one for one in found if one is not None]
        if not known or len(known) < len(found) or len({column.name for column, _ in known}) != 1:
            return None, ""
        tests = tuple(test_of(one, self.table) for one in known)
        values = [value for _, said in known for value in said]
        told = f" where {spoken(known[0][0].name)} is {listed(values, 'or')}"
        return (tests[0] if len(tests) == 1 else AnyOf(of=tests)), told

    def _column(self, term: str) -> Column | None:
        return self._surest(term, lambda column: column.type in NUMBERS)

    def _period(self, term: str) -> Column | None:
        return self._surest(term, lambda column: column.type == "text")

    def _thing(self, term: str) -> Column | None:
        return self._surest(term, lambda column: column.role not in ("measure", "time"))

    def _surest(self, term: str, fits: Callable[[Column], bool]) -> Column | None:
        """The one column that a term surely is; None where none is, or several are (all opens, unique opens)."""
        found = meant_columns(term, self.table, self.meaning, SURE)
        scored = [(score, column) for score, column in found if fits(column)]
        best = max((score for score, _ in scored), default=0.0)
        first = {column.name: column for score, column in scored if score == best}
        return next(iter(first.values())) if len(first) == 1 else None

    def _is_row(self, name: str) -> bool:
        """Whether a row of the table is such a thing."""
        assert self.meaning is not None
        row = folded(self.meaning.row)
        things = {one.id for one in knowledge().said(name) if one.kind in ("thing", "name")}
        called = {one.id for phrase in (row, row.split()[-1]) for one in knowledge().said(phrase)}
        return folded(name) in (row, row.split()[-1]) or not things.isdisjoint(called)

    def _derived(self, name: str) -> _Bound | None:
        """What a formula's term is made of itself."""
        if self.depth >= _DEEPEST:
            return None
        for derived in knowledge().derived_of(name):
            tree = tree_of(derived.formula)
            over = _Over(derived, self.table, self.meaning, self.depth + 1)
            bound = over.bound(tree) if tree is not None and _is_made_here(tree, derived) else None
            if bound is not None:
                return bound
        return None


def _joined(sign: Sign, left: _Bound, right: _Bound) -> _Bound:
    expr = Arithmetic(op=sign, left=_or_nought(left.expr, sign), right=_or_nought(right.expr, sign))
    unit = (left.unit or right.unit) if sign != "/" else left.unit if left.unit != right.unit else None
    return _Bound(expr, unit, f"{_kept(left)} {_SIGNS.get(sign, sign)} {_kept(right)}", joint=True)


def _kept(bound: _Bound) -> str:
    return f"({bound.text})" if bound.joint else bound.text


def _or_nought(expr: Expr, sign: str) -> Expr:
    """A total over no rows is 0, where something is added to it or taken off."""
    if sign in "+-" and isinstance(expr, Aggregate) and expr.fn == "sum":
        return Call(name="coalesce", args=(expr, Constant(value=0, type="number")))
    return expr


def _formula(phrase: str, derived: Derived, bound: _Bound, over: _Over) -> Formula:
    """The formula with what stands in its place in a question: the number of the table's rows."""
    percent = derived.unit == "percent"
    expr = hundred(bound.expr) if percent else bound.expr
    unit = "%" if percent else bound.unit if derived.unit == "money" else None
    assert over.meaning is not None
    wording = f"number of {over.meaning.rows}"
    rows = Query(source=over.table.name, measures=(Output(label=wording, expr=Aggregate(fn="count")),))
    # Others make it otherwise: over files that nobody had looked at nine of sixteen such figures missed what was meant.
    return Formula(shown(phrase), expr, unit, over.table.name, (), (Figure(wording, rows),), put=True)


def shown(phrase: str) -> str:
    """A figure's name as people write it: what is short for something in capitals."""
    return phrase.upper() if " " not in phrase and is_short(phrase) else capital(phrase)


def is_short(phrase: str) -> bool:
    """Whether a word is short for something: it is spelled out by its letters alone ("mrr", "arpu")."""
    return bool(knowledge().expansions(phrase)) and phrase not in knowledge().vocabulary - knowledge().spoken


def _said(tree: Tree) -> str:
    """A formula in the words of knowledge, for a person."""
    if isinstance(tree, float):
        return f"{int(tree) if tree.is_integer() else tree}"
    if isinstance(tree, Term):
        parts = [
            f"{part.name}{' per month' if part.per else ''}{f' ({part.state})' if part.state else ''}"
            for part in tree.of
        ]
        lead = {"count": "number of ", "average": "average "}.get(tree.fn, "")
        return f"{lead}{listed(parts, 'or')}"
    sides = (f"({_said(side)})" if _binds_less(side, tree) else _said(side) for side in (tree.left, tree.right))
    return f" {_SIGNS.get(tree.sign, tree.sign)} ".join(sides)


def _binds_less(side: Tree, tree: Made) -> bool:
    """Whether a sum or a difference stands under a product or a quotient."""
    return isinstance(side, Made) and side.sign in "+-" and tree.sign in "*/"
