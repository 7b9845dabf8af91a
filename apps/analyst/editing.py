"""Follow-ups as edits of the plan before: "and by month?", "only the West", "as a pie", "and last year?", "why?".

What the person selected among several approaches is a plan, so a follow-up goes on from that plan, not from the words
that once led to it. New parts are read by the readers of plain questions, out of a plain question about the same rows.
What is no edit of these kinds is left to the readers, which take the words of both questions together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from apps.analyst import editing_words as words
from apps.analyst.compile.kinds import constant_value
from apps.analyst.compile.walk import references, windowed
from apps.analyst.errors import AnalystError
from apps.analyst.explaining import explaining
from apps.analyst.formats import rows_noun, spoken
from apps.analyst.language import ANSWER_THRESHOLD, Reading
from apps.analyst.language.reading import ChartWish
from apps.analyst.plan import (
    Aggregate,
    AllOf,
    Among,
    Between,
    Clarify,
    Compare,
    Comparison,
    Constant,
    Join,
    Not,
    Order,
    Output,
    Period,
    Plan,
    Predicate,
    Query,
    Window,
)
from apps.analyst.ports import Catalog
from apps.analyst.sentence import date_range, span_words
from apps.analyst.types import Question, Turn
from apps.analyst.validate import validate

Read = Callable[[Question], Sequence[Reading]]
"""Reads a plain question that goes on from nothing."""
SURE = 0.95
_MONTHS = {"year": 12, "quarter": 3, "month": 1}
_SPANS = {"day": 365, "week": 52, "month": 12, "quarter": 4, "year": 1}


def edited(question: Question, catalog: Catalog, read: Read) -> Reading | None:
    """The reading of a follow-up that edits the plan before; None where it is no such edit."""
    before = next((turn for turn in reversed(question.turns) if turn.plan is not None), None)
    if before is None or before is not question.turns[-1] or len(question.text.split()) > 12:
        return None
    text = " ".join(question.text.casefold().replace("’", "'").strip(" ?.!").split())
    edit = _Edit(question, before, catalog, read)
    for pattern, change in (
        (words.WHY, edit.why),
        (words.CHART, edit.chart),
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
        plan = self.before.plan
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
        asked = f"Why did {self._head()} change?"
        found = explaining(replace(self.question, text=asked, turns=()), self.catalog)
        if found is not None:
            return replace(found, wording=asked)
        told = "I can say why one figure changed between two periods. Please ask for a figure of a period first."
        return Reading(plan=Clarify(question=told, options=()), score=SURE, reader="editing", wording=asked)

    def _head(self) -> str:
        """The figure of the plan before in words that can be read again, with its values and its periods."""
        plan = self.before.plan
        query = plan.query if isinstance(plan, Comparison) else plan
        if not isinstance(query, Query) or len(query.measures) != 1:
            return self.before.question.strip(" ?.!")
        tests = _conjuncts(query.where)
        named = [str(t.right.value) for t in tests if isinstance(t, Compare) and isinstance(t.right, Constant)]
        said = spoken(query.measures[0].label) + (f" for {' and '.join(named)}" if named else "")
        if isinstance(plan, Comparison):
            return f"{said} from {plan.baseline_label} to {plan.current_label}"
        spans = [span for test in tests if isinstance(test, Between) and (span := date_range(test)) is not None]
        return f"{said} {span_words(*spans[0])}" if len(spans) == 1 else said

    def chart(self, found: re.Match[str]) -> Reading | None:
        mark = words.MARKS[found["mark"]]
        assert self.before.plan is not None
        return self._reading(self.before.plan, f"as a {found['mark']} chart", ChartWish(mark=mark, explicit=True))

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
            probe = self._probe(query, f"by {found['what']}")
            if probe is None or not probe.groups or probe.where is not None or not query.measures or _across(query):
                return None
            kept = () if replaced else query.groups
            known = {group.label.casefold() for group in kept}
            new = tuple(group for group in probe.groups if group.label.casefold() not in known)
            joins = _joined(query.joins, probe.joins)
            clear = {
                "groups": (*kept, *new),
                "joins": joins,
                "order": (),
                "limit": None,
                "limit_per": (),
                "ties": False,
            }
            return query.model_copy(update=clear) if new else None

        plan = self._changed(change)
        return None if plan is None else self._reading(plan, f"by {found['what']}")

    def only(self, found: re.Match[str]) -> Reading | None:
        return self._restricted(found["what"], negated=False)

    def without(self, found: re.Match[str]) -> Reading | None:
        return self._restricted(found["what"], negated=True)

    def _restricted(self, what: str, *, negated: bool) -> Reading | None:
        def change(query: Query) -> Query | None:
            probe = self._probe(query, f"in {what}") or self._probe(query, f"with {what}")
            if probe is None or probe.where is None or probe.groups:
                return None
            tests = [_negated(test) for test in _conjuncts(probe.where)] if negated else _conjuncts(probe.where)
            columns = {ref for test in tests for ref in references(test)}
            kept = [t for t in _conjuncts(query.where) if negated or not columns & set(references(t))]
            parts = (*kept, *tests)
            where = parts[0] if len(parts) == 1 else AllOf(of=parts)
            return query.model_copy(update={"where": where, "joins": _joined(query.joins, probe.joins)})

        if isinstance(self.before.plan, Comparison) and _is_time(what):
            return None
        plan = self._changed(change)
        return None if plan is None else self._reading(plan, f"{'without' if negated else 'only'} {what}")

    # ------------------------------------------------------------ comparisons
    def compare(self, found: re.Match[str]) -> Reading | None:
        before = words.BEFORE.fullmatch(found["what"])
        query = self.before.plan
        if before is None or not isinstance(query, Query) or not query.measures or _across(query):
            return None
        dated = [t for t in _conjuncts(query.where) if isinstance(t, Between) and date_range(t) is not None]
        periods = [group for group in query.groups if isinstance(group.expr, Period)]
        if len(dated) == 1:
            return self._side_by_side(query, dated[0], before)
        if not dated and len(periods) == 1 and len(query.measures) == 1 and not before["year"]:
            return self._along(query, periods[0], before)
        return None

    def _side_by_side(self, query: Query, current: Between, before: re.Match[str]) -> Reading | None:
        span = date_range(current)
        assert span is not None
        low, high = constant_value(current.low), constant_value(current.high)  # type: ignore[arg-type]
        assert isinstance(low, date)
        assert isinstance(high, date)
        months = (high.year - low.year) * 12 + high.month - low.month
        unit = before["unit"] or before["named"] or before["same"] or "year"
        shift = 12 * (low.year - int(before["year"])) if before["year"] else _MONTHS.get(unit, months)
        if not shift:
            return None
        moved = {
            side: Constant(value=_earlier(value, shift).isoformat(), type="date")
            for side, value in (("low", low), ("high", high))
        }
        baseline = current.model_copy(update=moved)
        then = date_range(baseline)
        assert then is not None
        kept = tuple(test for test in _conjuncts(query.where) if test != current)
        where = None if not kept else kept[0] if len(kept) == 1 else AllOf(of=kept)
        bare = {"where": where, "order": (), "limit": None, "limit_per": (), "noun": "", "scope": ""}
        labels = [span_words(*side).removeprefix("in ").removeprefix("from ") for side in (span, then)]
        plan = Comparison(
            query=query.model_copy(update=bare),
            current=current,
            baseline=baseline,
            current_label=labels[0],
            baseline_label=labels[1],
        )
        return self._reading(plan, f"{labels[0]} beside {labels[1]}")

    def _along(self, query: Query, time: Output, before: re.Match[str]) -> Reading | None:
        assert isinstance(time.expr, Period)
        unit = before["unit"] or before["named"] or before["same"] or "year"
        span = _SPANS.get(time.expr.grain) if unit == "year" else 1
        if span is None:
            return None
        measure, others = query.measures[0], tuple(g.label for g in query.groups if g.label != time.label)
        back = f"{unit.capitalize()} before"
        added = (
            Output(
                label=back,
                expr=Window(fn="previous", of=measure.expr, partition=others, order=time.label, span=span),
                unit=measure.unit,
            ),
            Output(
                label="Change %",
                expr=Window(fn="change_pct", of=measure.expr, partition=others, order=time.label, span=span),
                unit="%",
            ),
        )
        order = (*(Order(by=label) for label in others), Order(by=time.label))
        update = {"measures": (measure, *added), "order": order, "limit": None, "noun": "", "scope": ""}
        return self._reading(query.model_copy(update=update), f"beside the {unit} before")


# ---------------------------------------------------------------- parts
def _conjuncts(where: Predicate | None) -> list[Predicate]:
    if where is None:
        return []
    return [part for of in where.of for part in _conjuncts(of)] if isinstance(where, AllOf) else [where]


def _negated(test: Predicate) -> Predicate:
    if isinstance(test, Compare) and test.op == "=":
        return test.model_copy(update={"op": "!="})
    return test.model_copy(update={"negated": not test.negated}) if isinstance(test, Among) else Not(of=test)


def _joined(mine: tuple[Join, ...], more: tuple[Join, ...]) -> tuple[Join, ...]:
    known = {join.alias or join.table for join in mine}
    return (*mine, *(join for join in more if (join.alias or join.table) not in known))


def _across(query: Query) -> bool:
    return any(windowed(measure.expr) for measure in query.measures)


def _is_time(what: str) -> bool:
    return re.search(r"\b(?:19|20)\d\d\b|year|quarter|month|week|today|yesterday", what) is not None


def _earlier(day: date, months: int) -> date:
    """The day some months earlier; periods begin on the first, so the day of the month is always there."""
    place = day.year * 12 + day.month - 1 - months
    return date(place // 12, place % 12 + 1, min(day.day, 28))
