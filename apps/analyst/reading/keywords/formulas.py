"""Definitions that are a formula over figures: "won / (won + lost)", "total sales divided by number of orders".

Its words are read like a question's by the readers of `language`; its signs are read here. All its figures must stand
on one table, each with its own conditions, so that it holds for any group and any rows that a question asks for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from apps.analyst.computing.compile.outputs import inline_labels
from apps.analyst.computing.compile.walk import rewrite
from apps.analyst.errors import AnalystError
from apps.analyst.plan import Aggregate, AllOf, Arithmetic, Call, Constant, Expr, Join, Node, Predicate, Query
from apps.analyst.plan.validate import validate
from apps.analyst.ports import Catalog
from apps.analyst.reading.rules.comparing import plain_figures
from apps.analyst.telling.formats import rows_noun
from apps.analyst.types import Question

Sign = Literal["+", "-", "*", "/"]
_WORDS: tuple[tuple[str, str], ...] = (
    (r"\bdivided by\b|÷", "/"),
    (r"\bmultiplied by\b|\btimes\b|×", "*"),
    (r"\bplus\b", "+"),
    (r"\bminus\b|−|–", "-"),
)
_TOKEN = re.compile(
    r"\s*(?:(?P<sign>[()+*/]|(?<=\s)-(?=\s)|(?<=[)\w])-(?=[(]))"
    r"|(?P<number>\d[\d,]*(?:\.\d+)?)(?=\s*(?:[()+*/-]|$))"
    r"|(?P<term>[^()+*/]+?(?=\s+-\s|\s*[()+*/]|\s*$)))"
)
_RATE = re.compile(r"\b(?:rate|share|percent\w*|margin|attainment)\b|%", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:the|our|all|sum of all|an?) ", re.IGNORECASE)
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


@dataclass(frozen=True, slots=True)
class _Binary:
    sign: Sign
    left: _Tree
    right: _Tree


_Tree = _Binary | float | str


def formula_of(label: str, text: str, question: Question, catalog: Catalog) -> Formula | None:
    """The formula that a definition is, else None."""
    tree = parsed(text)
    if tree is None:
        return None
    terms = list(dict.fromkeys(_terms(tree)))
    if not 1 <= len(terms) <= MOST_TERMS:
        return None
    known: dict[str, Figure] = {}
    for term in terms:
        figure = _figure(term, question, catalog)
        if figure is None:
            return None
        known[term] = figure
    sources = {figure.query.source for figure in known.values() if isinstance(figure.query.source, str)}
    if len(sources) != 1 or any(not isinstance(figure.query.source, str) for figure in known.values()):
        return None
    joins = tuple({join.alias or join.table: join for f in known.values() for join in f.query.joins}.values())
    percent = _RATE.search(f"{label} {text}") is not None
    expr, unit = _expr(tree, known)
    if percent and isinstance(tree, _Binary) and tree.sign == "/" and unit is None:
        expr, unit = _hundred(expr), "%"
    elif percent and isinstance(tree, _Binary) and tree.sign == "*" and 100.0 in (tree.left, tree.right):
        unit = "%"
    return Formula(label, expr, unit, sources.pop(), joins, tuple(known.values()))


def days_between(text: str, catalog: Catalog) -> str | None:
    """The question that a difference of two dates of one table asks ("close date - create date"), else None."""
    tree = parsed(text)
    if not isinstance(tree, _Binary) or tree.sign != "-":
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


# ---------------------------------------------------------------- signs
def parsed(text: str) -> _Tree | None:
    """The tree of a formula; None for text without signs, or whose signs do not fit."""
    for pattern, sign in _WORDS:
        text = re.sub(pattern, f" {sign} ", text, flags=re.IGNORECASE)
    tokens: list[tuple[str, str]] = []
    place = 0
    text = text.rstrip()
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None or match.end() == place or match.lastgroup is None:
            return None
        tokens.append((match.lastgroup, match[match.lastgroup].strip()))
        place = match.end()
    if not any(kind == "sign" and value in "+-*/" for kind, value in tokens):
        return None
    tree, rest = _sum(tokens)
    return tree if not rest else None


_Tokens = Sequence[tuple[str, str]]


def _sum(tokens: _Tokens) -> tuple[_Tree | None, _Tokens]:
    return _chain(tokens, "+-", _product)


def _product(tokens: _Tokens) -> tuple[_Tree | None, _Tokens]:
    return _chain(tokens, "*/", _atom)


def _chain(
    tokens: _Tokens, signs: str, part: Callable[[_Tokens], tuple[_Tree | None, _Tokens]]
) -> tuple[_Tree | None, _Tokens]:
    left, rest = part(tokens)
    while left is not None and rest and rest[0][0] == "sign" and rest[0][1] in signs:
        right, after = part(rest[1:])
        if right is None:
            return None, rest
        left, rest = _Binary(rest[0][1], left, right), after  # type: ignore[arg-type]
    return left, rest


def _atom(tokens: _Tokens) -> tuple[_Tree | None, _Tokens]:
    if not tokens:
        return None, tokens
    kind, value = tokens[0]
    if kind == "number":
        return float(value.replace(",", "")), tokens[1:]
    if kind == "term":
        return _ARTICLE.sub("", value), tokens[1:]
    if value == "(":
        inner, rest = _sum(tokens[1:])
        if inner is not None and rest and rest[0] == ("sign", ")"):
            return inner, rest[1:]
    return None, tokens


def _terms(tree: _Tree) -> Iterator[str]:
    if isinstance(tree, str):
        yield tree
    elif isinstance(tree, _Binary):
        yield from _terms(tree.left)
        yield from _terms(tree.right)


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


def _holds(query: Query, catalog: Catalog) -> bool:
    """False for a figure that cannot be: "closed deals" is a number of deals, not the total of their dates."""
    try:
        validate(query, catalog)
    except AnalystError:
        return False
    return True


def _expr(tree: _Tree, known: dict[str, Figure]) -> tuple[Expr, str | None]:
    """The expression with its unit: that of money where it stays money, none where it is a number of things."""
    if isinstance(tree, float):
        value = int(tree) if tree.is_integer() else tree
        return Constant(value=value, type="number"), None
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


def _hundred(expr: Expr) -> Expr:
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
