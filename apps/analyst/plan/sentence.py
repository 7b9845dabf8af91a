"""A plan in words, for a person who wants to check what was computed. Words only; no figure of the result."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from apps.analyst.computing.compile.kinds import constant_value
from apps.analyst.computing.compile.outputs import inline_labels, outputs_of
from apps.analyst.computing.compile.walk import references
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
    Clarify,
    ColumnRef,
    Combine,
    Compare,
    Comparison,
    Conditional,
    Constant,
    Describe,
    Drivers,
    Expr,
    InQuery,
    Missing,
    Not,
    Part,
    Period,
    Plan,
    Predicate,
    Query,
    ScalarQuery,
    SetOperation,
    Statistic,
    TextMatch,
    Window,
)
from apps.analyst.plan.conditions import conjuncts, is_of_group, said_once, together
from apps.analyst.plan.sentence_groups import (
    Say,
    counted_groups_words,
    counted_rows,
    figures_within,
    held_words,
    kept_groups_words,
    of_groups,
    own_where,
    per_many_words,
    rows_words,
    sides_words,
    times_words,
)
from apps.analyst.plan.sentence_order import key_words, order_words
from apps.analyst.plan.spans import date_range, span_words, stretches, stretches_words
from apps.analyst.plan.spelling import merged_column
from apps.analyst.telling import formats
from apps.analyst.telling.formats import capital, listed, spoken
from apps.analyst.telling.wording import be, is_stretch, led_by

_AGGREGATES = {
    "sum": "total", "avg": "average", "min": "lowest", "max": "highest", "median": "median",
    "stddev": "standard deviation of", "stddev_pop": "standard deviation of", "variance": "variance of",
    "variance_pop": "variance of", "mode": "most frequent", "first": "first", "last": "last",
}  # fmt: skip
_OPERATORS = {"=": "is", "!=": "is not", "<": "is under", "<=": "is at most", ">": "is over", ">=": "is at least"}
_DATE_NAME = re.compile(r"(?:date|day|deadline|timestamp)$|(?<=\w) (?:at|on)$")
_BETWEEN_DATES = {"<": "is before", "<=": "is on or before", ">": "is after", ">=": "is on or after"}
"""How two dates of a row stand to each other."""
_DATE_OPERATORS = {"<": "is before", "<=": "is up to", ">": "is after", ">=": "is from"}
_MATCHES = {
    "contains": ("contains", "does not contain"), "starts": ("starts with", "does not start with"),
    "ends": ("ends with", "does not end with"), "word": ("contains", "does not contain"),
    "like": ("is like", "is not like"), "entry": ("includes", "does not include"),
}  # fmt: skip
"""How a text test is said, and how its contrary."""
_WINDOWS = {
    "share": "share of {}", "rank": "rank by {}", "running_total": "running total of {}",
    "moving_average": "moving average of {}", "previous": "previous {}", "change": "change in {}",
    "change_pct": "change in {} in percent", "row_number": "place by {}",
}  # fmt: skip
_SIGNS = {"*": "×", "/": "÷", "+": "+", "-": formats.MINUS}
_STRENGTHS = {"*": 2, "/": 2, "+": 1, "-": 1}
_PHRASE = re.compile(r" where | from .+ to |, ")
"""Words whose end could not be told beside an arithmetic sign."""
_SETS = {"union": "either of", "intersect": "both of", "except": "the first but not the second of"}


def plan_sentence(plan: Plan) -> str:
    """The whole plan in one or two sentences."""
    match plan:
        case Query():
            return capital(_query_words(plan)) + "."
        case SetOperation():
            return f"{capital(_SETS[plan.op])}: ({_query_words(plan.left)}) and ({_query_words(plan.right)})."
        case Comparison():
            return f"{capital(_query_words(plan.query))}, {plan.current_label} compared with {plan.baseline_label}."
        case Combine() if told := _added_up_words(plan):
            return f"{capital(told)}."
        case Combine():
            parts = [f"{part.label}: {_query_words(part.query)}" for part in plan.parts]
            outputs = [f"{o.label} = {expr_words(o.expr)}" for o in plan.outputs if not isinstance(o.expr, ColumnRef)]
            return " ".join(f"{capital('; '.join(told))}." for told in (parts, outputs) if told)
        case Drivers():
            by = listed([spoken(cut.by.label) for cut in plan.cuts], most=6)
            then, now = plan.comparison.baseline_label, plan.comparison.current_label
            apart = is_of_group(plan.comparison.current)
            what = "difference" if apart else "change"
            sides = f"{now} against {then}" if apart or is_stretch(then) else f"from {then} to {now}"
            return f"The {what} in {_query_words(plan.comparison.query)}, {sides}, split by {by}."
        case Statistic():
            # Imported here: statistics bring scipy along.
            from apps.analyst.computing.statistics import registry

            names = tuple(output.label for output in outputs_of(plan.query))
            told = registry.sentence(plan.name, names, plan.options)
            return f"{capital(told)}{_over(plan.query)}."
        case Describe():
            what = plan.column or plan.table or "all tables"
            return f"What is in {what}."
        case Clarify():
            return plan.question


def filters_of(plan: Plan) -> tuple[str, ...]:
    """Every condition of the plan, each in words."""
    found: list[str] = []
    for query in queries_of(plan):
        found += [predicate_words(part) for part in conjuncts(query.where)]
        if query.having is not None:
            found += [predicate_words(inline_labels(part, query, own_first=True)) for part in conjuncts(query.having)]
        if isinstance(query.source, Query):
            found += list(filters_of(query.source))
    compared = plan.comparison if isinstance(plan, Drivers) else plan
    if isinstance(compared, Comparison):
        found.append(f"{compared.current_label}: {predicate_words(compared.current)}")
        found.append(f"{compared.baseline_label}: {predicate_words(compared.baseline)}")
    return tuple(dict.fromkeys(found))


def queries_of(plan: Plan) -> Iterator[Query]:
    """The outermost queries of a plan."""
    match plan:
        case Query():
            yield plan
        case SetOperation():
            yield from (plan.left, plan.right)
        case Comparison() | Statistic():
            yield plan.query
        case Drivers():
            query = plan.comparison.query
            known = {join.alias or join.table for join in query.joins}
            joins = tuple(j for cut in plan.cuts[:1] for j in cut.joins if (j.alias or j.table) not in known)
            yield query.model_copy(update={"joins": (*query.joins, *joins)})
        case Combine():
            yield from (part.query for part in plan.parts)


def _added_up_words(plan: Combine) -> str:
    """ "total amount in north and south, added up", of the same figure of several files; "" of another."""
    named = {part.label: part.query for part in plan.parts}
    figures = {query.measures[0].label for query in named.values()} | {plan.outputs[0].label}
    if any(query.source != name for name, query in named.items()) or len(figures) > 1:
        return ""
    told = {_query_words(query).replace(name, listed(list(named)), 1) for name, query in named.items()}
    return f"{told.pop()}, added up" if len(told) == 1 else ""


def _query_words(query: Query) -> str:
    tests = conjuncts(query.where)
    where = together([said_once(test, tests) for test in tests])
    having = together([said_once(test, tests) for test in conjuncts(query.having)])
    query = query.model_copy(update={"where": where, "having": having})
    if told := counted_groups_words(query, _SAY) or _over_groups_words(query) or _kept_words(query):
        return told + _having_words(query) + order_words(query, _SAY)
    inner = figures_within(query)
    what = [
        spoken(output.label)
        if output.label in inner
        else _output_words(output.label, inline_labels(output.expr, query))
        for output in query.measures
    ]
    if query.columns:
        names = [spoken(output.label) for output in query.columns]
        what = [_different(names) if query.distinct else listed(names, most=6)]
    elif not what:
        what = [_different([spoken(output.label) for output in query.groups])]
    by = [expr_words(group.expr) for group in query.groups] if query.measures else []
    sides = sides_words(query, _SAY)
    said = sides or listed(what, most=6)
    said = _counted_words(said, query) if isinstance(query.source, str) else said
    text = said + (f" by {listed(by)}" if by else "")
    text += _only_words(query) if _is_named(said, query, by) else f"{',' if sides else ''}{_over(query)}"
    return text + _having_words(query) + order_words(query, _SAY)


def counted_words(query: Query) -> str:
    """ "number of customers with more than 3 orders", where a query counts the groups of another, without its files; ""
    for all else."""
    return counted_groups_words(query, _SAY, files=False)


def _kept_words(query: Query) -> str:
    """ "customers whose first order date is in 2025, in orders": a list of another query's groups; "" for all else."""
    told = kept_groups_words(query, _SAY) if query.columns and isinstance(query.source, Query) else ""
    return f"{told.removeprefix('the ')}{_over_inner(query.source)}" if told and isinstance(query.source, Query) else ""


def _over_inner(query: Query) -> str:
    return f", in {listed([str(query.source), *(join.table for join in query.joins)], 'with')}"


def _over_groups_words(query: Query) -> str:
    """One figure over the groups of another query, by its own groups, or a share of them; "" for all else."""
    told = of_groups(query, _SAY, whole=True) or _share_words(query)
    if not told or not isinstance(query.source, Query):
        return ""
    by = [expr_words(group.expr) for group in query.groups]
    return told + (f" by {listed(by)}" if by else "") + _over(query.source)


def _is_named(said: str, query: Query, by: list[str]) -> bool:
    """Whether the words of a query's figures name its one table already."""
    if not isinstance(query.source, str) or query.joins:
        return False
    if said.endswith(f"rows in {query.source}"):
        return True
    said = said.partition(" where ")[0] if said.endswith("where it is not") else said
    return not by and said.endswith((f"number of {query.source}", f"number of {spoken(query.source)}"))


def _having_words(query: Query) -> str:
    if query.having is None:
        return ""
    told = predicate_words(inline_labels(query.having, query, own_first=True))
    return f", only where {_counted_words(told, query) if isinstance(query.source, str) else told}"


def _different(names: list[str]) -> str:
    if len(names) == 1:
        return f"the different {names[0]}s" if names[0].endswith(" ID") else f"the different {formats.plural(names[0])}"
    return f"the different combinations of {listed(names, most=6)}"


def _output_words(label: str, expr: Expr) -> str:
    words = expr_words(expr)
    return words if spoken(label) in words or len(words) < 60 else spoken(label)


def _over(query: Query) -> str:
    source = f"({_query_words(query.source)})" if isinstance(query.source, Query) else query.source
    names = [source, *(join.table for join in query.joins)]
    text = f" in {listed(names, 'with')}" if len(names) > 1 else f" in {source}"
    return text + _only_words(query)


def _only_words(query: Query) -> str:
    where = own_where(query)
    return f", where {predicate_words(where)}" if where is not None else ""


# ---------------------------------------------------------------- expressions
def _is_nought(expr: Expr) -> bool:
    """Guards against missing totals and division by nothing need no words."""
    return isinstance(expr, Constant) and expr.value == 0


def expr_words(expr: Expr) -> str:
    """An expression in words: "total amount", "month of create date"."""
    match expr:
        case ColumnRef():
            return "place in the file" if expr.column == ROW_NUMBER else spoken(expr.column)
        case Constant():
            return constant_words(expr)
        case Arithmetic():
            if told := times_words(expr, _SAY) or per_many_words(expr, _SAY):
                return told
            return f"{_side(expr.left, expr.op)} {_SIGNS[expr.op]} {_side(expr.right, expr.op, behind=True)}"
        case Call():
            if expr.name.endswith("_between"):
                unit = expr.name.split("_")[0]
                return f"{unit} from {expr_words(expr.args[0])} to {expr_words(expr.args[1])}"
            if (bare := _bare(expr)) is not expr:
                return expr_words(bare)
            return f"{expr.name.replace('_', ' ')} of {listed([_whole(arg) for arg in expr.args])}"
        case Period():
            fiscal = expr.first_month != 1 and expr.grain in ("quarter", "year")
            return f"{'fiscal ' if fiscal else ''}{expr.grain} of {expr_words(expr.of)}"
        case Part():
            return f"{expr.part.removesuffix('_name')} of {expr_words(expr.of)}"
        case Bin():
            return f"{_whole(expr.of)} in steps" + (f" of {formats.figure(expr.width)}" if expr.width else "")
        case Conditional() if (ref := merged_column(expr)) is not None:
            return expr_words(ref)
        case Conditional():
            other = f", else {expr_words(expr.otherwise)}" if expr.otherwise is not None else ""
            return f"{expr_words(expr.then)} where {predicate_words(expr.when)}{other}"
        case Aggregate():
            return _aggregate_words(expr)
        case Window():
            text = _WINDOWS[expr.fn].format(_whole(expr.of))
            return text + (f" within {listed([spoken(label) for label in expr.partition])}" if expr.partition else "")
        case ScalarQuery():
            return _own_group_words(expr) if expr.own is not None else _value_words(expr.query)


def _bare(expr: Expr) -> Expr:
    """The expression without what needs no words: readings of texts, rounding, guards against missing totals."""
    if not isinstance(expr, Call):
        return expr
    rounds = expr.name == "round"
    reads = expr.name in ("number", "seconds", "trim") and len(expr.args) == 1
    guards = expr.name in ("coalesce", "nullif") and _is_nought(expr.args[-1])
    return _bare(expr.args[0]) if reads or guards or rounds else expr


def _whole(expr: Expr) -> str:
    """An expression that stands behind a word: what is computed goes in brackets."""
    words = expr_words(expr)
    return f"({words})" if isinstance(_bare(expr), Arithmetic) else words


def _side(expr: Expr, op: str, *, behind: bool = False) -> str:
    """One side of an arithmetic sign, in brackets where it would be read otherwise without them."""
    words, inner = expr_words(expr), _bare(expr)
    if times_words(inner, _SAY):
        return f"({words})"
    if isinstance(inner, Arithmetic):
        tied = _STRENGTHS[inner.op] > _STRENGTHS[op] or (
            _STRENGTHS[inner.op] == _STRENGTHS[op] and (not behind or (op == inner.op and op in "+*"))
        )
        return words if tied else f"({words})"
    return f"({words})" if isinstance(inner, ScalarQuery) or _PHRASE.search(words) else words


# ---------------------------------------------------------------- inner queries
def of_groups_words(query: Query) -> str:
    """ "average total amount per owner", where a query is one figure over the groups of another; else ""."""
    return of_groups(query, _SAY)


def _value_words(query: Query) -> str:
    """A query used as a value: "the average price of all items", "the average number of calls per agent"."""
    if (told := of_groups_words(query)) and isinstance(inner := query.source, Query):
        only = f" of {rows_words(inner)} where {predicate_words(inner.where)}" if inner.where is not None else ""
        return f"the {told}{only}"
    if query.columns:
        return _first_value_words(query)
    plain = len(query.measures) == 1 and not query.groups and isinstance(query.source, str) and query.having is None
    if not plain:
        return f"({_query_words(query)})"
    figure = inline_labels(query.measures[0].expr, query)
    words, noun = _counted_words(expr_words(figure), query), rows_words(query)
    if isinstance(_bare(figure), Arithmetic):
        over = f"{noun} where {predicate_words(query.where)}" if query.where is not None else f"all {noun}"
        return f"({words}) over {over}"
    if query.where is not None:
        words = words if words == f"number of {noun}" else f"{words} of {noun}"
        return f"the {words} where {predicate_words(query.where)}"
    if words == f"number of {noun}":
        return f"the number of all {noun}"
    return f"the {words}" if " where " in words else f"the {words} of all {noun}"


def _share_words(query: Query) -> str:
    """What a share of groups, or of the biggest ones, is called; "" for all else."""
    inner = query.source
    if not isinstance(inner, Query) or not inner.groups or len(query.measures) != 1 or query.groups:
        return ""
    share = query.measures[0].expr
    is_share = isinstance(share, Arithmetic) and share.op == "/" and query.measures[0].unit == "%"
    return spoken(query.measures[0].label) if is_share else ""


def _first_value_words(query: Query) -> str:
    """The one value that comes first in an order: "the price of the item that comes first by date descending"."""
    if len(query.columns) != 1 or query.limit != 1 or query.offset or not query.order or query.ties:
        return f"({_query_words(query)})"
    keys = [
        f"{key_words(order, query, _SAY)} {'descending' if order.descending else 'ascending'}" for order in query.order
    ]
    noun = formats.singular(rows_words(query))
    only = f" where {predicate_words(query.where)}" if query.where is not None else ""
    value = expr_words(inline_labels(query.columns[0].expr, query))
    return f"the {value} of the {noun}{only} that comes first by {', then '.join(keys)}"


def _set_words(query: Query) -> str:
    """A query used as a set: "the agents whose number of calls is over 14", "the top 2 agents by total price"."""
    outputs = outputs_of(query)
    if told := kept_groups_words(query, _SAY):
        return told
    several = query.limit is not None and len(query.order) > 1
    cut = query.limit_per or query.ties or several or (query.offset and not (query.limit and query.order))
    if len(outputs) != 1 or cut or isinstance(query.source, Query) or (query.having is not None and query.limit):
        return f"({_query_words(query)})"
    expr, noun = inline_labels(outputs[0].expr, query), rows_words(query)
    names = formats.counted_by(expr.column, expr.table) if isinstance(expr, ColumnRef) else expr_words(expr)
    names = noun if _is_row(expr) else names
    where = f" where {predicate_words(query.where)}" if query.where is not None else ""
    of = "" if names == noun else f" of {noun}"
    if query.having is not None:
        many, whose = held_words(query, None, _SAY)
        return f"the {names}{many}{whose}" + (f", counting only {noun}{where}" if where else "")
    if query.limit is None:
        return f"the {names}{of}{where}"
    few = "" if query.limit == 1 else f"{query.limit} "
    names = formats.singular(names) if query.limit == 1 else names
    if not query.order:
        return f"the first {few}{names}{of}{where}"
    end = "top" if query.order[0].descending else "bottom"
    by = _counted_words(key_words(query.order[0], query, _SAY), query)
    told = f"the {end} {few}{names} by {by}"
    if query.offset:
        first, last = query.offset + 1, query.offset + query.limit
        bottom = "" if query.order[0].descending else " from the bottom"
        places = f"place {first}" if query.limit == 1 else f"places {first} to {last}"
        told = f"the {names} in {places}{bottom} by {by}"
    return told + (f", counting only {noun}{where}" if where else "")


def _is_row(expr: Expr) -> bool:
    """Whether an expression is the row itself."""
    return isinstance(expr, ColumnRef) and expr.column == ROW_NUMBER


def _counted_words(words: str, query: Query) -> str:
    """Words of a query's figures with what its rows are called."""
    return counted_rows(words, rows_words(query))


def _own_group_words(expr: ScalarQuery) -> str:
    """ "the average price of the same category"."""
    query, figure = expr.query, expr.query.measures[0].expr
    where = f" where {predicate_words(query.where)}" if query.where is not None else ""
    rows = (
        isinstance(figure, Aggregate) and figure.fn == "count" and figure.of is None and isinstance(query.source, str)
    )
    told = f"number of {formats.rows_noun(str(query.source))}" if rows else expr_words(figure)
    found = {ref.table for ref in references(expr.own)} if expr.own is not None else set()
    if isinstance(query.source, str) and not rows and found and query.source not in found:
        told += f" in {query.source}"  # the row's own table would go without saying
    return f"the {told} of the same {expr_words(query.groups[0].expr)}{where}"


def _aggregate_words(expr: Aggregate) -> str:
    only = f" where {predicate_words(expr.where)}" if expr.where is not None else ""
    counted = isinstance(expr.of, ColumnRef) and expr.of.column == ROW_NUMBER and expr.fn == "count"
    if counted and isinstance(expr.of, ColumnRef) and (noun := formats.rows_noun(expr.of.table)) != "rows":
        return f"number of {noun}{only}"
    if expr.of is None or counted:
        return f"number of rows{only}"
    of = _whole(expr.of)
    if isinstance(expr.of, ScalarQuery):
        return f"{of}{only}"
    if expr.fn == "count":
        if isinstance(expr.of, ColumnRef):
            of = formats.counted_by(expr.of.column, expr.of.table)
        return f"number of {'different ' if expr.distinct else ''}{of}{only}"
    if expr.fn == "quantile":
        return f"{100 * (expr.quantile or 0):g}% quantile of {of}{only}"
    return f"{led_by(_AGGREGATES[expr.fn], f'different {of}' if expr.distinct else of)}{only}"


def constant_words(expr: Constant) -> str:
    """A literal as people write it."""
    value = constant_value(expr)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return formats.figure(value)
    return formats.cell_text(value)


def _is_date(expr: Expr) -> bool:
    """Whether a column is called as dates are: "shipped date", "due on"."""
    return isinstance(expr, ColumnRef) and _DATE_NAME.search(spoken(expr.column)) is not None


_PARTS_BY_NAME: Mapping[str, Sequence[str]] = {"weekday": formats.WEEKDAYS, "month": formats.MONTH_NAMES}


def part_value(of: Expr, value: Constant) -> str:
    """A literal that something is compared with: of a weekday or month its name ("Saturday"), else as it is written."""
    if isinstance(of, ColumnRef) and isinstance(value.value, int) and formats.names_year(of.column, value.value):
        return str(value.value)
    if not isinstance(of, Part) or isinstance(value.value, str | bool | None):
        return constant_words(value)
    names, number = _PARTS_BY_NAME.get(of.part, ()), int(value.value)
    return names[number - 1] if 1 <= number <= len(names) else str(value.value)


# ---------------------------------------------------------------- predicates
def predicate_words(predicate: Predicate) -> str:
    """A condition in words: "stage is Closed won", "close date is in Q2 2025"."""
    match predicate:
        case Compare():
            dated = isinstance(predicate.right, Constant) and predicate.right.type in ("date", "datetime")
            words = {**_OPERATORS, **_DATE_OPERATORS} if dated else _OPERATORS
            words = {**words, **_BETWEEN_DATES} if _is_date(predicate.left) and _is_date(predicate.right) else words
            right = predicate.right
            shown = part_value(predicate.left, right) if isinstance(right, Constant) else expr_words(right)
            timed = isinstance(predicate.left, Call) and predicate.left.name == "seconds"
            if timed and isinstance(right, Constant) and isinstance(right.value, int | float):
                shown = formats.clock(right.value)
            left = expr_words(predicate.left)
            return f"{left} {be(left)}{words[predicate.op].removeprefix('is')} {shown}"
        case Among():
            values = listed([part_value(predicate.of, value) for value in predicate.values], "or", most=8)
            of = expr_words(predicate.of)
            return f"{of} {be(of)} {'not ' if predicate.negated else ''}{values}"
        case Between():
            return _between_words(predicate)
        case TextMatch():
            of, verb = expr_words(predicate.of), _MATCHES[predicate.op][predicate.negated]
            if predicate.op == "entry" and be(of) == "are":
                verb = "do not include" if predicate.negated else "include"
            return f"{of} {verb} “{predicate.value}”"
        case Missing():
            of = expr_words(predicate.of)
            return f"{of} {be(of)} {'given' if predicate.negated else 'missing'}"
        case InQuery():
            told = _set_words(predicate.query)
            one = predicate.query.limit == 1 and not told.startswith("(")
            verb = f"is {'not ' if predicate.negated else ''}{'' if one else 'among '}"
            of = (
                expr_words(predicate.of) if not _is_row(predicate.of) else formats.singular(rows_words(predicate.query))
            )
            return f"{of} {verb}{told}"
        case AllOf():
            return listed([predicate_words(part) for part in predicate.of])
        case AnyOf():
            return _either_words(predicate)
        case Not(of=Between() as span) if date_range(span) is not None:
            return _between_words(span, negated=True)
        case Not():
            return f"not ({predicate_words(predicate.of)})"


def _either_words(predicate: AnyOf) -> str:
    """Alternatives, with what they begin with alike said once: "order date is in Q2 2025 or Q3 2025"."""
    if told := _times_words(predicate.of):
        return told
    parts = [predicate_words(part) for part in predicate.of]
    subject = parts[0].partition(" is ")[0] + " is "
    if all(part.startswith(subject + "in ") and " and " not in part for part in parts):
        parts = [parts[0], *(part.removeprefix(subject) for part in parts[1:])]
    return listed(parts, "or")


def _times_words(parts: Sequence[Predicate]) -> str:
    """Stretches of one date, the earliest first: "order date is in 2024 or 2025"; "" for other conditions."""
    if (found := stretches(parts)) is None:
        return ""
    date, spans = found
    of = expr_words(date)
    return f"{of} {be(of)} {stretches_words(spans)}"


def _between_words(predicate: Between, *, negated: bool = False) -> str:
    of = expr_words(predicate.of)
    span = date_range(predicate)
    if span is not None:
        return f"{of} {be(of)} {'not ' if negated else ''}{span_words(*span)}"
    between = f"{of} {be(of)} between {expr_words(predicate.low)} and {expr_words(predicate.high)}"
    return between + (" (not included)" if predicate.half_open else "")


_SAY = Say(lambda expr: expr_words(expr), lambda test: predicate_words(test), rows_words)
"""How what lies below a query over groups is put into words."""
