"""Groups, orders and comparisons that all plans of sales questions share."""

from __future__ import annotations

from apps.analyst.computing.metrics.figures import (
    Lacking,
)
from apps.analyst.computing.metrics.rows import column
from apps.analyst.computing.metrics.running import Beside, beside, days_of
from apps.analyst.language.readers.metrics_parts import Dimension
from apps.analyst.language.readers.metrics_scope import Rows, Scope, span_of
from apps.analyst.plan import (
    CHANGE,
    CHANGE_PCT,
    Between,
    ColumnRef,
    Comparison,
    Missing,
    Order,
    Output,
    Period,
    Predicate,
    Query,
    Window,
)
from apps.analyst.plan.conditions import all_of
from apps.analyst.plan.spans import date_range


class Shapes(Rows):
    """Tells rows apart, orders and compares them."""

    def _groups(self, scope: Scope) -> tuple[Output, ...]:
        made: list[Output] = []
        for group in self.ask.groups:
            output = self._group(group, scope)
            if all(output.expr != other.expr for other in made):
                made.append(output)
        return tuple(made)

    def _group(self, group: Dimension, scope: Scope) -> Output:
        if group.grain is not None:
            if scope.moment is None:
                raise Lacking("I need a date column to tell periods apart, and found none in your data.")
            return Output(label=group.grain.capitalize(), expr=Period(grain=group.grain, of=column(scope.moment)))
        assert group.part is not None
        self.reach(group.part.table)
        if group.role == "team":
            return Output(label="Team", expr=column(group.part))
        return Output(label=group.part.name, expr=column(group.part))

    def _present(self, groups: tuple[Output, ...]) -> Predicate | None:
        """Periods are told apart only where the date is known; reasons only where one was given."""
        tests = [Missing(of=group.expr.of, negated=True) for group in groups if isinstance(group.expr, Period)]
        if self.ask.asked or self.ask.limit:
            tests += [Missing(of=group.expr, negated=True) for group in groups if not isinstance(group.expr, Period)]
        return all_of(*tests)

    def _order(
        self, groups: tuple[Output, ...], measures: tuple[Output, ...], timed: bool
    ) -> tuple[tuple[Order, ...], int | None]:
        ask = self.ask
        if not groups:
            return (), None
        ranked = ask.descending is not None or ask.limit is not None
        if timed and not ranked:
            return tuple(Order(by=group.label) for group in groups), None
        order: tuple[Order, ...] = (Order(by=measures[0].label, descending=ask.descending is not False),)
        if not timed and len(groups) > 1 and isinstance(groups[-1].expr, Period) and not ranked:
            order = tuple(Order(by=group.label) for group in groups)
        alone = ask.asked and ask.descending is not None and ask.limit is None and not ask.many and not ask.share
        return order, 1 if alone else ask.limit

    def _looking_across(self, groups: tuple[Output, ...], measures: tuple[Output, ...]) -> tuple[Output, ...]:
        first = measures[0]
        if self.ask.share and groups:
            return (
                *measures,
                Output(
                    label=f"Share of {first.label[:1].lower()}{first.label[1:]}",
                    expr=Window(fn="share", of=first.expr),
                    unit="%",
                ),
            )
        if self.ask.change and groups:
            label = groups[0].label
            return (
                *measures,
                Output(label=CHANGE, expr=Window(fn="change", of=first.expr, order=label), unit=first.unit),
                Output(label=CHANGE_PCT, expr=Window(fn="change_pct", of=first.expr, order=label), unit="%"),
            )
        return measures

    def _comparison(
        self, scope: Scope, groups: tuple[Output, ...], measures: tuple[Output, ...], where: Predicate | None
    ) -> Comparison:
        now, then = self.ask.periods
        query = Query(
            source=self.entity.table.name,
            joins=tuple(self.joins.values()),
            where=where,
            groups=groups,
            measures=measures[:1],
            order=(Order(by=CHANGE, descending=True),) if groups else (),
            noun=scope.noun,
            scope=scope.told,
        )
        current, baseline = self._within(scope, now), self._within(scope, then)
        labels = span_of(current, now, self.today), span_of(baseline, then, self.today)
        even = self._even(current, baseline, in_full=self.ask.listed or not (now.relative or then.relative))
        if even is not None:
            current, baseline = days_of(current, even.now), days_of(baseline, even.then)
            labels = even.labels
            self.assumed += [even.told] if even.told else []
        return Comparison(
            query=query, current=current, baseline=baseline, current_label=labels[0], baseline_label=labels[1]
        )

    def _even(self, current: Predicate, baseline: Predicate, *, in_full: bool) -> Beside | None:
        """Two stretches of days as they are compared; None for what has no two ends."""
        spans = [date_range(side) if isinstance(side, Between) else None for side in (current, baseline)]
        if spans[0] is None or spans[1] is None:
            return None
        moment = current.of if isinstance(current, Between) else None
        column = self.entity.table.column(moment.column) if isinstance(moment, ColumnRef) else None
        return beside(spans[0], spans[1], self.today, column, in_full=in_full)
