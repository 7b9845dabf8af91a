"""Prices, rates and scores that were read as a sum, averaged instead: added up over rows they say nothing.

In: weighed readings of a question. Out: the same, where a sum that nobody asked for has become the mean.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from apps.analyst.computing.compile.walk import rewrite, with_queries, within
from apps.analyst.computing.compute import computed_of
from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.dictionary.tied import tied
from apps.analyst.dictionary.types import ColumnMeaning
from apps.analyst.dictionary.words import words
from apps.analyst.knowledge.english import english
from apps.analyst.knowledge.folding import singular
from apps.analyst.plan import Aggregate, AggregateName, Arithmetic, ColumnRef, Node, Order, Plan, Query, Window
from apps.analyst.plan.nodes import every
from apps.analyst.plan.sentence import plan_sentence
from apps.analyst.plan.weighted import ratios_of
from apps.analyst.ports import Catalog, Warehouse
from apps.analyst.reading.agreeing import figures_key
from apps.analyst.reading.linking import tokens_of
from apps.analyst.reading.reader import READER, Weighed
from apps.analyst.types import Question

_SUMMED = re.compile(
    r"\b(totals?|totall?(?:ed|ing)|sums?|summed|add(?:s|ed|ing)? up|altogether|combined|overall|in all|all together"
    r"|cumulative|accumulated|running|aggregated?)\b"
)
"""Words that ask for a sum, whatever the figure is."""
AVERAGED = ("price", "rate", "score", "share")
CERTAIN = 0.9


class _Way(NamedTuple):
    """Another way to put a column's values together, what a figure is then called, and what it was called by before."""

    fn: AggregateName
    called: str
    head: re.Pattern[str]


_AVERAGED = _Way("avg", "Average", re.compile(r"\b(?:total|sum of)\b", re.IGNORECASE))
_ADDED = _Way("sum", "Total", re.compile(r"\b(?:average|mean|avg\b\.?)", re.IGNORECASE))


def with_averages(
    question: Question, ranked: Sequence[Weighed], catalog: Catalog, warehouse: Warehouse
) -> list[Weighed]:
    """The weighed readings, the likeliest first and one for each result, with means in the place of such sums."""
    changed = [_averaged(one, question, catalog, warehouse) for one in ranked]
    if all(new is old for new, old in zip(changed, ranked, strict=True)):
        return list(ranked)
    best: dict[object, Weighed] = {}
    for one in changed:
        key = figures_key(one.computed.result)
        before = best.get(key)
        if before is None:
            best[key] = one
            continue
        kept = before if one.reading.reader == READER else one  # the rules say most of their reading
        score = max(before.reading.score, one.reading.score)
        best[key] = Weighed(replace(kept.reading, score=score), kept.computed)
    return sorted(best.values(), key=lambda one: -one.reading.score)


def going_on_averaged(
    question: Question, ranked: Sequence[Weighed], before: Plan, catalog: Catalog, warehouse: Warehouse
) -> list[Weighed]:
    """The same for the readings of a message that goes on from a plan, in their order: a sum that was told before was
    asked for. Amounts behind rates are added up: those were means because they are rates, and for nothing else."""
    told = {node for node in every(before) if isinstance(node, Aggregate)}
    kept = [
        one if told & set(every(one.reading.plan)) else _averaged(one, question, catalog, warehouse) for one in ranked
    ]
    means = [node for node in told if node.fn == "avg"]
    of_rates = bool(means) and all(_adds(node, catalog) == "average" for node in means)
    if not of_rates or not english().cues["mean"].isdisjoint(tokens_of(question.text)):
        return kept

    def is_amount(expr: Aggregate) -> bool:
        return expr.fn == "avg" and _adds(expr, catalog) == "sum" and expr not in told

    def added(plan: Plan) -> Plan:
        return with_queries(plan, lambda query: _query(query, is_amount, _ADDED))

    return [_changed(one, added(one.reading.plan), catalog, warehouse) for one in kept]


def _adds(expr: Aggregate, catalog: Catalog) -> str | None:
    """How the values of the column that is aggregated go together, as the dictionary has it."""
    table = dictionary_of(catalog).get(expr.of.table) if isinstance(expr.of, ColumnRef) else None
    meaning = table.column(expr.of.column) if table is not None and isinstance(expr.of, ColumnRef) else None
    return meaning.adds if meaning is not None else None


def averaged(plan: Plan, text: str, catalog: Catalog, warehouse: Warehouse | None = None) -> Plan:
    """`plan` with the mean in the place of the sum of a column that the dictionary averages, where the text names the
    column and asks for no sum; else `plan` itself. With a warehouse, quotients of other columns need not be named."""
    if _SUMMED.search(text.casefold()):
        return plan
    said = {singular(word) for word in re.findall(r"\w+", text.casefold())}

    def is_senseless(expr: Aggregate) -> bool:
        return _is_senseless(expr, said, catalog) or (warehouse is not None and _is_ratio(expr, catalog, warehouse))

    return with_queries(plan, lambda query: _query(query, is_senseless, _AVERAGED))


def _is_ratio(expr: Aggregate, catalog: Catalog, warehouse: Warehouse) -> bool:
    """Whether a sum is one of a column that is the quotient of two others."""
    of = expr.of
    if expr.fn != "sum" or not isinstance(of, ColumnRef):
        return False
    table = next((table for table in catalog.tables() if table.name == of.table), None)
    return table is not None and of.column in ratios_of(table, catalog, warehouse)


def _averaged(one: Weighed, question: Question, catalog: Catalog, warehouse: Warehouse) -> Weighed:
    plan = averaged(one.reading.plan, question.text, catalog, warehouse)
    made = _changed(one, plan, catalog, warehouse)
    asked = tuple(_AVERAGED.head.sub(_AVERAGED.called, label) for label in one.reading.asked)
    return made if made is one else replace(made, reading=replace(made.reading, asked=asked))


def _changed(one: Weighed, plan: Plan, catalog: Catalog, warehouse: Warehouse) -> Weighed:
    """The reading with another plan; as it is where that is the same or cannot be computed."""
    computed = computed_of(plan, catalog, warehouse) if plan != one.reading.plan else None
    if computed is None:
        return one
    return Weighed(replace(one.reading, plan=plan, understood=(plan_sentence(plan).rstrip("."),)), computed)


def _query(query: Query, is_meant: Callable[[Aggregate], bool], way: _Way) -> Query:
    figures = [m.expr for m in query.measures if isinstance(m.expr, Aggregate) and is_meant(m.expr)]
    if not figures or any(isinstance(node, Window | Arithmetic) for node in within(query)):
        return query  # what is made of the figure would be another one
    labels = {m.label: way.head.sub(way.called, m.label) for m in query.measures if m.expr in figures}

    def change(node: Node) -> Node | None:
        if isinstance(node, Aggregate) and node in figures:
            return node.model_copy(update={"fn": way.fn})
        if isinstance(node, Order) and isinstance(node.by, str):
            return node.model_copy(update={"by": labels.get(node.by, node.by)})
        return None

    made = rewrite(query, change)
    measures = tuple(m.model_copy(update={"label": labels.get(m.label, m.label)}) for m in made.measures)
    taken = [output.label for output in (*made.groups, *measures)]
    return made.model_copy(update={"measures": measures}) if len(set(taken)) == len(taken) else query


def _is_senseless(expr: Aggregate, said: set[str], catalog: Catalog) -> bool:
    """Whether a sum is one of a column whose values are averaged, and which is named by the last word of its name."""
    if expr.fn != "sum" or not isinstance(expr.of, ColumnRef):
        return False
    table = dictionary_of(catalog).get(expr.of.table)
    meaning = table.column(expr.of.column) if table is not None else None
    if meaning is None or meaning.adds != "average":
        return False
    taught = any(
        entry.column == expr.of.column and entry.adds == "average"
        for stored in catalog.tables()
        if stored.name == expr.of.table
        for entry in stored.taught
    )
    if not taught and not _is_certain(meaning):
        return False
    return singular(meaning.label.casefold().split()[-1]) in said


def _is_certain(meaning: ColumnMeaning) -> bool:
    """Whether a column is surely a price, a rate or a score: durations and fees are often added up, and a name that
    only resembles a price's, or means one in a single trade, may be an amount's. A name that ends in "price" is one."""
    if meaning.confidence < CERTAIN:
        return False
    kinds = tied(meaning.concepts)
    named_so = singular(meaning.label.casefold().split()[-1]) in words().averaged
    return bool(kinds) and kinds[0] in AVERAGED and (named_so or all(kind in AVERAGED for kind in kinds))
