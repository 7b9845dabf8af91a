"""The search for what stands out in a table or in the figure of an answer: who leads, how it changed and why, how much
the few make up, what lies out of line, and where cells are empty.

Each finding is a plan that is computed and worded; outliers and gaps are those of the tested statistics.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import islice

from apps.analyst.computing.compile.walk import references
from apps.analyst.computing.compute import Computed, compute
from apps.analyst.computing.metrics.rhythms import day_of
from apps.analyst.conversation.dating import date_meant
from apps.analyst.conversation.explaining_plans import explaining_plan
from apps.analyst.conversation.findings_shares import Few, few_of
from apps.analyst.conversation.findings_statistics import Asked, gaps, months_out_of_line, rows_out_of_line
from apps.analyst.conversation.predicates import column_of, span_of, values_of, within_days
from apps.analyst.conversation.scene import Scene
from apps.analyst.errors import AnalystError
from apps.analyst.language.reading import Reading
from apps.analyst.plan import Aggregate, Clarify, ColumnRef, Order, Output, Plan, Query
from apps.analyst.plan.conditions import conjuncts, together
from apps.analyst.ports import Warehouse
from apps.analyst.telling.formats import plural, thing
from apps.analyst.telling.narrate import View
from apps.analyst.telling.narrate.leads import lead
from apps.analyst.types import Column, Question, Table

MOST_GROUPS, FEWEST_GROUPS = 30, 2
MOST_HELD = 5_000
"""Groups of which some may make up most."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A sentence with what it was computed from."""

    text: str
    computed: Computed


@dataclass(frozen=True, slots=True)
class Search:
    """Where findings are looked for: a table, as it is asked about."""

    question: Question
    scene: Scene
    warehouse: Warehouse
    table: Table

    def total(self, query: Query) -> Finding | None:
        """What the figure comes to in all."""
        return next(self._plain(query.model_copy(update={"groups": ()})), None)

    def all(self, query: Query, *, whole: bool) -> Iterator[Finding]:
        """The findings besides the total, those that say most first; gaps only of a `whole` table."""
        bare = query.model_copy(update={"groups": ()})
        leaders = self._leaders(query, bare)
        yield from _first(leaders)
        yield from self._change(bare)
        yield from self._of_few(bare)
        yield from self._told(months_out_of_line(bare, self.scene, self.question.today))
        yield from _first(leaders)
        yield from self._told(rows_out_of_line(bare, self.table, self.scene))
        if whole:
            yield from self._told(gaps(self.table))
        yield from leaders

    def computed(self, plan: Plan) -> Computed | None:
        """A plan's result, where it holds and has any rows."""
        try:
            made = compute(plan, self.scene.catalog, self.warehouse)
        except AnalystError:
            return None
        return made if made.result.rows else None

    def _told(self, asked: Asked | None) -> Iterator[Finding]:
        computed = self.computed(asked.plan) if asked is not None else None
        text = asked.words(computed) if asked is not None and computed is not None else ""
        if computed is not None and text:
            yield Finding(text, computed)

    def _plain(self, plan: Plan) -> Iterator[Finding]:
        computed = self.computed(plan)
        if computed is not None:
            yield Finding(lead(View(computed, self.scene.catalog)), computed)

    def _leaders(self, query: Query, bare: Query) -> Iterator[Finding]:
        """Who leads, by the groups of the answer before and by the table's own columns of few values."""
        groups = [g for g in query.groups if isinstance(g.expr, ColumnRef)]
        fixed = {column_of(test) for test in conjuncts(query.where) if values_of(test)}
        known = {group.expr for group in groups} | fixed
        for column in sorted(self.table.columns, key=lambda c: c.distinct):
            ref = ColumnRef(table=self.table.name, column=column.name)
            if self._tells(column) and ref not in known:
                groups.append(Output(label=column.name, expr=ref))
        for group in groups:
            yield from self._plain(ranked(bare, group))

    def _tells(self, column: Column) -> bool:
        few = FEWEST_GROUPS < column.distinct <= MOST_GROUPS and column.distinct * 3 <= max(self.table.rows, 9)
        return column.type == "text" and not column.unique and few

    def _of_few(self, bare: Query) -> Iterator[Finding]:
        """How much the few make up, by the column whose groups are least alike."""
        figure = bare.measures[0].expr
        if not isinstance(figure, Aggregate) or figure.fn not in ("sum", "count"):
            return
        found: list[tuple[Few, Computed, str]] = []
        for ref in self._grouping():
            computed = self.computed(ranked(bare, Output(label=self.scene.said(ref), expr=ref)))
            few = few_of(computed.result) if computed is not None else None
            if computed is not None and few is not None:
                found.append((few, computed, ref.column))
        if found:
            few, computed, column = min(found, key=lambda one: one[0].count / one[0].groups)
            yield Finding(few.words(bare.measures[0], plural(thing(column, self.table.name)), self.table), computed)

    def _grouping(self) -> Iterator[ColumnRef]:
        """The columns of the table whose values are things that a figure is told for."""
        for column in self.table.columns:
            ref = ColumnRef(table=self.table.name, column=column.name)
            meaning = self.scene.meaning(ref)
            held = column.type == "text" and not column.unique and column.distinct <= MOST_HELD
            if held and meaning is not None and meaning.kind == "dimension":
                yield ref

    def _change(self, bare: Query) -> Iterator[Finding]:
        """How the figure changed from the last period but one to the last, and what made most of the difference."""
        ref = date_meant(bare, self.scene)
        if ref is None or not isinstance(bare.measures[0].expr, Aggregate):
            return
        span = span_of(bare, self.scene.dated) or self._last_year(ref)
        if span is None:
            return
        rest = [test for test in conjuncts(bare.where) if ref not in references(test)]
        dated = bare.model_copy(update={"where": together([*rest, within_days(ref, *span)])})
        made = explaining_plan(dated, Reading(dated, 1.0), replace(self.question, turns=()), self.scene.catalog)
        if made is not None and not isinstance(made.plan, Clarify):
            yield from self._plain(made.plan)

    def _last_year(self, ref: ColumnRef) -> tuple[date, date] | None:
        """The last year that the data know two of, else the last quarter."""
        column = self.scene.column(ref)
        low, high = (day_of(column.minimum), day_of(column.maximum)) if column is not None else (None, None)
        if low is None or high is None:
            return None
        end = min(high, self.question.today)
        year = end.year if (end.month, end.day) >= (12, 20) else end.year - 1
        if low <= date(year - 1, 1, 31):
            return date(year, 1, 1), date(year + 1, 1, 1)
        begun = date(end.year, 3 * ((end.month - 1) // 3) + 1, 1)
        whole = begun - timedelta(days=1)
        last = date(whole.year, 3 * ((whole.month - 1) // 3) + 1, 1)
        return (last, begun) if low < last else None


def ranked(query: Query, group: Output) -> Query:
    """The figure of each group, the largest first."""
    order = (Order(by=query.measures[0].label, descending=True),)
    return query.model_copy(update={"groups": (group,), "order": order})


def _first(found: Iterator[Finding]) -> Iterator[Finding]:
    yield from islice(found, 1)
