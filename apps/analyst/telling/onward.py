"""Messages that go on from an answered average, rate or share: the same figure told apart otherwise, over time, against
the time before.

Questions about a table (`asking`) ask for totals and numbers of rows. What goes on from another figure is said as in
a thread ("And by product?") and kept only where the thread reads it as the same figure over the same rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from apps.analyst.computing.compile.walk import references
from apps.analyst.conversation.editing import edited
from apps.analyst.plan import Aggregate, Between, ColumnRef, Comparison, Period, Plan, Query
from apps.analyst.plan.conditions import conjuncts
from apps.analyst.plan.spans import date_range
from apps.analyst.ports import Catalog
from apps.analyst.telling.asking import Said, grain_of, groups_of, said_of, times_of
from apps.analyst.types import Question, Turn

BESIDE = "How does that compare to the year before?"
MOST_CUTS = 2


@dataclass(frozen=True, slots=True)
class _Told:
    """An answer that is gone on from."""

    plan: Plan
    query: Query
    said: Said
    question: Question
    catalog: Catalog

    @property
    def dated(self) -> bool:
        """Whether the answer tells periods apart."""
        return any(isinstance(group.expr, Period) for group in self.query.groups)

    def read(self, text: str) -> Plan | None:
        """The plan that a thread makes of a message after the answer, where it tells the same figure."""
        found = edited(Question(text, self.question.today, turns=self.question.turns), self.catalog)
        query = _query(found.plan) if found is not None else None
        if found is None or query is None:
            return None
        same = [one.expr for one in query.measures] == [one.expr for one in self.query.measures]
        return found.plan if same else None


def onward(plan: Plan, catalog: Catalog, asked: str, today: date) -> tuple[str, ...]:
    """The messages, the likeliest first. None for totals and numbers of rows.

    In: the answered plan, its question, and a day to read on.
    """
    query = _query(plan)
    table = next((t for t in catalog.tables() if query is not None and t.name == query.source), None)
    if query is None or table is None or not any(_goes_along(m.expr) for m in query.measures):
        return ()
    turns = (Turn(asked, plan, ""),)
    told = _Told(plan, query, said_of(table, catalog), Question(asked, today, turns=turns), catalog)
    return (*_beside(told), *_apart(told))


def _query(plan: Plan) -> Query | None:
    found = plan.query if isinstance(plan, Comparison) else plan
    return found if isinstance(found, Query) and isinstance(found.source, str) and found.measures else None


def _goes_along(figure: object) -> bool:
    """Whether a figure is neither a total nor a number of rows: those have questions of their own."""
    return not (isinstance(figure, Aggregate) and figure.fn in ("sum", "count"))


def _beside(told: _Told) -> Iterator[str]:
    """The year before, where the data reach so far back."""
    if isinstance(told.plan, Comparison):
        return
    found = told.read(BESIDE)
    if not isinstance(found, Comparison):
        return
    then = date_range(found.baseline) if isinstance(found.baseline, Between) else None
    firsts = [c.minimum for c in told.said.table.columns if c.role == "time" and isinstance(c.minimum, date)]
    if then is not None and firsts and str(min(map(str, firsts)))[:10] <= then[0].isoformat():
        yield BESIDE


def _apart(told: _Told) -> Iterator[str]:
    """The figure by other columns, and over time."""
    behind = " instead" if told.query.groups else ""
    used = {ref.column for group in told.query.groups for ref in references(group.expr)}
    used |= {ref.column for test in conjuncts(told.query.where) for ref in references(test)}
    cuts = 0
    for column in groups_of(told.said):
        text = f"And by {told.said.thing(column, own=True)}{behind}?"
        if column.name in used or cuts == MOST_CUTS:
            continue
        if _is_told_by(told, text, ColumnRef(table=told.said.table.name, column=column.name)):
            cuts += 1
            yield text
    for time in times_of(told.said):
        text = f"And by {grain_of(time)}{behind}?"
        if not told.dated and _is_told_by(told, text, ColumnRef(table=told.said.table.name, column=time.name)):
            yield text


def _is_told_by(told: _Told, text: str, ref: ColumnRef) -> bool:
    """Whether a message tells the same rows apart by a column, or by its periods."""
    query = _query(plan) if (plan := told.read(text)) is not None else None
    if query is None:
        return False
    groups = [group.expr.of if isinstance(group.expr, Period) else group.expr for group in query.groups]
    return groups == [ref] and set(conjuncts(told.query.where)) <= set(conjuncts(query.where))
