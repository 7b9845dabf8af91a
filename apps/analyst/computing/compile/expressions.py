"""Expressions and predicates as DuckDB SQL. Names go through `names`, values through the statement's parameters."""

# ruff: noqa: S608 - writing SQL is what this module does; names are quoted by `names`, values are bound.

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from apps.analyst.computing.compile.clocks import hour_sql
from apps.analyst.computing.compile.functions import call_sql
from apps.analyst.computing.compile.guard import Guard
from apps.analyst.computing.compile.kinds import constant_value, deep_product, same_kind, whole_bins
from apps.analyst.computing.compile.names import qualified
from apps.analyst.computing.compile.scope import Scope
from apps.analyst.computing.compile.shapes import shape_of
from apps.analyst.computing.compile.statement import Statement
from apps.analyst.computing.compile.walk import references
from apps.analyst.errors import PlanRejected
from apps.analyst.plan import (
    ROW_NUMBER,
    Aggregate,
    AllOf,
    Among,
    AnyOf,
    Arithmetic,
    Between,
    Bin,
    Call,
    ColumnRef,
    Compare,
    Conditional,
    Constant,
    Expr,
    InQuery,
    Missing,
    Not,
    Part,
    Period,
    Predicate,
    Query,
    ScalarQuery,
    TextMatch,
    Window,
)
from apps.analyst.tables.folding import core_key_sql

NESTED_ALIAS = "_inner"
_PARTS = {
    "year": "year({})", "quarter": "quarter({})", "month": "month({})", "week": "week({})", "day": "day({})",
    "weekday": "isodow({})", "hour": "hour({})", "decade": "(year({}) // 10 * 10)", "month_name": "monthname({})",
    "weekday_name": "dayname({})",
}  # fmt: skip
_AGGREGATES = {
    "sum": "sum", "avg": "avg", "min": "min", "max": "max", "median": "median", "stddev": "stddev_samp",
    "stddev_pop": "stddev_pop", "variance": "var_samp", "variance_pop": "var_pop",
}  # fmt: skip

BLANK = r"[\s\p{Z}]"
"""A pattern (of RE2) for one blank of any kind, as Python knows them."""
_SIGN = re.compile(r"[!-/:-@\[-`{-~]")
"""What means something in a pattern: no letter of any alphabet, nor what belongs to one, may be escaped."""
COUNTS_ONCE = "counts once, although the join repeats it"
"""Ends the note that rows stand in several rows of a join, and with that perhaps in several groups."""
COUNTS_ONCE_AN_ENTRY = "counts once for each entry"
"""Of the note that a cell lists several."""


@dataclass
class Writer:
    """Writes the expressions of one query level."""

    statement: Statement
    scope: Scope
    subquery: Callable[[Query], str]
    """Writes a query that stands inside an expression; given from outside, as queries are made of expressions."""
    guard: Guard | None = None
    row_numbers: set[str] = field(default_factory=set)
    """Aliases whose row numbers were asked for, so that the scan provides them."""

    # ------------------------------------------------------------ expressions
    def sql(self, expr: Expr) -> str:
        """The SQL text of `expr`; raises PlanRejected where it breaks a type rule."""
        match expr:
            case ColumnRef():
                return self._column(expr)
            case Constant():
                return "NULL" if expr.value is None else self.statement.bind(constant_value(expr))
            case Arithmetic():
                return self._arithmetic(expr)
            case Call():
                shapes = [shape_of(arg, self.scope) for arg in expr.args]
                return call_sql(expr.name, [self.sql(arg) for arg in expr.args], shapes)
            case Period():
                return self._period(expr)
            case Part():
                clock = expr.part == "hour" and shape_of(expr.of, self.scope).type == "text"
                return hour_sql(self.sql(expr.of)) if clock else _PARTS[expr.part].format(self.sql(expr.of))
            case Bin():
                return self._bin(expr)
            case Conditional():
                other = "" if expr.otherwise is None else f" ELSE {self.sql(expr.otherwise)}"
                return f"CASE WHEN {self.predicate(expr.when)} THEN {self.sql(expr.then)}{other} END"
            case Aggregate():
                return self.aggregate(expr)
            case ScalarQuery():
                return self._value_of(expr)
            case Window():
                raise PlanRejected("A figure that looks across rows stands where rows are not there yet.")

    def _value_of(self, expr: ScalarQuery) -> str:
        if expr.own is None:
            return f"({self.subquery(expr.query)})"
        groups = f'({self.subquery(expr.query)}) AS "_own" ("k", "v")'
        return f'(SELECT "v" FROM {groups} WHERE "k" = {self.sql(expr.own)})'

    def _period(self, expr: Period) -> str:
        of = self.sql(expr.of)
        if expr.grain == "hour":
            return f"date_trunc('hour', {of})"
        # A fiscal period is the calendar's, so many months later.
        later = (expr.first_month - 1) % {"quarter": 3, "year": 12}.get(expr.grain, 1)
        if not later:
            return f"CAST(date_trunc('{expr.grain}', {of}) AS DATE)"
        months = f"INTERVAL {later} MONTH"
        return f"CAST(date_trunc('{expr.grain}', {of} - {months}) + {months} AS DATE)"

    def _column(self, ref: ColumnRef) -> str:
        self.scope.shape(ref)
        if ref.column == ROW_NUMBER and ref.column not in self.scope.tables[ref.table]:
            self.row_numbers.add(ref.table)
        return qualified(ref.table or NESTED_ALIAS, ref.column)

    def _arithmetic(self, expr: Arithmetic) -> str:
        left, right = self.sql(expr.left), self.sql(expr.right)
        if expr.op == "/":
            return f"(CAST({left} AS DOUBLE) / nullif(CAST({right} AS DOUBLE), 0))"
        if expr.op == "*" and (deep_product(expr.left) or deep_product(expr.right)):
            return f"(CAST({left} AS DOUBLE) * {right})"
        return f"({left} {expr.op} {right})"

    def _bin(self, expr: Bin) -> str:
        if not expr.width or expr.width <= 0:
            raise PlanRejected("A bin needs a width; `settle` works one out from a count.")
        width = self.statement.bind(expr.width)
        edge = f"floor(CAST({self.sql(expr.of)} AS DOUBLE) / {width}) * {width}"
        return f"CAST({edge} AS BIGINT)" if whole_bins(expr, shape_of(expr.of, self.scope)) else edge

    def aggregate(self, expr: Aggregate) -> str:
        """An aggregate; where joins repeat the rows it stands on, each of them counts once."""
        only = f" FILTER (WHERE {self.predicate(expr.where)})" if expr.where is not None else ""
        if expr.of is None:
            return f"count(*){only}"
        value = self.sql(expr.of)
        shape = shape_of(expr.of, self.scope)
        distinct = "DISTINCT " if expr.distinct else ""
        repeated = () if expr.distinct or self.guard is None else self.guard.repeated(expr)
        if expr.fn in ("first", "last"):
            way = "min" if expr.fn == "first" else "max"
            return f"arg_{way}({value}, {self._place_of(expr.of)}){only}"
        if expr.fn == "mode":
            counts = "list_transform(map_entries(histogram({0}){1}), lambda e: struct_pack(c := -e.value, v := e.key))"
            return f"list_sort({counts.format(value, only)})[1].v"
        if expr.fn in ("median", "quantile"):
            value = f"CAST({value} AS DOUBLE)"
        if repeated:
            return self._once(expr, value, only, repeated)
        if expr.fn == "count":
            return f"count({distinct}{value}){only}"
        if expr.fn == "quantile":
            return f"quantile_cont({distinct}{value}, {float(expr.quantile or 0)!r}){only}"
        if expr.fn == "sum" and shape.type == "float":
            return f"fsum({distinct}{value}){only}"
        if expr.fn == "avg" and shape.type == "float":
            return f"favg({distinct}{value}){only}"
        return f"{_AGGREGATES[expr.fn]}({distinct}{value}){only}"

    def _once(self, expr: Aggregate, value: str, only: str, aliases: tuple[str, ...]) -> str:
        """The aggregate over each combination of the aliases' rows once, however often joins repeat it."""
        for alias in aliases:
            self.statement.note(f"Each row of {alias or 'the inner query'} {COUNTS_ONCE}.")
        keys = [self._column(ColumnRef(table=alias, column=ROW_NUMBER)) for alias in aliases]
        packed = ", ".join(f"k{i} := {key}" for i, key in enumerate(keys))
        rows = f"list(DISTINCT struct_pack({packed}, v := {value})){only}"
        values = f"list_filter(list_transform({rows}, lambda e: e.v), lambda v: v IS NOT NULL)"
        if expr.fn == "count":
            return f"CAST(coalesce(len({values}), 0) AS BIGINT)"
        if expr.fn == "quantile":
            return f"list_aggregate({values}, 'quantile_cont', {float(expr.quantile or 0)!r})"
        return f"list_aggregate({values}, '{_AGGREGATES[expr.fn]}')"

    def _place_of(self, expr: Expr) -> str:
        table = next((ref.table for ref in references(expr)), None)
        if not table:
            raise PlanRejected("First and last need a stored column; grouped rows have no place in a file.")
        return self._column(ColumnRef(table=table, column=ROW_NUMBER))

    # ------------------------------------------------------------ predicates
    def predicate(self, predicate: Predicate) -> str:
        """The SQL condition; a missing value makes it neither true nor false, and such rows are left out."""
        match predicate:
            case Compare():
                return self._compare(predicate)
            case Among():
                return self._among(predicate)
            case Between():
                of, low, high = self.sql(predicate.of), self.sql(predicate.low), self.sql(predicate.high)
                return f"({of} >= {low} AND {of} {'<' if predicate.half_open else '<='} {high})"
            case TextMatch():
                return self._text_match(predicate)
            case Missing():
                return f"({self.sql(predicate.of)} IS {'NOT ' if predicate.negated else ''}NULL)"
            case InQuery():
                return self._in_query(predicate)
            case AllOf():
                return "(" + " AND ".join(self.predicate(part) for part in predicate.of) + ")"
            case AnyOf():
                return "(" + " OR ".join(self.predicate(part) for part in predicate.of) + ")"
            case Not():
                return f"(NOT {self.predicate(predicate.of)})"

    def _compare(self, predicate: Compare) -> str:
        left, right = shape_of(predicate.left, self.scope), shape_of(predicate.right, self.scope)
        same_kind(left, right)
        a, b = self.sql(predicate.left), self.sql(predicate.right)
        if predicate.fold and left.type == "text" and right.type == "text":
            a, b = folded(a), folded(b)
        return f"({a} {'<>' if predicate.op == '!=' else predicate.op} {b})"

    def _among(self, predicate: Among) -> str:
        of, values = self.sql(predicate.of), [self.sql(value) for value in predicate.values]
        if predicate.fold and shape_of(predicate.of, self.scope).type == "text":
            of, values = folded(of), [folded(value) for value in values]
        return f"({of} {'NOT ' if predicate.negated else ''}IN ({', '.join(values)}))"

    def _text_match(self, predicate: TextMatch) -> str:
        of = self.sql(predicate.of)
        if shape_of(predicate.of, self.scope).type != "text":
            of = f"CAST({of} AS VARCHAR)"
        text = f"lower({of})"
        match predicate.op:
            case "word":
                pattern = word_pattern(predicate.value)
                test = f"regexp_matches({text}, {self.statement.bind(pattern)})"
            case "entry":
                pattern = entry_pattern(predicate.value, predicate.separator)
                test = f"regexp_matches({text}, {self.statement.bind(pattern)})"
            case "like":
                test = f"({text} LIKE lower({self.statement.bind(predicate.value)}))"
            case op:
                name = {"contains": "contains", "starts": "starts_with", "ends": "ends_with"}[op]
                test = f"{name}({text}, lower({self.statement.bind(predicate.value)}))"
        return f"(NOT {test})" if predicate.negated else test

    def _in_query(self, predicate: InQuery) -> str:
        of = self.sql(predicate.of)
        inner = f'SELECT * FROM ({self.subquery(predicate.query)}) AS "_set" ("v")'
        column = '"v"'
        if predicate.fold:
            of, column = folded_key(of), folded_key('"v"')
        inner = inner.replace("SELECT *", f"SELECT {column}", 1) + ' WHERE "v" IS NOT NULL'
        if predicate.negated:
            return f"({of} IS NOT NULL AND {of} NOT IN ({inner}))"
        return f"({of} IN ({inner}))"


def folded(sql: str) -> str:
    """A text as it is compared: trimmed, without case."""
    return f"lower(trim({sql}))"


def folded_key(sql: str) -> str:
    """A key as it is joined where keys are dirty: see `tables.folding.core_key`."""
    return core_key_sql(sql)


def word_pattern(value: str) -> str:
    """A pattern (of RE2) that finds `value` as a whole word in lower-cased text."""
    return rf"(^|[^\p{{L}}\p{{N}}_]){_inside(value)}($|[^\p{{L}}\p{{N}}_])"


def entry_pattern(value: str, separator: str) -> str:
    """A pattern (of RE2) that finds `value` as one of the entries that a lower-cased text lists."""
    mark = separator.replace("\n", r"\n")
    return rf"(^|[{mark}]){BLANK}*{_inside(value)}{BLANK}*($|[{mark}])"


def _inside(value: str) -> str:
    lowered = "".join(letter.lower()[0] for letter in value.strip())  # letter by letter, as the engine does
    literal = _SIGN.sub(r"\\\g<0>", lowered)
    return re.sub(r"\s+", lambda _: f"{BLANK}+", literal)
