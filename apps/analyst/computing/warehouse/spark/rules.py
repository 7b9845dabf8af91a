"""What Spark says otherwise than DuckDB, one named rule for each: same meaning, same missing values, same rounding.

A rule takes a node whose parts were already rewritten and returns what stands in its place, or None to leave it. What
is neither in here nor common to both is refused by `dialect`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlglot import exp

from apps.analyst.computing.warehouse.spark.pieces import NotOnSpark, call, piece

Rule = Callable[[Any], Any]
MADE = frozenset(
    ("ARRAY_POSITION", "DATE_FORMAT", "LOG10", "MODE", "PERCENTILE", "TRY_DIVIDE", "WEEKDAY", "WEEKOFYEAR")
)
"""Functions that rules write by name. All other functions that sqlglot does not know are refused."""
_WHOLE = (exp.Count, exp.Trunc, exp.Literal, exp.Placeholder, exp.ArraySize, exp.Length)
_PARTS: dict[str, Callable[[Any], Any]] = {
    "year": lambda of: exp.Year(this=of), "quarter": lambda of: exp.Quarter(this=of),
    "month": lambda of: exp.Month(this=of), "day": lambda of: exp.Day(this=of),
    "week": lambda of: call("WEEKOFYEAR", of), "isodow": lambda of: piece("(weekday(a) + 1)", a=of),
    "dow": lambda of: piece("(dayofweek(a) - 1)", a=of), "dayofweek": lambda of: piece("(dayofweek(a) - 1)", a=of),
    "hour": lambda of: piece("hour(a)", a=of), "minute": lambda of: piece("minute(a)", a=of),
}  # fmt: skip
_BOUNDARIES = {
    "MINUTE": "(datediff(CAST(b AS DATE), CAST(a AS DATE)) * 1440 + (hour(b) * 60 + minute(b)) "
    "- (hour(a) * 60 + minute(a)))",
    "HOUR": "(datediff(CAST(b AS DATE), CAST(a AS DATE)) * 24 + hour(b) - hour(a))",
    "DAY": "datediff(CAST(b AS DATE), CAST(a AS DATE))",
    "WEEK": "(datediff(CAST(b AS DATE), CAST(a AS DATE)) DIV 7)",
    "MONTH": "((year(b) * 12 + month(b)) - (year(a) * 12 + month(a)))",
    "QUARTER": "((year(b) * 4 + quarter(b)) - (year(a) * 4 + quarter(a)))",
    "YEAR": "(year(b) - year(a))",
}
"""DuckDB counts the boundaries between two dates (of weeks: whole ones), Spark whole stretches of time."""


def _is_real(node: Any) -> bool:
    """True where the text shows a floating-point number."""
    return (isinstance(node, exp.Cast) and node.to.this == exp.DataType.Type.DOUBLE) or isinstance(node, exp.Div)


# ---------------------------------------------------------------- numbers
def divided(node: Any) -> Any:
    """A quotient is a floating-point number; by nothing it is missing (DuckDB: infinite, which is shown as missing)."""
    sides = [part if _is_real(part) else exp.cast(part.copy(), "DOUBLE") for part in (node.this, node.expression)]
    return call("TRY_DIVIDE", *(side.copy() for side in sides))


def rounded(node: Any) -> Any:
    """Floating-point numbers: scaled, rounded half away from nought, scaled back; Spark rounds the digits shown."""
    if not _is_real(node.this):
        return None
    places = node.args.get("decimals")
    if places is None or (isinstance(places, exp.Literal) and places.name == "0"):
        return piece("round(a, 0)", a=node.this)
    return piece(
        "CASE WHEN n < 0 THEN round(a / power(10D, -n), 0) * power(10D, -n) "
        "ELSE round(a * power(10D, n), 0) / power(10D, n) END",
        a=node.this,
        n=places,
    )


def floored(node: Any) -> Any:
    """The floor or ceiling of a floating-point number stays one; Spark makes a whole number, which may not hold it."""
    name = "floor" if isinstance(node, exp.Floor) else "ceil"
    if not (_is_real(node.this) or _made_quotient(node.this)):
        return None
    return piece(f"CASE WHEN abs(a) < 9e15 THEN CAST({name}(a) AS DOUBLE) ELSE a END", a=node.this)


def _made_quotient(node: Any) -> bool:
    return isinstance(node, exp.Anonymous) and node.name == "TRY_DIVIDE"


def truncated(node: Any) -> Any:
    """`trunc` of a number; Spark's is for dates."""
    return piece("CAST(a AS BIGINT)", a=node.this)


def made_whole(node: Any) -> Any:
    """A cast to a whole number rounds; Spark's cuts off."""
    if not node.to.is_type(*exp.DataType.INTEGER_TYPES) or isinstance(node.this, _WHOLE):
        return None
    inner = node.this
    if isinstance(inner, exp.Coalesce | exp.Cast | exp.Paren) and isinstance(inner.this, _WHOLE):
        return None
    kind = "DOUBLE" if _is_real(inner) or _made_quotient(inner) else "DECIMAL(38, 10)"
    way = "bround" if kind == "DOUBLE" else "round"
    return piece(f"CAST({way}(CAST(a AS {kind}), 0) AS {node.to.sql('spark')})", a=inner)


def logarithm(node: Any) -> Any:
    """`log` is to the base of ten; Spark's is the natural one, and its quotient of two logarithms is not exact."""
    if node.args.get("expression") is None:
        return call("LOG10", node.this)
    return call("LOG10", node.expression) if node.this.name == "10" else None


def finite(node: Any) -> Any:
    """`isfinite`."""
    return piece("(NOT isnan(a) AND abs(a) < double('Infinity'))", a=node.expressions[0])


def steadied(node: Any) -> Any:
    """Floating-point keys are compared by the digits that count (compile.order.STEADY)."""
    text = node.this.name
    if not text.startswith("{:.") or not text.endswith("e}"):
        raise NotOnSpark("format")
    return piece(f"format_string('%{text[2:-1]}', a)", a=node.expressions[0])


def made_number(node: Any) -> Any:
    """A steadied key back as a number; of a missing one the text is not a number."""
    return exp.TryCast(this=node.this, to=node.to, safe=True) if isinstance(node.this, exp.Format) else None


# ---------------------------------------------------------------- aggregates
def averaged(call_: Any, where: Any = None) -> Any:
    """Averages divide exact sums: Spark's own rounds those of decimals."""

    def over(kind: Any) -> Any:
        made = kind(this=call_.this.copy())
        return exp.Filter(this=made, expression=where.copy()) if where is not None else made

    return piece("try_divide(CAST(s AS DOUBLE), CAST(n AS DOUBLE))", s=over(exp.Sum), n=over(exp.Count))


def average(node: Any) -> Any:
    """`avg`, where it is not a window's."""
    return None if isinstance(node.parent, exp.Window | exp.Filter) else averaged(node)


def filtered(node: Any) -> Any:
    """`avg(x) FILTER (WHERE ...)`."""
    if isinstance(node.this, exp.Avg) and not isinstance(node.parent, exp.Window):
        return averaged(node.this, node.expression)
    return None


def quantile(node: Any) -> Any:
    """`quantile_cont` and `median`: interpolated between the two values in the middle."""
    share = node.args.get("expression") or exp.Literal.number("0.5")
    return call("PERCENTILE", node.this, share)


def at_extreme(node: Any) -> Any:
    """`arg_min` and `arg_max` pass over missing values; Spark's would return them."""
    made = type(node)
    return made(this=node.this, expression=piece("CASE WHEN a IS NOT NULL THEN k END", a=node.this, k=node.expression))


def most_frequent(node: Any) -> Any:
    """The compiler's mode (the counts of all values, sorted): the most frequent value, of several the smallest."""
    counts = next((n for n in node.find_all(exp.Anonymous) if n.name.lower() == "histogram"), None)
    if counts is None:
        return None
    value = counts.expressions[0]
    if isinstance(counts.parent, exp.Filter):
        value = piece("CASE WHEN w THEN a END", w=counts.parent.expression.this, a=value)
    return call("MODE", value, exp.true())


# ---------------------------------------------------------------- texts and lists
def like(node: Any) -> Any:
    """LIKE knows no escape unless it names one."""
    if isinstance(node.parent, exp.Escape):
        return None
    return exp.Escape(this=node.copy(), expression=exp.Literal.string("\x01"))


def replaced(node: Any) -> Any:
    """`regexp_replace`: of all matches; groups are called $1, not \\1."""
    every = "g" in (node.args["modifiers"].name if node.args.get("modifiers") else "")
    if not every and not node.expression.name.startswith("^"):
        raise NotOnSpark("regexp_replace of the first match")
    made = node.copy()
    made.set("modifiers", None)
    made.set("single_replace", None)
    if isinstance(made.args.get("replacement"), exp.Literal):
        text = made.args["replacement"].name.replace("$", "\\$").replace("\\1", "$1")
        made.set("replacement", exp.Literal.string(text))
    return made


def cut(node: Any) -> Any:
    """`substr` with whole numbers of Spark's width."""
    made = node.copy()
    for name in ("start", "length"):
        if made.args.get(name) is not None:
            made.set(name, piece("CAST(a AS INT)", a=made.args[name]))
    return made


def size(node: Any) -> Any:
    """`len` of a list."""
    return exp.ArraySize(this=node.this) if isinstance(node.this, exp.RegexpExtractAll) else None


def position(node: Any) -> Any:
    """`list_position`."""
    return piece("nullif(array_position(l, a), 0)", l=node.expressions[0], a=node.expressions[1])


# ---------------------------------------------------------------- dates
def part_of(name: str) -> Rule:
    """A part of a date."""
    return lambda node: _PARTS[name](node.this.copy())


def named_part(node: Any) -> Any:
    """`date_part('year', x)`."""
    part, of = node.expressions
    if part.name.lower() not in _PARTS:
        raise NotOnSpark(f"date_part {part.name}")
    return _PARTS[part.name.lower()](of.copy())


def extracted(node: Any) -> Any:
    """`EXTRACT(year FROM x)`."""
    if node.name.lower() not in _PARTS:
        raise NotOnSpark(f"extract {node.name}")
    return _PARTS[node.name.lower()](node.expression.copy())


def apart(node: Any) -> Any:
    """`date_diff`: the boundaries between two dates."""
    unit = node.args["unit"].name.upper() if node.args.get("unit") else "DAY"
    if unit not in _BOUNDARIES:
        raise NotOnSpark(f"date_diff {unit.lower()}")
    return piece(_BOUNDARIES[unit], a=node.expression, b=node.this)


def moved(node: Any) -> Any:
    """A day and a stretch of time make a moment."""
    if not isinstance(node.expression, exp.Interval):
        return None
    made = node.copy()
    made.set("this", exp.cast(node.this.copy(), "TIMESTAMP_NTZ"))
    return made


def shown_as(pattern: str) -> Rule:
    """The English name of a month or weekday."""
    return lambda node: call("DATE_FORMAT", node.this, exp.Literal.string(pattern))


NODES: dict[Any, Rule] = {
    exp.Add: moved, exp.Sub: moved, exp.Sign: lambda node: piece("CAST(sign(a) AS INT)", a=node.this),
    exp.Div: divided, exp.Round: rounded, exp.Floor: floored, exp.Ceil: floored, exp.Trunc: truncated,
    exp.Cast: lambda node: made_number(node) or made_whole(node), exp.Log: logarithm, exp.Format: steadied,
    exp.Avg: average, exp.Filter: filtered, exp.PercentileCont: quantile, exp.Median: quantile,
    exp.ArgMin: at_extreme, exp.ArgMax: at_extreme, exp.Dot: most_frequent, exp.Like: like, exp.ILike: like,
    exp.RegexpReplace: replaced, exp.Substring: cut, exp.Length: size, exp.DateDiff: apart, exp.Extract: extracted,
    exp.DayOfWeekIso: part_of("isodow"), exp.DayOfWeek: part_of("dow"), exp.Week: part_of("week"),
    exp.WeekOfYear: part_of("week"), exp.Monthname: shown_as("MMMM"), exp.Dayname: shown_as("EEEE"),
}  # fmt: skip
"""By kind of node."""
NAMED: dict[str, Rule] = {
    "fsum": lambda node: exp.Sum(this=node.expressions[0]), "favg": lambda node: exp.Avg(this=node.expressions[0]),
    "isfinite": finite, "list_position": position, "date_part": named_part, "datepart": named_part,
    "strlen": lambda node: piece("octet_length(a)", a=node.expressions[0]),
}  # fmt: skip
"""By name, where sqlglot does not know the function."""
