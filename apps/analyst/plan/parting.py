"""Where two ways to one question part: their steps side by side, in the order in which they are taken. Pure.

What a plan says is compared with what another says; what an executor did of its own accord (rows that a join repeated,
blanks that it counted) it reports itself, as partings too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from apps.analyst.computing.compile.outputs import inline_labels
from apps.analyst.computing.compile.walk import references, within
from apps.analyst.plan import (
    Between,
    ColumnRef,
    Compare,
    Comparison,
    Constant,
    Node,
    Period,
    Plan,
    Predicate,
    Query,
)
from apps.analyst.plan.conditions import conjuncts
from apps.analyst.plan.sentence import expr_words, predicate_words
from apps.analyst.telling.evidence import every_query, tables_of
from apps.analyst.telling.formats import capital, listed, spoken

PartingStep = Literal["tables", "join", "filter", "date field", "grouping", "measure", "order", "rows"]
STEPS: tuple[PartingStep, ...] = get_args(PartingStep)


@dataclass(frozen=True, slots=True)
class Parting:
    """One step at which a way differs from the selected one, in words."""

    step: PartingStep
    text: str


def first_parting(selected: Plan | None, other: Plan | None, own: Sequence[Parting] = ()) -> Parting:
    """The first step where `other` parts from `selected`; `own` is what its executor did differently."""
    found = [*(_plans_part(selected, other) if selected is not None and other is not None else ()), *own]
    if not found:
        return Parting("rows", "Takes the same steps, and comes to other figures for some rows.")
    return min(found, key=lambda parting: STEPS.index(parting.step))


def _plans_part(selected: Plan, other: Plan) -> Iterable[Parting]:
    mine, theirs = _Profile.of(other), _Profile.of(selected)
    steps: tuple[tuple[PartingStep, tuple[str, ...], tuple[str, ...]], ...] = (
        ("tables", mine.tables, theirs.tables),
        ("join", mine.joins, theirs.joins),
        ("filter", mine.filters, theirs.filters),
        ("date field", mine.dates, theirs.dates),
        ("grouping", mine.groups, theirs.groups),
        ("measure", mine.measures, theirs.measures),
        ("order", mine.order, theirs.order),
    )
    for step, one, two in steps:
        if set(one) != set(two):
            yield Parting(step, _difference(step, one, two))


_VERBS: dict[PartingStep, tuple[str, str]] = {
    "tables": ("reads {}", "does not"),
    "join": ("joins {}", "does not"),
    "filter": ("keeps only rows where {}", "keeps the others too"),
    "date field": ("goes by {}", "goes by no date"),
    "grouping": ("tells rows apart by {}", "does not"),
    "measure": ("computes {}", "does not"),
    "order": ("takes {}", "takes all rows"),
}
"""What a way does at a step, and what is said of one that does nothing of the kind."""


def _difference(step: PartingStep, mine: Sequence[str], theirs: Sequence[str]) -> str:
    only_mine = [words for words in mine if words not in theirs]
    only_theirs = [words for words in theirs if words not in mine]
    verb, otherwise = _VERBS[step]
    own, others = (verb.format(listed(words, most=4)) for words in (only_mine, only_theirs))
    if not only_mine:
        return f"The selected approach {others}; this one {otherwise}."
    return f"{capital(own)}; the selected approach {others if only_theirs else otherwise}."


@dataclass(frozen=True, slots=True)
class _Profile:
    """A plan's steps, each as a list of words."""

    tables: tuple[str, ...]
    joins: tuple[str, ...]
    filters: tuple[str, ...]
    dates: tuple[str, ...]
    groups: tuple[str, ...]
    measures: tuple[str, ...]
    order: tuple[str, ...]

    @classmethod
    def of(cls, plan: Plan) -> _Profile:
        queries = list(every_query(plan))
        tests = [part for query in queries for part in conjuncts(query.where) + conjuncts(query.having)]
        tests += [plan.current, plan.baseline] if isinstance(plan, Comparison) else []
        timed = [test for test in tests if _is_dated(test)]
        periods = [node for query in queries for group in query.groups for node in within(group.expr)]
        dates = [*timed, *(node for node in periods if isinstance(node, Period))]
        return cls(
            tables=tuple(sorted(tables_of(plan))),
            joins=tuple(f"{join.table} by {key.left.column}" for q in queries for join in q.joins for key in join.on),
            filters=tuple(_undated(test) for test in tests if test not in timed or isinstance(test, Between)),
            dates=tuple(dict.fromkeys(spoken(ref.column) for node in dates for ref in references(node))),
            groups=tuple(_without_dates(expr_words(group.expr), group.expr) for q in queries for group in q.groups),
            measures=tuple(expr_words(inline_labels(m.expr, q)) for q in queries for m in q.measures)
            + tuple(spoken(column.label) for q in queries for column in q.columns),
            order=tuple(f"the first {q.limit}" for q in queries if q.limit is not None),
        )


def _is_dated(test: Node) -> bool:
    return isinstance(test, Between | Compare) and any(
        isinstance(node, Constant) and node.type in ("date", "datetime") for node in within(test)
    )


def _undated(test: Predicate) -> str:
    """A condition in words; of a range of dates only the range, because its date field is a step of its own."""
    return _without_dates(predicate_words(test), test) if _is_dated(test) else predicate_words(test)


def _without_dates(words: str, node: Node) -> str:
    timed = any(isinstance(part, Period) for part in within(node)) or _is_dated(node)
    names = [spoken(ref.column) for ref in references(node) if isinstance(ref, ColumnRef)] if timed else []
    for name in names:
        words = words.replace(name, "its date")
    return words


def date_columns(query: Query) -> list[ColumnRef]:
    """The date columns that a query restricts or groups by, each once."""
    tests = [test for test in conjuncts(query.where) if _is_dated(test)]
    periods = [node for group in query.groups for node in within(group.expr) if isinstance(node, Period)]
    return list(dict.fromkeys(ref for node in (*tests, *periods) for ref in references(node)))
