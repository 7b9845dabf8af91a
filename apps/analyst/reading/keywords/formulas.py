"""Definitions that are a formula over figures: "won / (won + lost)", "total sales divided by number of orders".

Its words are read like a question's by the readers of `language`; its signs are read here. All its figures must stand
on one table, each with its own conditions, so that it holds for any group and any rows that a question asks for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from apps.analyst.computing.compile.outputs import inline_labels
from apps.analyst.computing.compile.walk import rewrite
from apps.analyst.errors import AnalystError
from apps.analyst.plan import (
    Aggregate,
    AllOf,
    Arithmetic,
    Call,
    ColumnRef,
    Constant,
    Expr,
    Join,
    Node,
    Output,
    Predicate,
    Query,
)
from apps.analyst.plan.validate import validate
from apps.analyst.ports import Catalog
from apps.analyst.reading.keywords.formula_rows import by_rows
from apps.analyst.reading.keywords.formula_trees import Binary, OfRows, Tree, leaves, parsed
from apps.analyst.reading.rules.comparing import plain_figures
from apps.analyst.telling import formats
from apps.analyst.telling.formats import is_money, rows_noun
from apps.analyst.types import Question

_RATE = re.compile(r"\b(?:rate|share|percent\w*|margin|attainment)\b|%", re.IGNORECASE)
MOST_TERMS = 8


@dataclass(frozen=True, slots=True)
class Figure:
    """A term of a formula as it was read: its wording, and the query whose first measure it is."""

    wording: str
    query: Query


@dataclass(frozen=True, slots=True)
class Formula:
    """A figure made of figures. `figures` are its terms in their order: the first may stand for it in a question."""

    label: str
    expr: Expr
    unit: str | None
    source: str
    joins: tuple[Join, ...]
    figures: tuple[Figure, ...]
    put: bool = False
    """Whether it is only put, with its figure, and not told: nobody here said what the figure is made of."""


def formula_of(label: str, text: str, question: Question, catalog: Catalog) -> Formula | None:
    """The formula that a definition is, else None."""
    written = parsed(text)
    tree = by_rows(written, catalog) if written is not None else None
    if tree is None:
        return None
    terms = [leaf for leaf in dict.fromkeys(leaves(tree)) if not isinstance(leaf, float)]
    if not 1 <= len(terms) <= MOST_TERMS:
        return None
    known: dict[str, Figure] = {}
    figures: list[Figure] = []
    for term in terms:
        figure = _figure(term, question, catalog) if isinstance(term, str) else None
        if figure is not None and isinstance(term, str):
            known[term] = figure
        stand = [figure] if figure is not None else _stand_ins(term) if isinstance(term, OfRows) else []
        if not stand:
            return None
        figures += stand
    sources = {figure.query.source for figure in figures if isinstance(figure.query.source, str)}
    if len(sources) != 1 or any(not isinstance(figure.query.source, str) for figure in figures):
        return None
    joins = tuple({join.alias or join.table: join for f in figures for join in f.query.joins}.values())
    percent = _RATE.search(f"{label} {text}") is not None
    expr, unit = _expr(tree, known)
    if percent and isinstance(tree, Binary) and tree.sign == "/" and unit is None:
        expr, unit = hundred(expr), "%"
    elif percent and isinstance(tree, Binary) and tree.sign == "*" and 100.0 in (tree.left, tree.right):
        unit = "%"
    return Formula(label, expr, unit, sources.pop(), joins, tuple(figures))


def days_between(text: str, catalog: Catalog) -> str | None:
    """The question that a difference of two dates of one table asks ("close date - create date"), else None."""
    tree = parsed(text)
    if not isinstance(tree, Binary) or tree.sign != "-":
        return None
    for table in catalog.tables():
        dates = {spoken(column.name) for column in table.columns if column.type in ("date", "datetime")}
        if (
            isinstance(tree.left, str)
            and isinstance(tree.right, str)
            and {*map(spoken, (tree.left, tree.right))} <= dates
        ):
            return f"average days between {tree.right} and {tree.left}"
    return None


def spoken(name: str) -> str:
    """A column's name as people say it."""
    return " ".join(re.split(r"[\s_]+", name.strip().casefold()))


# ---------------------------------------------------------------- figures
def _figure(term: str, question: Question, catalog: Catalog) -> Figure | None:
    """A term read as a figure: as it stands, as a total, or as the number of such rows."""
    nouns = dict.fromkeys(rows_noun(table.name) for table in catalog.tables())
    of_rows = [f"number of {term} {noun}" for noun in nouns if noun != "rows"]
    for wording in (term, f"number of {term}", *of_rows):
        found = plain_figures(wording, question, catalog)
        if found is None or found.query.groups or found.query.distinct or not _holds(found.query, catalog):
            continue
        said = wording if not found.reading.wording else found.reading.wording
        return Figure(said, found.query.model_copy(update={"measures": found.query.measures[:1]}))
    return None


def _stand_ins(product: OfRows) -> list[Figure]:
    """Figures of the same table that can stand in a question for what is worked out row by row."""
    made = []
    for column in product.columns:
        wording = f"total {formats.spoken(column.name)}"
        total = Aggregate(fn="sum", of=ColumnRef(table=product.table, column=column.name))
        made.append(Figure(wording, Query(source=product.table, measures=(Output(label=wording, expr=total),))))
    return made


def _holds(query: Query, catalog: Catalog) -> bool:
    """False for a figure that cannot be: "closed deals" is a number of deals, not the total of their dates."""
    try:
        validate(query, catalog)
    except AnalystError:
        return False
    return True


def _expr(tree: Tree, known: dict[str, Figure]) -> tuple[Expr, str | None]:
    """The expression with its unit: that of money where it stays money, none where it is a number of things."""
    if isinstance(tree, float):
        value = int(tree) if tree.is_integer() else tree
        return Constant(value=value, type="number"), None
    if isinstance(tree, OfRows):
        money = {column.unit for column in tree.columns if is_money(column.unit)}
        return Aggregate(fn="sum", of=tree.expr), money.pop() if len(money) == 1 else None
    if isinstance(tree, str):
        query = known[tree].query
        measure = query.measures[0]
        return only(inline_labels(measure.expr, query), query.where), _unit(known[tree])
    (left, one), (right, other) = _expr(tree.left, known), _expr(tree.right, known)
    if tree.sign in "+-":
        return Arithmetic(op=tree.sign, left=_or_nought(left), right=_or_nought(right)), one or other
    if tree.sign == "*":
        return Arithmetic(op="*", left=left, right=right), one or other
    return Arithmetic(op="/", left=left, right=right), None if one == other else one


def _unit(figure: Figure) -> str | None:
    return figure.query.measures[0].unit


def _or_nought(expr: Expr) -> Expr:
    """A total over no rows is 0."""
    if isinstance(expr, Aggregate) and expr.fn == "sum":
        return Call(name="coalesce", args=(expr, Constant(value=0, type="number")))
    return expr


def hundred(expr: Expr) -> Expr:
    """A quotient in per cent."""
    if isinstance(expr, Arithmetic) and expr.op == "/":
        hundred = Arithmetic(op="*", left=Constant(value=100, type="number"), right=expr.left)
        return Arithmetic(op="/", left=hundred, right=expr.right)
    return Arithmetic(op="*", left=Constant(value=100, type="number"), right=expr)


def only(expr: Expr, where: Predicate | None) -> Expr:
    """An expression whose totals see only the rows that `where` lets through."""
    if where is None:
        return expr

    def change(part: Node) -> Node | None:
        if not isinstance(part, Aggregate):
            return None
        both = where if part.where is None else AllOf(of=(part.where, where))
        return part.model_copy(update={"where": both})

    return rewrite(expr, change)
