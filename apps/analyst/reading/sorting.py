"""In which order a question wants what it lists: "oldest first", "largest on top", "most expensive first".

A sketch sorts only what it cuts; the network often takes such words for the one that comes first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apps.analyst.knowledge.english import english
from apps.analyst.plan import ColumnRef, Expr, Order, Output, Period, Plan, Query, Window
from apps.analyst.plan.sentence import expr_words
from apps.analyst.reading.coverage import THERE, fits_of
from apps.analyst.reading.forms import phrases, several_asked, several_of_two_words
from apps.analyst.reading.linking import Linked
from apps.analyst.reading.nodes import DATES_ROW
from apps.analyst.telling.narrate.headline import is_good
from apps.analyst.types import Column

_CHANGES = ("change", "change_pct")
_DATED, _NUMERIC = ("date", "datetime"), ("integer", "decimal", "float")


@dataclass(frozen=True)
class Sorted:
    """The way that rows are to be sorted, by a date or by a number."""

    descending: bool
    by_date: bool


def asked_order(tokens: Sequence[str]) -> Sorted | None:
    """The order that the question's words (lower case) ask for; None where they ask for none."""
    known = english()
    cues = known.cues
    for place, word in enumerate(tokens):
        if not _comes_first(tokens, place + 1):
            continue
        if word in known.newest or word in known.oldest:
            return Sorted(descending=word in known.newest, by_date=True)
        before = tokens[place - 1] if place else ""
        if word in cues["highest"] or word in cues["lowest"]:
            return Sorted(descending=word in cues["highest"], by_date=False)
        if before in ("", *known.stopwords):
            continue
        if before in cues["highest"] or before in cues["lowest"]:
            return Sorted(descending=before in cues["highest"], by_date=False)
    return None


def _comes_first(tokens: Sequence[str], place: int) -> bool:
    """Whether "first", "on top" or "at the top" stands at a place and nothing that it could belong to behind it."""
    known = english()
    for length in (1, 2, 3):
        if " ".join(tokens[place : place + length]) in known.on_top:
            behind = tokens[place + length : place + length + 1]
            return all(word in known.stopwords for word in behind)
    return False


def as_sorted(plan: Plan, linked: Linked) -> Plan:
    """The plan in the order that the question asks for, with all its rows where they were cut to the first one; as it
    is where the question asks for none, or it has nothing to be sorted by."""
    plan = of_several(_from_the_end(_by_the_fall(plan, linked.tokens), linked.tokens), linked)
    asked = asked_order(linked.tokens)
    if asked is None or not isinstance(plan, Query) or plan.limit_per or plan.offset:
        return plan
    if plan.limit is not None:
        return plan.model_copy(update={"limit": None}) if plan.limit == 1 and plan.order else plan
    label = _sorted_by(plan, asked, linked)
    own = _own_date(plan, linked) if label is None and asked.by_date else None
    if own is not None:  # what a list is sorted by stands in it
        label, plan = own.label, plan.model_copy(update={"columns": (*plan.columns, own)})
    return plan if label is None else plan.model_copy(update={"order": (Order(by=label, descending=asked.descending),)})


def _by_the_fall(plan: Plan, tokens: Sequence[str]) -> Plan:
    """A ranking by a change with the lowest first where the question asks for the biggest drop: that is the change
    furthest below nought."""
    ranked = isinstance(plan, Query) and plan.limit is not None and len(plan.order) == 1
    if not isinstance(plan, Query) or not ranked or not plan.order[0].descending:
        return plan
    known, said, by = english(), phrases(tokens), plan.order[0].by
    if said.isdisjoint(known.falling) or not said.isdisjoint(known.rising | known.cues["lowest"]):
        return plan
    expr = next((output.expr for output in plan.measures if output.label == by), by)
    if not isinstance(expr, Window) or expr.fn not in _CHANGES:
        return plan
    return plan.model_copy(update={"order": (plan.order[0].model_copy(update={"descending": False}),)})


def _from_the_end(plan: Plan, tokens: Sequence[str]) -> Plan:
    """A ranking from the end that the question names: the lowest first for "bottom five", and for the worst of what is
    good where there is much of it ("worst by profit")."""
    if not isinstance(plan, Query) or plan.limit is None or len(plan.order) != 1 or not plan.order[0].descending:
        return plan
    known, said, by = english(), phrases(tokens), plan.order[0].by
    low = not said.isdisjoint(known.lowest_first)
    bad = not said.isdisjoint(known.worst) and is_good(by if isinstance(by, str) else expr_words(by))
    expr = next((output.expr for output in plan.measures if output.label == by), by)
    moves = not said.isdisjoint(known.falling | known.rising) or (isinstance(expr, Window) and expr.fn in _CHANGES)
    if moves or not (low or bad) or not said.isdisjoint(known.cues["highest"]):
        return plan
    return plan.model_copy(update={"order": (plan.order[0].model_copy(update={"descending": False}),)})


def of_several(plan: Plan, linked: Linked) -> Plan:
    """A ranking with all that it ranks where the question opens with these in the plural ("which countries bring in the
    most?", "list the top customers"): one of them is no answer, and nobody said how many."""
    if not isinstance(plan, Query) or plan.limit != 1 or plan.offset or not plan.order or plan.limit_per:
        return plan
    one, two = several_asked(linked.tokens), several_of_two_words(linked.tokens)
    listed, places = [*plan.groups, *plan.columns], two or (() if one is None else (one,))
    thing = listed[0].expr if listed else None
    ends = english().cues["highest"] | english().cues["lowest"]
    if not places or not isinstance(thing, ColumnRef) or linked.numbers or ends.isdisjoint(phrases(linked.tokens)):
        return plan
    fits = fits_of(linked, thing.table, thing.column)
    named = bool(fits) and all(fits[place] >= THERE for place in places)
    return plan.model_copy(update={"limit": None, "ties": False}) if named else plan


def _sorted_by(plan: Query, asked: Sorted, linked: Linked) -> str | None:
    """The output that the plan is sorted by."""
    listed = [*plan.groups, *plan.columns]
    if asked.by_date:
        dates = [output for output in listed if _is_date(output.expr, linked)]
        return dates[0].label if len(dates) == 1 else None
    if plan.measures:
        return plan.measures[0].label
    numbers = [output for output in listed if _is_number(output, linked)]
    return numbers[0].label if len(numbers) == 1 else None


def _own_date(plan: Query, linked: Linked) -> Output | None:
    """The date of the rows that are listed, where they have one; None where rows are put together, and may differ in
    it."""
    index, offset = linked.index, len(linked.index.tables)
    if not plan.columns or not isinstance(plan.source, str):
        return None
    if plan.distinct and not any(_tells_rows_apart(output.expr, plan.source, linked) for output in plan.columns):
        return None
    dates = [
        column
        for n, (table, column) in enumerate(index.columns)
        if index.tables[table].name == plan.source and index.features[offset + n, DATES_ROW]
    ]
    if len(dates) != 1:
        return None
    name = dates[0].name
    return Output(label=name[:1].upper() + name[1:], expr=ColumnRef(table=plan.source, column=name))


def _tells_rows_apart(expr: Expr, source: str, linked: Linked) -> bool:
    column = _column(expr, linked)
    return isinstance(expr, ColumnRef) and expr.table == source and column is not None and column.unique


def _is_date(expr: Expr, linked: Linked) -> bool:
    column = _column(expr, linked)
    return isinstance(expr, Period) or (column is not None and column.type in _DATED)


def _is_number(output: Output, linked: Linked) -> bool:
    column = _column(output.expr, linked)
    return not isinstance(output.expr, ColumnRef) or (column is not None and column.type in _NUMERIC)


def _column(expr: Expr, linked: Linked) -> Column | None:
    tables = {table.name: table for table in linked.index.tables}
    return tables[expr.table].column(expr.column) if isinstance(expr, ColumnRef) and expr.table in tables else None
