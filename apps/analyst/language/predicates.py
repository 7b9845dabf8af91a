"""From conditions to predicates of the plan algebra, each with the table it restricts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta

from apps.analyst.language.concepts import plain_name
from apps.analyst.language.figures import as_figure, column_ref
from apps.analyst.language.parse.draft import Condition, Draft, Operator, Slot, is_number, is_year
from apps.analyst.language.parse.value_columns import spellings
from apps.analyst.language.periods import PeriodMention
from apps.analyst.language.tagging import ColumnHit
from apps.analyst.plan import (
    Aggregate,
    Among,
    AnyOf,
    Between,
    Call,
    ColumnRef,
    Compare,
    Constant,
    Expr,
    Missing,
    Output,
    Part,
    Predicate,
    Query,
    ScalarQuery,
    TextMatch,
)
from apps.analyst.telling.formats import spoken
from apps.analyst.types import Column

_MEANT, _SURE = 0.45, 0.95
"""From which score on a word may name the group of an average, and from which it surely does."""
_FIRST_YEAR = 1000
_YEAR, _MOSTLY = re.compile(r"1\d{3}|20\d\d"), 0.8
_QUOTES = "'\"`\u2018\u2019\u201c\u201d "


_OPERATOR_WORDS: dict[Operator, str] = {
    ">": "over", "<": "under", ">=": "of at least", "<=": "of at most", "=": "", "!=": "other than",
}  # fmt: skip


@dataclass(slots=True)
class Restriction:
    """A predicate on one table. `apart` keeps it from sharing a semi-join with others ("both A and B", "but not");
    `alternative` joins it to the one before it by "or"."""

    table: str
    predicate: Predicate | None
    negated: bool = False
    apart: bool = False
    alternative: bool = False
    said: str = ""
    item: int = 0


def restrictions(draft: Draft) -> list[Restriction]:
    """The question's conditions as restrictions, alternatives on one table merged."""
    found: list[Restriction] = []
    draft.unmet = 0
    for condition in sorted(draft.conditions, key=lambda condition: condition.item):
        made = _restriction(draft, condition)
        if not made:
            draft.unmet += condition.slot is not None
            continue
        for restriction in made:
            restriction.item = condition.item
        if (
            condition.alternative
            and found
            and len(made) == 1
            and found[-1].table == made[0].table
            and not made[0].apart
        ):
            previous = found[-1]
            if previous.predicate is not None and made[0].predicate is not None and not previous.negated:
                previous.predicate = AnyOf(of=(previous.predicate, made[0].predicate))
                previous.said += " or " + made[0].said
                continue
        made[0].alternative = condition.alternative and len(made) == 1 and bool(found)
        found.extend(made)
    return found


def _restriction(draft: Draft, condition: Condition) -> list[Restriction]:
    if condition.kind == "exists":
        assert condition.table is not None
        return [Restriction(condition.table, None, negated=condition.negated, apart=True, said=condition.table)]
    if condition.slot is None or not condition.slot.hits:
        return []
    hit = condition.slot.best
    of = column_ref(draft, hit)
    column = draft.column(hit)
    if condition.kind == "columns" and condition.other is not None:
        there = column_ref(draft, condition.other)
        held = Compare(op=condition.op, left=of, right=there)
        return [
            Restriction(hit.table, held, said=_compared_in_words(hit, condition.op, spoken(condition.other.column)))
        ]
    if condition.kind == "value":
        return _value(draft, condition, hit, of, column)
    predicate = _predicate(draft, condition, hit, of, column)
    if predicate is None:
        return []
    negated = condition.kind == "period" and condition.negated
    said = spoken(plain_name(hit.column))
    if condition.kind == "compare" and len(condition.values) == 1 and isinstance(condition.values[0], int | float):
        said = _compared_in_words(hit, condition.op, f"{condition.values[0]:,g}")
    return [Restriction(hit.table, predicate, negated=negated, apart=negated, said=said)]


def _compared_in_words(hit: ColumnHit, op: Operator, other: str) -> str:
    return " ".join(word for word in (spoken(plain_name(hit.column)), _OPERATOR_WORDS[op], other) if word)


def _value(draft: Draft, condition: Condition, hit: ColumnHit, of: Expr, column: Column) -> list[Restriction]:
    values = condition.values
    if condition.slot is not None and hit != condition.slot.hits[0]:
        said_at = (condition.slot.item, *condition.also)
        values = tuple(v for i in said_at for v in spellings(draft.items[i], hit.table, hit.column)) or values
    said = f"{spoken(hit.column)} {' or '.join(str(value) for value in values)}"
    if condition.every and len(values) > 1 and not condition.negated:
        return [
            Restriction(hit.table, Compare(op="=", left=of, right=constant(value, column)), apart=True, said=said)
            for value in values
        ]
    predicate: Predicate
    if not values:
        predicate = TextMatch(
            op="contains", of=of, value=draft.items[condition.slot.item].text.strip(_QUOTES) if condition.slot else ""
        )
    elif len(values) == 1:
        predicate = Compare(op="=", left=of, right=constant(values[0], column))
    else:
        predicate = Among(of=of, values=tuple(constant(value, column) for value in values))
    return [Restriction(hit.table, predicate, negated=condition.negated, apart=condition.negated, said=said)]


def _predicate(draft: Draft, condition: Condition, hit: ColumnHit, of: Expr, column: Column) -> Predicate | None:
    if condition.kind == "compare":
        exact = condition.op in ("=", "!=") and not is_number(column)
        return _compare(condition, of if exact else as_figure(draft, hit) or of, column)
    if condition.kind == "text":
        return TextMatch(op=condition.match, of=of, value=str(condition.values[0]), negated=condition.negated)
    if condition.kind == "missing":
        return Missing(of=of, negated=condition.negated)
    if condition.kind == "period" and condition.period is not None:
        return period_predicate(condition.period, of, column)
    if condition.kind == "average":
        return _average(draft, condition, hit, of)
    if condition.kind == "beyond" and condition.other is not None and condition.other.table == hit.table:
        return _beyond(draft, condition, condition.other, as_figure(draft, hit) or of)
    return None


def _beyond(draft: Draft, condition: Condition, named: ColumnHit, of: Expr) -> Predicate:
    """A figure held against that of a named row: the largest of them where several rows are called so."""
    name, column = column_ref(draft, named), draft.column(named)
    said = draft.items[condition.item].text.strip(_QUOTES)
    whose: Predicate = (
        Among(of=name, values=tuple(constant(value, column) for value in condition.values))
        if condition.values
        else TextMatch(op="contains", of=name, value=said)
    )
    theirs = Query(source=named.table, where=whose, measures=(Output(label="theirs", expr=Aggregate(fn="max", of=of)),))
    return Compare(op=condition.op, left=of, right=ScalarQuery(query=theirs))


def _compare(condition: Condition, of: Expr, column: Column) -> Predicate | None:
    low = condition.values[0]
    if isinstance(low, float) and low < _FIRST_YEAR and len(condition.values) == 1 and _tells_years(column):
        return None
    if len(condition.values) == 2:
        return Between(of=of, low=number(low), high=number(condition.values[1]))
    if column.type in ("date", "datetime") and isinstance(low, float) and 1000 < low < 2200:
        year: Expr = Part(part="year", of=of)
        return Compare(op=condition.op, left=year, right=number(low))
    if not is_number(column) and not isinstance(of, Call):
        if condition.op in ("=", "!="):
            text = f"{low:g}" if isinstance(low, float) else str(low)
            return Compare(op=condition.op, left=of, right=Constant(value=text))
        return None
    return Compare(op=condition.op, left=of, right=number(low))


def _tells_years(column: Column) -> bool:
    """Years, also those that are written with a few words among them ("1989", "present")."""
    if column.type != "text":
        return is_year(column)
    told = [value.value for value in column.values]
    return bool(told) and sum(bool(_YEAR.fullmatch(value.strip())) for value in told) >= _MOSTLY * len(told)


def _average(draft: Draft, condition: Condition, hit: ColumnHit, of: Expr) -> Predicate | None:
    of = as_figure(draft, hit) or of
    average = Query(source=hit.table, measures=(Output(label="average", expr=Aggregate(fn=condition.fn, of=of)),))
    if condition.own is None:
        return Compare(op=condition.op, left=of, right=ScalarQuery(query=average))
    group = _group_of(draft, condition.own, hit)
    if group is None:
        return None
    own = average.model_copy(update={"groups": (Output(label="group", expr=group),)})
    return Compare(op=condition.op, left=of, right=ScalarQuery(query=own, own=group))


def _group_of(draft: Draft, named: Slot, figure: ColumnHit) -> ColumnRef | None:
    """The column of the figure's table that tells the named groups apart: its own, or a key to the table named."""
    own = [
        hit for hit in named.hits if hit.table == figure.table and hit.column != figure.column and hit.score >= _MEANT
    ]
    tables = {hit.table for hit in draft.items[named.item].tables if hit.score >= _MEANT}
    keys = [
        edge.source_columns[0]
        for edge in draft.lexicon.schema.edges.get(figure.table, ())
        if edge.one and edge.target in tables and len(edge.source_columns) == 1
    ]
    if keys and not (own and own[0].score >= _SURE):
        return ColumnRef(table=figure.table, column=keys[0])
    return ColumnRef(table=figure.table, column=own[0].column) if own else None


def period_predicate(mention: PeriodMention, of: Expr, column: Column) -> Predicate | None:
    """A period as a test of a date, moment or year column."""
    if mention.month_only is not None:
        return Compare(op="=", left=Part(part="month", of=of), right=number(mention.month_only))
    if mention.weekday is not None:
        return Compare(op="=", left=Part(part="weekday", of=of), right=number(mention.weekday))
    if is_year(column) or is_number(column):
        return _years(mention, of)
    if mention.low is not None and mention.high is not None:
        return Between(of=of, low=day(mention.low), high=day(mention.high), half_open=True)
    if mention.low is not None:
        return Compare(op=">=", left=of, right=day(mention.low))
    if mention.high is not None:
        return Compare(op="<", left=of, right=day(mention.high))
    return None


def _years(mention: PeriodMention, of: Expr) -> Predicate | None:
    low = None if mention.low is None else mention.low.year + (0 if mention.low.month == 1 else 1)
    high = None if mention.high is None else (mention.high - timedelta(days=1)).year
    if mention.low is not None and mention.high is not None and mention.low.year == (high or 0):
        low = mention.low.year
    if low is not None and high is not None:
        return (
            Compare(op="=", left=of, right=number(low))
            if low == high
            else Between(of=of, low=number(low), high=number(high))
        )
    if low is not None:
        return Compare(op=">=", left=of, right=number(low))
    return None if high is None else Compare(op="<=", left=of, right=number(high))


def constant(value: str | float, column: Column) -> Constant:
    """A stored value as a constant of its column's type."""
    if column.type == "boolean":
        return Constant(value=str(value).casefold() in ("true", "t", "yes", "y", "1"), type="boolean")
    if isinstance(value, (int, float)):
        return number(value)
    return Constant(value=value)


def number(value: str | float) -> Constant:
    """A figure; whole ones without a fraction."""
    figure = float(value)
    return Constant(value=int(figure) if figure.is_integer() else figure, type="number")


def day(value: date) -> Constant:
    """A day."""
    return Constant(value=value.isoformat(), type="date")
