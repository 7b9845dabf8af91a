"""Which rows an answer speaks of: a plan's conditions in the words that follow a noun."""

from __future__ import annotations

from apps.analyst.computing.compile.walk import references, rewrite, within
from apps.analyst.plan import (
    ROW_NUMBER,
    Aggregate,
    Among,
    AnyOf,
    Between,
    ColumnRef,
    Compare,
    Constant,
    Expr,
    InQuery,
    Missing,
    Node,
    Not,
    Part,
    Predicate,
    Query,
)
from apps.analyst.plan.conditions import conjuncts, said_once
from apps.analyst.plan.sentence import part_value, predicate_words
from apps.analyst.plan.sentence_groups import own_where
from apps.analyst.plan.spans import date_range, span_words, stretches, stretches_words
from apps.analyst.telling import formats
from apps.analyst.telling.formats import is_number, listed, rows_noun, spoken
from apps.analyst.telling.narrate.view import View

_NUMBERS = {">": "more than", ">=": "at least", "=": "exactly"}


def subject(view: View) -> str:
    """The rows spoken of with their conditions: "deals with stage Closed won in 2024"; "" where there is none."""
    noun = view.noun()
    told = scope(view)
    if noun == "rows" and not told:
        return ""
    return f"{noun}{told}"


def scope(view: View) -> str:
    """The conditions as they follow a noun: " with stage Closed won in 2024"."""
    if view.query is not None and view.query.noun:
        return view.query.scope
    scan = view.scan
    return view.said(scope_words(own_where(scan), view, view.source or "")) if scan is not None else ""


def scope_words(where: Predicate | None, view: View, table: str) -> str:
    """A condition in the words that follow a noun, dates last."""
    named: list[str] = []
    times: list[str] = []
    other: list[str] = []
    text = ""
    tests = conjuncts(where)
    for part in (said_once(test, tests) for test in tests):
        if _is_row_for_row(part, view):
            continue
        if when := _time_words(part):
            times.append(when)
        elif isinstance(part, InQuery) and (partners := _shown(part, view) or _partners(part, view)):
            text += partners
        elif flag := _flag_words(part, view):
            text += flag
        elif told := _with_words(part, view, table):
            named.append(told)
        elif not _is_guard(part, view):
            other.append(predicate_words(part))
    text = (f" with {listed(named)}" if named else "") + text
    text += f" where {listed(other)}" if other else ""
    return text + (f" {' '.join(times)}" if times else "")


def _is_guard(part: Predicate, view: View) -> bool:
    """True where what is shown or ranked must be there: nobody asked for that, it goes without saying."""
    if not (isinstance(part, Missing) and part.negated):
        return False
    queries = [node for node in within(view.plan) if isinstance(node, Query)]
    shown = [node for query in queries for node in (*query.columns, *query.groups, *query.measures, *query.order)]
    told = {(ref.table, ref.column) for node in shown for ref in references(rewrite(node, _bare))}
    return all((ref.table, ref.column) in told for ref in references(part.of))


def _is_row_for_row(part: Predicate, view: View) -> bool:
    """True for stretches of the date that the rows go by, a row for each: the rows name them."""
    found = stretches(part.of) if isinstance(part, AnyOf) else None
    if found is None or view.query is None or len(found[1]) != len(view.rows):
        return False
    return view.shape == "series" and any(found[0] in within(group.expr) for group in view.query.groups)


def _bare(node: Node) -> Node | None:
    """A figure without its own condition: what that asks for does not go without saying."""
    return node.model_copy(update={"where": None}) if isinstance(node, Aggregate) and node.where is not None else None


def _flag_words(part: Predicate, view: View) -> str:
    """ " marked discontinued" for a column that says yes or no, also by 1 and 0."""
    if not (isinstance(part, Compare) and part.op == "=" and isinstance(part.left, ColumnRef)):
        return ""
    stored = view.stored(part.left)
    value = part.right.value if isinstance(part.right, Constant) else None
    if stored is None or value not in (0, 1, True, False) or isinstance(value, str):
        return ""
    column = stored[1]
    flag = column.type == "boolean" or (column.type == "integer" and (column.minimum, column.maximum) == (0, 1))
    return f" {'' if value else 'not '}marked {view.said(spoken(column.name))}" if flag else ""


def _shown(part: InQuery, view: View) -> str:
    """ " of the top 3 products", " among the top 5 deals by amount", where the first of a ranking are shown; by what
    they were ranked goes without saying where it is the figure that is told."""
    query, told = view.query, predicate_words(part).partition(" is among ")[2]
    if query is None or part.query.limit is None or not part.query.order or not told or told.startswith("("):
        return ""
    if isinstance(part.of, ColumnRef) and part.of.column == ROW_NUMBER:
        return f" among {told}"
    if part.of not in [group.expr for group in query.groups]:
        return ""
    ranked = [output.expr for output in query.measures[:1]] == [part.query.order[0].by]
    return f" of {told.rpartition(' by ')[0] if ranked else told}"


def _partners(part: InQuery, view: View) -> str:
    """ " without any deals in 2024", " with deals", " with more than 14 calls"; "" where more is asked of them."""
    query, source = part.query, part.query.source
    many = how_many(query.having)
    if isinstance(part.of, ColumnRef) and part.of.table == source and not _is_id(part.of, view):
        return _groups(part.of, part, many, view) if many and query.where is None and query.limit is None else ""
    if not isinstance(source, str) or many is None or query.limit is not None or query.offset:
        return ""
    noun = rows_noun(source, 1 if many.endswith(" 1") else None)
    noun = f"{noun} of {source}" if noun in ("rows", "row") else noun
    few = f"{'without' if part.negated else 'with'} {many}" if many else "without any" if part.negated else "with"
    return f" {few} {noun}{scope_words(query.where, view, source)}"


def _is_id(ref: ColumnRef, view: View) -> bool:
    stored = view.stored(ref)
    return stored is not None and stored[1].role == "id"


def _groups(ref: ColumnRef, part: InQuery, many: str, view: View) -> str:
    """ " of stages with more than 14 deals", where rows are told by the size of their own group."""
    noun = rows_noun(ref.table, 1 if many.endswith(" 1") else None)
    of = formats.plural(view.thing(ref.column, ref.table))
    return f" of {of} {'without' if part.negated else 'with'} {many} {noun}"


def how_many(having: Predicate | None) -> str | None:
    """How many rows a thing has to have ("more than 14"); "" where any will do, None where it is no such number. Upper
    bounds are none: "fewer than 3" would be true also of what has no row at all."""
    if having is None:
        return ""
    if not isinstance(having, Compare) or having.op not in _NUMBERS:
        return None
    counts = having.left == Aggregate(fn="count")
    number = having.right.value if isinstance(having.right, Constant) else None
    return f"{_NUMBERS[having.op]} {formats.figure(number)}" if counts and is_number(number) else None


def _time_words(part: Predicate) -> str:
    if isinstance(part, Not) and isinstance(part.of, Between):
        told = _time_words(part.of)
        return f"not {told}" if told else ""
    if isinstance(part, Between):
        span = date_range(part)
        return span_words(*span) + _dated(part.of) if span is not None else ""
    if isinstance(part, AnyOf) and (found := stretches(part.of)) is not None:
        return stretches_words(found[1]) + _dated(found[0])
    if (
        isinstance(part, Compare)
        and part.op == "="
        and isinstance(part.left, Part)
        and isinstance(part.right, Constant)
    ):
        value = part.right.value
        date = _dated(part.left.of)
        if part.left.part == "year":
            return f"in {value}{date}"
        if isinstance(value, int) and part.left.part in ("month", "quarter"):
            return f"in {formats.period(value, part.left.part)}{date}"
        if isinstance(value, str):
            return f"{'in' if part.left.part == 'month_name' else 'on'} {value}{date}"
    return ""


def _dated(of: Expr) -> str:
    """ " (close date)": which of a row's dates is meant, unless it is called just that."""
    name = spoken(of.column) if isinstance(of, ColumnRef) else ""
    return f" ({name})" if name not in ("", "date", "day", "time") else ""


def _value(constant: Constant, ref: ColumnRef, view: View) -> str:
    """A value compared with, in the unit of its column."""
    value = constant.value
    stored = view.stored(ref)
    if stored is not None and is_number(value) and stored[1].role == "measure":
        return formats.figure(value, stored[1].unit)
    return part_value(ref, constant)


def _with_words(part: Predicate, view: View, table: str) -> str:
    if isinstance(part, Compare) and isinstance(part.left, ColumnRef) and isinstance(part.right, Constant):
        name, value = view.thing(part.left.column, table), _value(part.right, part.left, view)
        words = {"=": "", "<": "under ", "<=": "of at most ", ">": "over ", ">=": "of at least "}
        dated = part.right.type in ("date", "datetime")
        if part.op in words and not dated:
            return f"{name} {words[part.op]}{value}"
    if isinstance(part, Among) and isinstance(part.of, ColumnRef) and not part.negated:
        values = [_value(value, part.of, view) for value in part.values]
        return f"{view.thing(part.of.column, table)} {listed(values, 'or', most=5)}"
    return ""
