"""What stands out in a table, or in what the last answer was about: computed and told one by one.

Each finding is a plan that is computed and worded as any answer is: the total, who leads and by how much, how it
changed and why, a month out of line, and where cells are empty.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from apps.analyst.computing.compile.walk import references, windowed
from apps.analyst.computing.compute import Computed, compute
from apps.analyst.conversation.explaining_plans import explaining_plan
from apps.analyst.conversation.figures import total_label
from apps.analyst.conversation.predicates import column_of, date_of, span_of, values_of, within_days
from apps.analyst.conversation.scene import Scene
from apps.analyst.conversation.shape import uncut
from apps.analyst.conversation.subject import Subject, subject_of
from apps.analyst.conversation.talk import stretches, talk
from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.errors import AnalystError
from apps.analyst.knowledge.english import english
from apps.analyst.language.reading import Reading
from apps.analyst.plan import Aggregate, Clarify, ColumnRef, Order, Output, Period, Plan, Query
from apps.analyst.plan.conditions import conjuncts, together
from apps.analyst.ports import Catalog, Warehouse
from apps.analyst.reading.closeness import closest
from apps.analyst.reading.homes import EXACT, WHOLE
from apps.analyst.reading.linking import Linked, link, tokens_of
from apps.analyst.reading.mending import SAID
from apps.analyst.telling import formats
from apps.analyst.telling.answers import worded
from apps.analyst.telling.narrate import View
from apps.analyst.telling.narrate.leads import lead
from apps.analyst.types import Answer, Column, Question, Table

MOST = 5
"""Findings that are told where nobody says how many."""
MOST_GROUPS, FEWEST_GROUPS = 30, 2
FEWEST_MONTHS = 8
OUT_OF_LINE = 3.5
"""Distance of a month from the median, in median deviations, from which it is told."""
GAPS = 0.05
"""Share of empty cells from which a column's are told."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A sentence with what it was computed from."""

    text: str
    computed: Computed | None = None


def findings(question: Question, catalog: Catalog, warehouse: Warehouse) -> Answer | None:
    """The answer to a message that asks what stands out; None for other messages, and where nothing was found."""
    said = set(stretches(tokens_of(question.text)))
    if said.isdisjoint(talk().findings | talk().readers):
        return None
    linked = link(question, catalog)
    if _names_data(linked):
        return None
    subject = subject_of(question.turns)
    about_it = subject is not None and bool(set(linked.tokens) & talk().about_it)
    base = _of_subject(subject) if subject is not None and about_it else None
    table = _table(linked.tokens, base, subject, catalog)
    if table is None:
        return None
    scene = Scene(catalog)
    query = base or _main_figure(table, scene)
    asked = next((int(number) for _, number in linked.numbers if 1 <= number <= 10), MOST)
    search = _Search(question, scene, warehouse, table)
    found = list(search.all(query, whole=base is None))
    leader = next((one.computed for one in found if one.computed is not None), None)
    if leader is None:
        return None
    told = found[: asked + 1] if base is None else found[:asked]
    text = "\n".join([_opening(table, base, scene), "", *(f"- {one.text}" for one in told)])
    reading = Reading(leader.plan, 1.0, reader="about", wording=question.text.strip())
    return replace(worded(question, reading, leader, catalog), text=text)


def _names_data(linked: Linked) -> bool:
    """Whether a message names a column, a stored value or a period, and so asks for a figure of its own; what names a
    table is meant as that. A single word for findings is none where the data have such a thing ("findings by auditor",
    "takeaway orders")."""
    tables = len(linked.index.tables)
    whole = [bool((row >= WHOLE).any()) for row in linked.channels[:, :tables, EXACT]]
    content = [n for n, word in enumerate(linked.tokens) if word not in english().stopwords and not whole[n]]
    columns = linked.channels[content, tables:, EXACT]
    values = linked.item_tokens[:, content]
    fit = closest(linked)
    alone = [n for n in content if (linked.tokens[n],) in talk().findings and fit[n] >= SAID]
    return bool(linked.periods or alone) or bool((columns >= WHOLE).any()) or bool((values >= WHOLE).any())


def _opening(table: Table, base: Query | None, scene: Scene) -> str:
    if base is not None:
        return f"What stands out in {formats.spoken(base.measures[0].label).lower()}:"
    rows = formats.counted(table.rows, table.name)
    column = next((c for c in table.columns if c.name == _date_name(table, scene)), None)
    low, high = (_day(column.minimum), _day(column.maximum)) if column is not None else (None, None)
    reach = f", from {formats.day(low)} to {formats.day(high)}" if low is not None and high is not None else ""
    return f"**{formats.spoken(table.name).capitalize()}** holds {rows}{reach}. What stands out:"


def _date_name(table: Table, scene: Scene) -> str | None:
    meaning = dictionary_of(scene.catalog).get(table.name)
    return meaning.date_column if meaning is not None else None


def _day(value: object) -> date | None:
    return value.date() if isinstance(value, datetime) else value if isinstance(value, date) else None


def _of_subject(subject: Subject) -> Query | None:
    query = subject.query
    if query is None or not query.measures or windowed(query.measures[0].expr):
        return None
    return uncut(query).model_copy(update={"measures": query.measures[:1], "having": None})


def _table(tokens: list[str], base: Query | None, subject: Subject | None, catalog: Catalog) -> Table | None:
    """The table that is meant: of the answer before, the one that is named, else the one with most rows."""
    tables = [t for t in catalog.tables() if not t.example] or list(catalog.tables())
    source = base.source if base is not None else None
    named = [t for t in tables if set(formats.spoken(t.name).casefold().split()) <= set(tokens)]
    if source is None and not named and subject is not None and subject.query is not None:
        source = subject.query.source
    mine = [t for t in catalog.tables() if t.name == source] or named or tables
    return max(mine, key=lambda t: t.rows, default=None)


def _main_figure(table: Table, scene: Scene) -> Query:
    """What a table is about: its money, else its first figure that adds up, else its rows."""
    refs = [ColumnRef(table=table.name, column=column.name) for column in table.columns]
    sums = [
        (not meaning.money, n, ref)
        for n, ref in enumerate(refs)
        if scene.is_figure(ref) and (meaning := scene.meaning(ref)) is not None and meaning.adds == "sum"
    ]
    if sums:
        ref = min(sums, key=lambda s: s[:2])[2]
        column = table.column(ref.column)
        unit = column.unit if column is not None else None
        measure = Output(label=total_label(scene.said(ref)), expr=Aggregate(fn="sum", of=ref), unit=unit)
    else:
        measure = Output(label=f"Number of {formats.rows_noun(table.name)}", expr=Aggregate(fn="count"))
    return Query(source=table.name, measures=(measure,))


@dataclass(frozen=True, slots=True)
class _Search:
    question: Question
    scene: Scene
    warehouse: Warehouse
    table: Table

    def all(self, query: Query, *, whole: bool) -> Iterator[Finding]:
        """The findings, those that say most first."""
        bare = query.model_copy(update={"groups": ()})
        yield from self._plain(bare)
        leaders = list(self._leaders(query, bare))
        yield from leaders[:1]
        yield from self._change(bare)
        yield from leaders[1:2]
        yield from self._out_of_line(bare)
        yield from leaders[2:]
        if whole:
            yield from self._gaps()

    def _computed(self, plan: Plan) -> Computed | None:
        try:
            made = compute(plan, self.scene.catalog, self.warehouse)
        except AnalystError:
            return None
        return made if made.result.rows else None

    def _plain(self, plan: Plan) -> Iterator[Finding]:
        computed = self._computed(plan)
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
        order = (Order(by=bare.measures[0].label, descending=True),)
        for group in groups:
            yield from self._plain(bare.model_copy(update={"groups": (group,), "order": order}))

    def _tells(self, column: Column) -> bool:
        few = FEWEST_GROUPS < column.distinct <= MOST_GROUPS and column.distinct * 3 <= max(self.table.rows, 9)
        return column.type == "text" and not column.unique and few

    def _change(self, bare: Query) -> Iterator[Finding]:
        """How the figure changed from the last period but one to the last, and what made most of the difference."""
        ref = date_of(bare, self.scene.dated) or self.scene.main_date(bare)
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
        low, high = (_day(column.minimum), _day(column.maximum)) if column is not None else (None, None)
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

    def _out_of_line(self, bare: Query) -> Iterator[Finding]:
        """A month that lies far from the others."""
        ref = date_of(bare, self.scene.dated) or self.scene.main_date(bare)
        if ref is None:
            return
        month = Output(label="Month", expr=Period(grain="month", of=ref))
        computed = self._computed(bare.model_copy(update={"groups": (month,), "order": (Order(by="Month"),)}))
        rows = [(row[0], float(row[1])) for row in computed.result.rows if row[1] is not None] if computed else []  # type: ignore[arg-type]
        if len(rows) < FEWEST_MONTHS:
            return
        middle = statistics.median(value for _, value in rows)
        width = statistics.median(abs(value - middle) for _, value in rows)
        when, value = max(rows, key=lambda row: abs(row[1] - middle))
        if width and abs(value - middle) > OUT_OF_LINE * width:
            unit, label = bare.measures[0].unit, formats.spoken(bare.measures[0].label).lower()
            told, half = formats.figure(value, unit), formats.figure(middle, unit)
            yield Finding(
                f"**{formats.period(when, 'month')}** is out of line: {label} of {told}, "
                f"where half of the months are at {half} or less."
            )

    def _gaps(self) -> Iterator[Finding]:
        """The column with most empty cells."""
        gaps = [(c.missing / self.table.rows, c) for c in self.table.columns if c.missing > GAPS * self.table.rows]
        if gaps:
            share, column = max(gaps, key=lambda gap: gap[0])
            yield Finding(
                f"**{formats.spoken(column.name).capitalize()}** is empty in {column.missing:,} of "
                f"{self.table.rows:,} rows ({formats.figure(100 * share, '%')})."
            )
