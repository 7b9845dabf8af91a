"""Groups, orders and comparisons that all plans of sales questions share."""

from __future__ import annotations

from datetime import timedelta

from apps.analyst.conditions import all_of
from apps.analyst.formats import capital
from apps.analyst.language.readers.metrics_parts import Dimension
from apps.analyst.language.readers.metrics_scope import Rows, Scope, span_of
from apps.analyst.metrics.figures import (
    Lacking,
)
from apps.analyst.metrics.rows import column
from apps.analyst.plan import (
    CHANGE,
    CHANGE_PCT,
    Comparison,
    Missing,
    Order,
    Output,
    Period,
    Predicate,
    Query,
    Window,
)


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
        if (
            now.relative
            and now.high is not None
            and now.low is not None
            and now.low <= self.today < now.high - timedelta(days=1)
        ):
            self.assumed.append(f"{capital(now.label)} is not over, so it is compared with the whole of {then.label}")
        current, baseline = self._within(scope, now), self._within(scope, then)
        return Comparison(
            query=query,
            current=current,
            baseline=baseline,
            current_label=span_of(current, now, self.today),
            baseline_label=span_of(baseline, then, self.today),
        )
