"""SQL that reads a column's text as its plan says: the counterpart of `ColumnPlan.read` for files too big for Python.

Each expression gives the same value as `read`, or fails: where DuckDB's own casts are more lenient than the plan
(they round
decimals, cut times off dates, take "1_000" and zones they ignore) the expression says no. A plan that has no exact
expression
is read by Python, distinct cell by distinct cell.
"""

from __future__ import annotations

from apps.analyst.tables.plans import ColumnPlan
from apps.analyst.tables.words import ALWAYS_MISSING

UNREADABLE = "a cell does not fit its column"
SURE_DIGITS = 15
"""A DOUBLE carries so many decimal digits without a doubt; larger figures are read from their text."""
_MONEY_MARKS = "$€£¥₹%"
LONGEST_MISSING = max(len(word.encode()) for word in ALWAYS_MISSING)
"""Bytes of the longest word for "no value" among texts."""


def name(text: str) -> str:
    """An SQL identifier."""
    return '"' + text.replace('"', '""') + '"'


def literal(text: str) -> str:
    """An SQL text literal."""
    return "'" + text.replace("'", "''") + "'"


def sql_type(plan: ColumnPlan) -> str:
    """The type a plan's column is stored as."""
    if plan.type == "decimal":
        return f"DECIMAL(18, {plan.places})"
    return {
        "text": "VARCHAR",
        "integer": "BIGINT",
        "float": "DOUBLE",
        "boolean": "BOOLEAN",
        "date": "DATE",
        "datetime": "TIMESTAMP",
    }[plan.type]


def is_missing(plan: ColumnPlan, cell: str) -> str:
    """A condition: the cell means "no value"."""
    words = ", ".join(literal(word) for word in sorted(plan.missing_words))
    if plan.type == "text":
        return f"(strlen(trim({cell})) <= {LONGEST_MISSING} AND lower(trim({cell})) IN ({words}))"
    return f"({cell} IS NULL OR lower(trim({cell})) IN ({words}))"


def value(plan: ColumnPlan, cell: str) -> str | None:
    """The typed value of a cell, NULL where it has none; None where only Python can read the plan."""
    if plan.python_only:
        return None
    if plan.type == "text":
        return f"CASE WHEN {is_missing(plan, cell)} THEN NULL ELSE trim({cell}) END"
    if plan.type == "boolean":
        return f"CASE lower(trim({cell})) WHEN 'true' THEN true WHEN 'false' THEN false END"
    if plan.date_style is not None:
        return _moment(plan, cell) if plan.native else _formatted(plan, f"trim({cell})")
    if plan.number_style is not None:
        return _marked(plan, f"trim({cell})") if _simple(plan) else None
    return _number(plan, cell)


def in_one_pass(plan: ColumnPlan, cell: str, *, only_figures: bool) -> tuple[str, str] | None:
    """The type to let the CSV reader read, and the typed value of that; ends the query at a cell that does not fit.

    `only_figures`: no word for "no value" has been seen in the column. None where only Python can read the plan.
    """
    if only_figures and plan.type in ("decimal", "float") and plan.number_style is None:
        if plan.type == "float":
            return "DOUBLE", f"CASE WHEN isfinite({cell}) THEN {cell} END"
        cast = f"CAST({cell} AS {sql_type(plan)})"
        failed = f"WHEN {cell} IS NOT NULL THEN error({literal(UNREADABLE)})"
        certain = f"abs({cell}) < 1e{SURE_DIGITS - plan.places} AND {cast} = {cell}"
        return "DOUBLE", f"CASE WHEN {certain} THEN {cast} {failed} END"
    text = strict(plan, cell)
    return None if text is None else ("VARCHAR", text)


def quick(plan: ColumnPlan, cell: str, *, only_figures: bool) -> tuple[str, str | None, str] | None:
    """As `in_one_pass`, for cells written as plainly as those that were seen: the type to read, what to make of it
    first (as `v_` and the cell), and the value made of both. Texts are taken as they stand."""
    made = f"v_{cell}"
    if plan.type == "text":
        return "VARCHAR", None, cell
    if only_figures and plan.native and plan.number_style is None:
        first, misfit = None, ""
        if plan.type == "integer":
            first, misfit = f"TRY_CAST({cell} AS BIGINT)", f"CAST({made} AS VARCHAR) IS DISTINCT FROM {cell}"
        elif plan.type == "date":
            first = f"TRY_CAST({cell} AS DATE)"
            misfit = f"strlen({cell}) > 10 OR ({made} IS NULL AND {cell} IS NOT NULL)"
        elif plan.type == "decimal":
            first = f"CAST({cell} AS {sql_type(plan)})"
            misfit = f"abs({cell}) >= 1e{SURE_DIGITS - plan.places} OR {made} <> {cell}"
        if first is not None:
            kind = "DOUBLE" if plan.type == "decimal" else "VARCHAR"
            return kind, first, f"CASE WHEN {misfit} THEN error({literal(UNREADABLE)}) ELSE {made} END"
    parts = in_one_pass(plan, cell, only_figures=only_figures)
    return None if parts is None else (parts[0], None, parts[1])


def strict(plan: ColumnPlan, cell: str) -> str | None:
    """`value`, but a cell that is neither readable nor missing ends the query."""
    readable = value(plan, cell)
    if readable is None or plan.type == "text":
        return readable
    return f"COALESCE({readable}, CASE WHEN {is_missing(plan, cell)} THEN NULL ELSE error({literal(UNREADABLE)}) END)"


def _number(plan: ColumnPlan, cell: str) -> str:
    """Plain numbers; the first test is the fast one that nearly every cell passes."""
    cast = f"TRY_CAST({cell} AS {sql_type(plan)})"
    if plan.type == "float":
        return f"CASE WHEN isfinite({cast}) THEN {cast} END"
    exact = f"{cast} = TRY_CAST({cell} AS DOUBLE)"
    if plan.type == "decimal":
        return f"CASE WHEN {exact} THEN {cast} END"
    text = f"ltrim(trim({cell}), '+-')"
    zeros = f"starts_with({text}, '0') AND strlen({text}) > 1 AND substr({text}, 2, 1) <> '.'"
    plain = f"{exact} AND NOT ({zeros}) AND strpos({cell}, '_') = 0"
    return f"CASE WHEN CAST({cast} AS VARCHAR) = {cell} THEN {cast} WHEN {plain} THEN {cast} END"


def _moment(plan: ColumnPlan, cell: str) -> str:
    """Dates and moments in ISO form, without zones."""
    moment = f"TRY_CAST({cell} AS TIMESTAMP)"
    simple = f"(strlen({cell}) <= 19 OR regexp_full_match(substr(trim({cell}), 20), '([.][0-9]+)?'))"
    if plan.type == "datetime":
        return f"CASE WHEN {simple} THEN {moment} END"
    day = f"TRY_CAST({cell} AS DATE)"
    return f"CASE WHEN strlen({cell}) <= 10 THEN {day} WHEN {simple} AND {moment} = {day} THEN {day} END"


def _formatted(plan: ColumnPlan, cell: str) -> str | None:
    """Dates that are all written like 31/12/2024."""
    if plan.date_format is None or plan.type != "date":
        return None
    mark = plan.date_format[2]
    shape = rf"[0-9]{{1,2}}[{mark}][0-9]{{1,2}}[{mark}][0-9]{{4}}"
    moment = f"try_strptime({cell}, {literal(plan.date_format)})"
    return f"CASE WHEN regexp_full_match({cell}, {literal(shape)}) THEN CAST({moment} AS DATE) END"


def _simple(plan: ColumnPlan) -> bool:
    return plan.marks is not None and all(mark in _MONEY_MARKS or mark in " ()" for mark in plan.marks)


def _marked(plan: ColumnPlan, cell: str) -> str:
    """Numbers with currency signs, per cent, thousands marks and brackets."""
    assert plan.number_style is not None
    assert plan.marks is not None
    comma = plan.number_style.decimal_comma
    point, group = (",", "[.]") if comma else ("[.]", ",")
    digits = f"replace({cell}, '{'.' if comma else ','}', '')"
    for mark in plan.marks:
        digits = f"replace({digits}, {literal(mark)}, '')"
    if comma:
        digits = f"replace({digits}, ',', '.')"
    body = rf"(?:\d+|\d{{1,3}}(?:{group}\d{{3}})+)(?:{point}\d*)?|{point}\d+"
    shape = rf"[(]?[-+]?[{_MONEY_MARKS}]? ?[-+]?(?:{body}) ?[{_MONEY_MARKS}]?[)]?"
    cast = f"TRY_CAST({digits} AS {sql_type(plan)})"
    number = f"CASE WHEN starts_with({cell}, '(') THEN -{cast} ELSE {cast} END" if "(" in plan.marks else cast
    exact = "TRUE" if plan.type == "float" else f"{cast} = TRY_CAST({digits} AS DOUBLE)"
    return f"CASE WHEN {exact} AND regexp_full_match({cell}, {literal(shape)}) THEN {number} END"
