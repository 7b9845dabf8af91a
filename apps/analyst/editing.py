"""Follow-ups as edits of the plan before: "and by month?", "only the West", "as a pie", "and last year?", "why?".

What the person selected among several approaches is a plan, so a follow-up goes on from that plan, not from the words
that once led to it. New parts are read by the readers of plain questions, out of a plain question about the same rows.
What is no edit of these kinds is left to the readers, which take the words of both questions together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from apps.analyst import editing_words as words
from apps.analyst.compile.walk import references
from apps.analyst.editing_times import (
    across,
    by_period,
    by_the_same_date,
    conjuncts,
    is_time,
    is_time_alone,
    negated,
    recurring,
    together,
    with_period_before,
)
from apps.analyst.errors import AnalystError
from apps.analyst.explaining import explaining
from apps.analyst.explaining_plans import compared, explaining_plan, figure_words
from apps.analyst.formats import rows_noun, spoken
from apps.analyst.language import ANSWER_THRESHOLD, Reading, lexicon
from apps.analyst.language.followups import is_elliptical
from apps.analyst.language.reading import ChartWish
from apps.analyst.language.tagging import tag
from apps.analyst.plan import (
    Aggregate,
    Bin,
    Clarify,
    ColumnRef,
    Compare,
    Comparison,
    Constant,
    Join,
    Order,
    Output,
    Plan,
    Predicate,
    Query,
)
from apps.analyst.ports import Catalog
from apps.analyst.types import Column, Question, Turn
from apps.analyst.validate import validate

Read = Callable[[Question], Sequence[Reading]]
"""Reads a plain question that goes on from nothing."""
SURE = 0.95


def edited(question: Question, catalog: Catalog, read: Read) -> Reading | None:
    """The reading of a follow-up that edits the plan before; None where it is no such edit."""
    before = _gone_on_from(question.turns)
    if before is None or len(question.text.split()) > 12:
        return None
    text = " ".join(question.text.casefold().replace("’", "'").strip(" ?.!").split())
    edit = _Edit(question, before, catalog, read)
    for pattern, change in (
        (words.WHY, edit.why),
        (words.CHART, edit.chart),
        (words.TABLE, edit.table),
        (words.PLACE, edit.place),
        (words.COMPARE, edit.compare),
        (words.TOP, edit.top),
        (words.SORT, edit.sort),
        (words.FIGURE, edit.figure),
        (words.BY, edit.group),
        (words.WITHOUT, edit.without),
        (words.ONLY, edit.only),
        (words.AND, edit.only),
    ):
        found = pattern.fullmatch(text)
        made = change(found) if found is not None else None
        if made is not None and isinstance(made.plan, Clarify):
            return made
        if made is not None:
            try:
                validate(made.plan, catalog)
            except AnalystError:
                continue
            return made
    return None


def _gone_on_from(turns: Sequence[Turn]) -> Turn | None:
    """The last turn, or the one before follow-ups that could not be answered: these left it as it was."""
    for turn in reversed(turns):
        if turn.plan is not None and not isinstance(turn.plan, Clarify):
            return turn
        if not is_elliptical(turn.question):
            return None
    return None


@dataclass(frozen=True, slots=True)
class _Edit:
    question: Question
    before: Turn
    catalog: Catalog
    read: Read

    def _reading(self, plan: Plan, told: str, chart: ChartWish | None = None, assumed: str = "") -> Reading:
        return Reading(
            plan=plan,
            score=SURE,
            understood=(f"going on from “{self.before.question}”", told),
            assumptions=(assumed,) if assumed else (),
            chart=chart,
            reader="editing",
            wording=f"{self.before.question.rstrip(' ?.')}, {self.question.text.strip()}",
        )

    def _changed(self, change: Callable[[Query], Query | None]) -> Plan | None:
        """The plan before with its query changed; its own words for its rows no longer hold."""
        plan = compared(self.before.plan)
        query = plan.query if isinstance(plan, Comparison) else plan
        made = change(query) if isinstance(query, Query) else None
        if made is None:
            return None
        made = made.model_copy(update={"noun": "", "scope": ""})
        return plan.model_copy(update={"query": made}) if isinstance(plan, Comparison) else made

    def _probe(self, query: Query, tail: str) -> Query | None:
        """A plain question about the same rows, of which only the named part is wanted."""
        if not isinstance(query.source, str):
            return None
        noun = rows_noun(query.source)
        rows = noun if noun != "rows" else f"rows of {query.source}"
        plain = replace(self.question, text=f"How many {rows} are there {tail}?", turns=())
        found = next(iter(self.read(plain)), None)
        if found is None or found.score < ANSWER_THRESHOLD or found.unused or not isinstance(found.plan, Query):
            return None
        return found.plan if found.plan.source == query.source else None

    # ------------------------------------------------------------ edits
    def why(self, _: re.Match[str]) -> Reading | None:
        said = figure_words(self.before.plan)
        asked = f"Why did {said} change?"
        going_on = replace(self.question, text=asked, turns=())
        assert self.before.plan is not None
        made = self._reading(self.before.plan, "why it changed")
        found = explaining_plan(self.before.plan, made, going_on, self.catalog)
        found = found or (explaining(going_on, self.catalog) if said else None)
        if found is not None:
            return replace(found, wording=asked)
        told = "I can say why one figure changed between two periods. Please ask for a figure of a period first."
        return Reading(plan=Clarify(question=told, options=()), score=SURE, reader="editing", wording=asked)

    def chart(self, found: re.Match[str]) -> Reading | None:
        mark = words.MARKS[found["mark"]]
        assert self.before.plan is not None
        return self._reading(self.before.plan, f"as a {found['mark']} chart", ChartWish(mark=mark, explicit=True))

    def table(self, _: re.Match[str]) -> Reading | None:
        assert self.before.plan is not None
        return self._reading(self.before.plan, "as a table")

    def place(self, found: re.Match[str]) -> Reading | None:
        """The second, third or next of a ranking."""
        count = words.PLACES.get(found["place"])

        def change(query: Query) -> Query | None:
            if not query.order or query.limit is None:
                return None
            offset = query.offset + query.limit if count is None else count - 1
            return query.model_copy(update={"limit": 1, "offset": offset, "ties": False, "limit_per": ()})

        plan = self._changed(change)
        return None if plan is None else self._reading(plan, f"the {found['place']}")

    def top(self, found: re.Match[str]) -> Reading | None:
        count = words.NUMBERS.get(found["count"]) or int(found["count"])
        rising = found["end"] in ("bottom", "worst", "lowest", "smallest")

        def change(query: Query) -> Query | None:
            if not query.groups or not query.measures:
                return None
            order = (Order(by=query.measures[0].label, descending=not rising),)
            return query.model_copy(update={"order": order, "limit": count, "offset": 0, "limit_per": ()})

        plan = self._changed(change)
        return None if plan is None else self._reading(plan, f"only the {found['end']} {count}")

    def sort(self, found: re.Match[str]) -> Reading | None:
        falling = (found["way"] or "").startswith("desc")

        def change(query: Query) -> Query | None:
            labels = [output.label for output in (*query.columns, *query.groups, *query.measures)]
            wanted = [label for label in labels if found["what"] in spoken(label).casefold()]
            if not wanted and found["what"].startswith(("name", "alphabet")):
                wanted = [group.label for group in query.groups[:1]]
            return query.model_copy(update={"order": (Order(by=wanted[0], descending=falling),)}) if wanted else None

        plan = self._changed(change)
        return None if plan is None else self._reading(plan, f"sorted by {found['what']}")

    def figure(self, found: re.Match[str]) -> Reading | None:
        function = words.FUNCTIONS[found["fn"]]

        def change(query: Query) -> Query | None:
            if len(query.measures) != 1 or query.having is not None:
                return None
            measure = query.measures[0]
            plain = isinstance(measure.expr, Aggregate) and measure.expr.of is not None and measure.expr.fn != "count"
            if not plain or not isinstance(measure.expr, Aggregate) or measure.expr.of is None:
                return None
            names = " ".join(spoken(ref.column) for ref in references(measure.expr.of))
            label = f"{found['fn'].capitalize()} {names}"
            new = measure.model_copy(update={"label": label, "expr": measure.expr.model_copy(update={"fn": function})})
            order = () if any(o.by == measure.label for o in query.order) and query.limit is None else query.order
            order = tuple(o.model_copy(update={"by": label}) if o.by == measure.label else o for o in order)
            return query.model_copy(update={"measures": (new,), "order": order})

        plan = self._changed(change)
        return None if plan is None else self._reading(plan, f"the {found['fn']}")

    def group(self, found: re.Match[str]) -> Reading | None:
        replaced = bool(found["instead"]) or "now" in found["lead"]

        def change(query: Query) -> Query | None:
            if across(query):
                return None
            timed = by_period(compared(self.before.plan), query, found["what"])
            if timed is not None:
                return _regrouped(query, timed[-1:] if replaced else timed)
            told = self._told_by(query, found["what"])
            if told is not None:
                return told
            probe = self._probe(query, f"by {found['what']}")
            ranked = self._by_figure(query, probe) if probe is not None else None
            if ranked is not None:
                return ranked
            if probe is None or not probe.groups or probe.where is not None or not query.measures:
                return None
            if self._repeats(probe):
                return None
            kept = () if replaced else query.groups
            known = {group.label.casefold() for group in kept}
            new = tuple(group for group in probe.groups if group.label.casefold() not in known)
            return _regrouped(query, (*kept, *new), probe.joins) if new else None

        plan = self._changed(change)
        plan = recurring(plan) if isinstance(plan, Comparison) else plan
        return None if plan is None else self._reading(plan, f"by {found['what']}")

    def _by_figure(self, query: Query, probe: Query) -> Query | None:
        """A ranking by another figure: "by amount" after who has the most deals."""
        by = probe.groups[0].expr if len(probe.groups) == 1 else None
        ref = by.of if isinstance(by, Bin) else by
        column = self._column(ref) if isinstance(ref, ColumnRef) else None
        ranked = query.groups and query.order and query.limit is not None and len(query.measures) == 1
        if not isinstance(ref, ColumnRef) or column is None or column.role != "measure" or not ranked:
            return None
        was = query.measures[0].label
        new = Output(label=f"Total {spoken(column.name)}", expr=Aggregate(fn="sum", of=ref), unit=column.unit)
        order = tuple(o.model_copy(update={"by": new.label}) if o.by == was else o for o in query.order)
        return query.model_copy(update={"measures": (new,), "order": order, "offset": 0})

    def _told_by(self, query: Query, what: str) -> Query | None:
        """The total of a figure of the same rows: "by amount" after how many deals were won."""
        if query.groups or [measure.expr for measure in query.measures] != [Aggregate(fn="count")]:
            return None
        items = tag(what, lexicon.build(self.catalog)).items
        hits = [hit for hit in items[0].columns if hit.table == query.source and hit.score >= SURE] if items else []
        ref = ColumnRef(table=hits[0].table, column=hits[0].column) if len(items) == 1 and hits else None
        column = self._column(ref) if ref is not None else None
        if column is None or column.role != "measure" or column.type == "text":
            return None
        total = Output(label=f"Total {spoken(column.name)}", expr=Aggregate(fn="sum", of=ref), unit=column.unit)
        return query.model_copy(update={"measures": (total,), "order": ()})

    def _repeats(self, probe: Query) -> bool:
        """True where a row would meet several of a joined table, so that its figures would count more than once."""
        schema = lexicon.build(self.catalog).schema
        source = probe.source if isinstance(probe.source, str) else ""
        return any(schema.path(source, join.table, one=True) is None for join in probe.joins)

    def _column(self, ref: ColumnRef) -> Column | None:
        return next((t.column(ref.column) for t in self.catalog.tables() if t.name == ref.table), None)

    def _stored(self, query: Query, what: str) -> Predicate | None:
        """The test for a value of a column that the plan groups by: "only high" after priorities means that one."""
        for group in query.groups:
            column = self._column(group.expr) if isinstance(group.expr, ColumnRef) else None
            for value in column.values if column is not None and column.type == "text" else ():
                if value.value.strip().casefold() == what:
                    return Compare(op="=", left=group.expr, right=Constant(value=value.value))
        return None

    def _unknown(self, what: str) -> Reading | None:
        """The refusal of a restriction to what the data do not hold; None where some of it is known."""
        said = what.removeprefix("the ").strip()
        items = tag(said, lexicon.build(self.catalog)).items
        known = any(
            i.names or i.values or i.tags or (i.token is not None and i.token.number is not None) for i in items
        )
        if known or is_time(said) or len(said.split()) > 3:
            return None
        told = f"I found nothing in your data for “{said}”, so I changed nothing."
        return Reading(
            plan=Clarify(question=told, options=()), score=SURE, reader="editing", wording=self.question.text
        )

    def only(self, found: re.Match[str]) -> Reading | None:
        return self._restricted(found["what"], turned=False)

    def without(self, found: re.Match[str]) -> Reading | None:
        return self._restricted(found["what"], turned=True)

    def _restricted(self, what: str, *, turned: bool) -> Reading | None:
        def change(query: Query) -> Query | None:
            stored, joins = self._stored(query, what), query.joins
            tests = [stored] if stored is not None else []
            if stored is None:
                probe = self._probe(query, f"in {what}") or self._probe(query, f"with {what}")
                if probe is None or probe.where is None or probe.groups:
                    return None
                tests, joins = conjuncts(probe.where), _joined(joins, probe.joins)
                tests = by_the_same_date(tests, query) if is_time_alone(what) else tests
            tests = [negated(test) for test in tests] if turned else tests
            columns = {ref for test in tests for ref in references(test)}
            kept = [t for t in conjuncts(query.where) if turned or not columns & set(references(t))]
            new = [test for test in tests if test not in kept]
            return query.model_copy(update={"where": together((*kept, *new)), "joins": joins})

        if isinstance(compared(self.before.plan), Comparison) and is_time(what):
            return None
        plan = self._changed(change)
        if plan is None:
            return self._unknown(what)
        return self._reading(plan, f"{'without' if turned else 'only'} {what}")

    def compare(self, found: re.Match[str]) -> Reading | None:
        before = words.BEFORE.fullmatch(found["what"])
        made = (
            with_period_before(compared(self.before.plan), before, self.question.today) if before is not None else None
        )
        return None if made is None else self._reading(made.plan, made.told, assumed=made.assumed)


def _regrouped(query: Query, groups: tuple[Output, ...], joins: tuple[Join, ...] = ()) -> Query:
    clear = {"order": (), "limit": None, "limit_per": (), "ties": False}
    return query.model_copy(update={"groups": groups, "joins": _joined(query.joins, joins), **clear})


def _joined(mine: tuple[Join, ...], more: tuple[Join, ...]) -> tuple[Join, ...]:
    known = {join.alias or join.table for join in mine}
    return (*mine, *(join for join in more if (join.alias or join.table) not in known))
