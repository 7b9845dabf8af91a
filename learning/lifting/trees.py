"""Questions about trees of SQL that need no catalog."""

from __future__ import annotations

from sqlglot import exp

from learning.lifting.sketches import NotLifted

COMPARED = {exp.GT: "gt", exp.GTE: "ge", exp.LT: "lt", exp.LTE: "le", exp.EQ: "eq", exp.NEQ: "ne"}
TURNED = {"gt": "lt", "ge": "le", "lt": "gt", "le": "ge", "eq": "eq", "ne": "ne"}
"""What a comparison says with its sides exchanged."""
AGGREGATES = {exp.Sum: "sum", exp.Avg: "avg", exp.Min: "min", exp.Max: "max", exp.Median: "median"}
_CLEANED_FIRST = ("replace", "strptime", "try_strptime", "rtrim", "ltrim", "regexp_replace")


def unaliased(e: exp.Expression) -> exp.Expression:
    """The item of a SELECT without its name."""
    return e.this if isinstance(e, exp.Alias) else e


def source_of(tree: exp.Select) -> exp.Expression | None:
    """What stands after FROM."""
    start = tree.args.get("from_") or tree.args.get("from")
    return start.this if start is not None else None


def unwrap(e: exp.Expression) -> exp.Expression:
    """The expression without what changes its form alone: brackets, casts, rounding, a stand-in for gaps."""
    while True:
        if (
            isinstance(e, exp.Paren | exp.Cast | exp.TryCast | exp.Round | exp.Alias)
            or (isinstance(e, exp.Coalesce) and len(e.expressions) == 1 and isinstance(e.expressions[0], exp.Literal))
            or (isinstance(e, exp.Nullif) and number_of(e.expression) == 0)
        ):
            e = e.this
        else:
            return e


def cleaning(e: exp.Expression) -> exp.Expression | None:
    """What replace(), substr() and the like clean: reading a file does that already."""
    whole = exp.RegexpReplace | exp.Replace | exp.Trim | exp.Lower | exp.Upper
    if isinstance(e, whole | exp.StrToDate | exp.StrToTime | exp.TsOrDsToDate | exp.Date):
        return e.this
    if isinstance(e, exp.Substring) and number_of(e.args.get("start")) == 2:
        return e.this
    if isinstance(e, exp.Anonymous) and e.name.lower() in _CLEANED_FIRST:
        return e.expressions[0]
    return None


def flatten(e: exp.Expression, kind: type[exp.Expression]) -> list[exp.Expression]:
    """The sides of a chain of AND or OR."""
    e = e.this if isinstance(e, exp.Paren) else e
    if isinstance(e, kind):
        return [*flatten(e.left, kind), *flatten(e.right, kind)]
    return [e]


def flatten_and(e: exp.Expression) -> list[exp.Expression]:
    """The conditions that all have to hold."""
    return flatten(e, exp.And)


def has_aggregate(e: exp.Expression) -> bool:
    """Whether an aggregate stands in the expression itself (not inside its subqueries)."""
    if isinstance(e, exp.AggFunc | exp.Window):
        return True
    if isinstance(e, exp.Subquery | exp.Select):
        return False
    return any(has_aggregate(c) for c in e.iter_expressions())


def is_condition(e: exp.Expression) -> bool:
    """Whether the expression is true or false by its form."""
    return isinstance(unwrap(e), exp.Predicate | exp.And | exp.Or | exp.Not | exp.Is | exp.In | exp.Between)


def are_columns(e: exp.Expression) -> bool:
    """Whether the condition holds one column equal to another."""
    return isinstance(e, exp.EQ) and all(isinstance(unwrap(side), exp.Column) for side in (e.left, e.right))


def number_of(e: exp.Expression | None) -> float | None:
    """The number that is written there, if it is one."""
    if e is None:
        return None
    e = unwrap(e)
    if isinstance(e, exp.Literal) and not e.is_string:
        return float(e.this)
    if isinstance(e, exp.Neg):
        inner = number_of(e.this)
        return -inner if inner is not None else None
    return None


def literal(e: exp.Expression) -> str:
    """The constant that is written there, as text."""
    e = unwrap(e)
    if isinstance(e, exp.Literal):
        return str(e.this)
    if isinstance(e, exp.Neg):
        return f"-{e.this.this}"
    if isinstance(e, exp.Boolean):
        return "true" if e.this else "false"
    raise NotLifted("literal " + type(e).__name__)


def factors(e: exp.Expression) -> tuple[list[exp.Expression], list[exp.Expression]]:
    """Numerators and denominators of a chain of * and /."""
    e = unwrap(e)
    if isinstance(e, exp.Mul):
        a, b = factors(e.left), factors(e.right)
        return a[0] + b[0], a[1] + b[1]
    if isinstance(e, exp.Div):
        a, b = factors(e.left), factors(e.right)
        return a[0] + b[1], a[1] + b[0]
    return [e], []
