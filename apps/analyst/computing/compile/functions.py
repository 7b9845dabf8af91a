"""The allow-list of scalar functions: what each takes, gives, and how it is written in SQL.

Every function is total: what has no value (root of a negative number, division by nothing) is a missing value.
"""

from __future__ import annotations

from collections.abc import Sequence

from apps.analyst.computing.compile.clocks import hour_sql, minute_sql
from apps.analyst.computing.compile.scope import Shape
from apps.analyst.errors import PlanRejected
from apps.analyst.plan import FunctionName
from apps.analyst.tables.folding import key_part_sql
from apps.analyst.types import ColumnType

_ARITY: dict[FunctionName, tuple[int, int]] = {
    "abs": (1, 1), "round": (1, 2), "floor": (1, 1), "ceil": (1, 1), "sqrt": (1, 1), "ln": (1, 1), "log10": (1, 1),
    "exp": (1, 1), "power": (2, 2), "least": (2, 20), "greatest": (2, 20), "coalesce": (1, 20), "nullif": (2, 2),
    "lower": (1, 1), "upper": (1, 1), "trim": (1, 1), "length": (1, 1), "concat": (1, 20), "words": (1, 1),
    "split_part": (3, 3), "key_part": (3, 3), "minutes_between": (2, 2), "hours_between": (2, 2),
    "days_between": (2, 2), "months_between": (2, 2), "years_between": (2, 2), "number": (1, 1), "seconds": (1, 1),
}  # fmt: skip
_UNIT_OF_DIFFERENCE = {
    "minutes_between": "minutes", "hours_between": "hours", "days_between": "days", "months_between": "months",
    "years_between": "years",
}  # fmt: skip
_OF_MOMENTS = ("minutes_between", "hours_between")
NUMBER_PATTERN = r"[-+]?(?:\d[\d,]*(?:\.\d+)?|\.\d+)"
"""The first number in a text, thousands separators allowed."""
TIME_PATTERN = r"\d+(?::[0-5]?\d){0,2}(?:[.,]\d+)?"
"""The first length of time in a text: "59.8", "4:32", "1:02:15"."""


def require(condition: bool, reason: str) -> None:
    """Raises PlanRejected with `reason` where the condition does not hold."""
    if not condition:
        raise PlanRejected(reason)


def call_shape(name: FunctionName, args: Sequence[Shape]) -> Shape:
    """What the function gives for arguments of these shapes. Raises PlanRejected where it does not take them."""
    least, most = _ARITY[name]
    require(least <= len(args) <= most, f"{name} takes {least} to {most} values, not {len(args)}.")
    first = args[0]
    if name in ("abs", "round", "floor", "ceil", "sqrt", "ln", "log10", "exp", "power"):
        for arg in args:
            require(arg.numeric, f"{name} works on numbers, not on {arg.type}.")
        kind: ColumnType | None = first.type if name == "abs" else "float"
        keeps_unit = name in ("abs", "round", "floor", "ceil")
        return Shape(kind, unit=first.unit if keeps_unit else None, role="measure")
    if name in ("least", "greatest", "coalesce", "nullif"):
        return _of_one_kind(name, args)
    if name in _UNIT_OF_DIFFERENCE:
        clocks = name in _OF_MOMENTS and all(arg.clock for arg in args)
        for arg in () if clocks else args:
            require(arg.temporal, f"{name} works on dates, not on {arg.type}.")
            timed = name not in _OF_MOMENTS or arg.type == "datetime"
            require(timed, f"{name} needs times of day, and these dates have none; use days_between.")
        return Shape("integer", unit=_UNIT_OF_DIFFERENCE[name], role="measure")
    if name == "number":
        require(first.type == "text" or first.numeric, f"number reads texts, not {first.type}.")
        return Shape("float", unit=first.unit, role="measure")
    if name == "seconds":
        require(first.type == "text", f"seconds reads texts, not {first.type}.")
        return Shape("float", unit="seconds", role="measure")
    if name == "concat":
        for arg in args:
            require(arg.type in ("text", "integer"), f"concat joins texts, not {arg.type}.")
        return Shape("text", role="dimension")
    require(first.type == "text", f"{name} works on texts, not on {first.type}.")
    if name == "split_part":
        require(args[1].type == "text" and args[2].type == "integer", "split_part takes a text, a mark and a place.")
    if name == "key_part":
        require(args[1].type == args[2].type == "integer", "key_part takes a text, a place and a length.")
    if name in ("length", "words"):
        return Shape("integer", role="measure")
    return Shape("text", role=first.role, said=first.said if name in ("lower", "upper", "trim") else ())


def _of_one_kind(name: str, args: Sequence[Shape]) -> Shape:
    known = [arg for arg in args if arg.type is not None]
    require(bool(known), f"{name} needs at least one value.")
    first = known[0]
    same = all(arg.type == first.type or (arg.numeric and first.numeric) for arg in known)
    require(same, f"{name} needs values of one kind.")
    types = {arg.type for arg in known}
    wider: ColumnType | None = first.type
    if len(types) > 1:
        wider = "float" if "float" in types else "decimal"
    unit = next((arg.unit for arg in known if arg.unit), None)
    return Shape(wider, unit=unit, role=first.role)


def call_sql(name: FunctionName, args: Sequence[str], shapes: Sequence[Shape]) -> str:
    """The function over SQL texts `args`."""
    a = args[0]
    real = f"CAST({a} AS DOUBLE)"
    match name:
        case "round":
            return f"round({real}, {'CAST(' + args[1] + ' AS INTEGER)' if len(args) > 1 else '0'})"
        case "floor" | "ceil":
            return f"{name}({real})"
        case "sqrt":
            return f"CASE WHEN {a} >= 0 THEN sqrt({real}) END"
        case "ln" | "log10":
            return f"CASE WHEN {a} > 0 THEN {name}({real}) END"
        case "exp":
            return f"CASE WHEN {a} < 700 THEN exp({real}) END"
        case "power":
            raised = f"pow({real}, CAST({args[1]} AS DOUBLE))"
            return f"CASE WHEN isfinite({raised}) THEN {raised} END"
        case "words":
            return f"CAST(len(regexp_extract_all({a}, '\\S+')) AS BIGINT)"
        case "split_part":
            return f"split_part({a}, {args[1]}, CAST({args[2]} AS INTEGER))"
        case "key_part":
            return key_part_sql(a, args[1], args[2])
        case "minutes_between" | "hours_between":
            if shapes[0].type == "text":
                part = minute_sql if name == "minutes_between" else hour_sql
                return f"({part(args[1])} - {part(a)})"
            return f"date_diff('{name.removesuffix('s_between')}', {a}, {args[1]})"
        case "days_between":
            return f"date_diff('day', CAST({a} AS DATE), CAST({args[1]} AS DATE))"
        case "months_between":
            return _months(a, args[1])
        case "years_between":
            months = _months(a, args[1])
            return f"CAST(trunc({months} / 12) AS BIGINT)"
        case "number":
            if shapes[0].numeric:
                return real
            found = f"regexp_extract(replace({a}, '\u2212', '-'), '{NUMBER_PATTERN}')"
            return f"TRY_CAST(replace({found}, ',', '') AS DOUBLE)"
        case "seconds":
            return _seconds(f"replace(regexp_extract({a}, '{TIME_PATTERN}'), ',', '.')")
        case "concat":
            return "concat(" + ", ".join(f"CAST({arg} AS VARCHAR)" for arg in args) + ")"
        case "length":
            return f"length({a})"
        case _:
            return f"{name}({', '.join(args)})"


def _seconds(clock: str) -> str:
    """Hours, minutes and seconds from behind: what is not said counts nothing."""
    seconds, minutes, hours = (f"TRY_CAST(split_part({clock}, ':', {place}) AS DOUBLE)" for place in (-1, -2, -3))
    return f"({seconds} + 60 * coalesce({minutes}, 0) + 3600 * coalesce({hours}, 0))"


def _months(start: str, end: str) -> str:
    """Whole months from `start` to `end`: a month is full once its day of the month is reached again."""
    a, b = f"CAST({start} AS DATE)", f"CAST({end} AS DATE)"
    apart = f"(year({b}) - year({a})) * 12 + month({b}) - month({a})"
    return (
        f"({apart} - CASE WHEN {b} >= {a} AND day({b}) < day({a}) THEN 1 "
        f"WHEN {b} < {a} AND day({b}) > day({a}) THEN -1 ELSE 0 END)"
    )
