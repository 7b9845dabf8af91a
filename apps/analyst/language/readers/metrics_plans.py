"""From a sales question's parts to a plan of the algebra, with the definitions that the answer must state."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from apps.analyst.computing.metrics.figures import (
    Figure,
    Lacking,
    count,
    need,
    sales_cycle,
    total,
    weighted_pipeline,
    win_rate,
)
from apps.analyst.computing.metrics.roles import Part
from apps.analyst.computing.metrics.rows import column, lost, open_, won
from apps.analyst.language.readers.metrics_listings import Listings
from apps.analyst.language.readers.metrics_parts import Dimension
from apps.analyst.language.readers.metrics_races import RACES, Races
from apps.analyst.language.readers.metrics_scope import Scope
from apps.analyst.language.readers.metrics_shares import Shares
from apps.analyst.plan import (
    Aggregate,
    AnyOf,
    Output,
    Plan,
    Predicate,
    Query,
)
from apps.analyst.plan.conditions import all_of
from apps.analyst.telling.formats import spoken


@dataclass(slots=True)
class Made:
    """A plan with what it takes for granted."""

    plan: Plan
    assumed: list[str] = field(default_factory=list)


class Maker(Listings, Races, Shares):
    """Makes the plan of one question. Raises Lacking where the data has no column for a part."""

    def make(self) -> Made:
        """The plan."""
        if self.ask.lacking:
            raise Lacking(self.ask.lacking)
        if self.ask.metric in ("stage conversion", "time in stage"):
            raise Lacking(
                "I need the dates on which deals entered each stage to say that, and your data only has each "
                "deal's present stage."
            )
        if self.ask.metric in ("churn rate", "retention"):
            return Made(self._churn_rate(), self.assumed)
        if self.ask.metric in RACES:
            return Made(self._race(), self.assumed)
        if self.ask.kind == "targets":
            return Made(self._targets(), self.assumed)
        if self.ask.share and self.ask.limit and self.ask.key == "size" and not self.ask.groups:
            return Made(self._share_of_largest(), self.assumed)
        if self.ask.within and self.ask.groups and self.ask.column is None and not self.ask.metric:
            return Made(self._listing_within(), self.assumed)
        one = (
            self.ask.asked
            and self.ask.key == "size"
            and self.ask.column is None
            and not self.ask.count
            and not self.ask.metric
            and self.ask.kind == "deals"
        )
        if self.ask.listing or one:
            return Made(self._listing(one), self.assumed)
        return Made(self._figures(), self.assumed)

    def _measures(self, scope: Scope) -> tuple[tuple[Output, ...], Predicate | None]:
        """The figures, and the rows they count beyond the scope's."""
        ask, entity = self.ask, self.entity
        if ask.metric:
            figure = self._metric(scope)
            scope.moment = scope.moment if ask.moment else figure.moment or scope.moment
            scope.noun = figure.noun
            self.assumed.append(figure.definition.rstrip("."))
            self._say_ends(figure)
            return figure.measures, figure.where
        noun = scope.noun or ask.kind
        if ask.column is not None and not ask.count:
            return self._amounts(ask.column, noun), None
        if ask.distinct is not None:
            label = "Number of companies"
            return (Output(label=label, expr=Aggregate(fn="count", of=column(ask.distinct), distinct=True)),), None
        if {"won", "lost"} <= set(ask.states):
            scope.noun = "won deals"
            return (
                Output(label="Number of won deals", expr=count(won(entity))),
                Output(label="Number of lost deals", expr=count(lost(entity))),
            ), None
        if ask.extremes:
            raise Lacking("I do not know of what you want the smallest or largest.")
        return (Output(label=noun[:1].upper() + noun[1:], expr=count()),), None

    def _metric(self, scope: Scope) -> Figure:
        ask = self.ask
        match ask.metric:
            case "win rate":
                return win_rate(
                    self.crm, by_value=ask.column is not None and ask.fn is None and not ask.groups and False
                )
            case "win rate by value":
                return win_rate(self.crm, by_value=True)
            case "sales cycle":
                return sales_cycle(self.crm, ask.fn if ask.fn in ("avg", "median", "min", "max") else "avg")
            case _:
                return replace(weighted_pipeline(self.crm, open_(self.entity)))

    def _say_ends(self, figure: Figure) -> None:
        """Which values mean won and lost, and by which date."""
        states = self.entity.states
        assert states is not None
        if self.ask.metric == "weighted pipeline":
            return
        self.assumed.append(f"Won = {states.part.name} is {' or '.join(states.won)}, lost = {' or '.join(states.lost)}")
        if figure.moment is not None and (self.ask.periods or any(group.grain for group in self.ask.groups)):
            self.assumed.append(f"Deals count by {figure.moment.name}")

    def _amounts(self, part: Part, noun: str) -> tuple[Output, ...]:
        ask = self.ask
        words = {"sum": "Total", "avg": "Average", "median": "Median", "min": "Smallest", "max": "Largest"}
        average = (
            part.name != (amount.name if (amount := self.entity.part("amount")) else "") and ask.kind == "meetings"
        )
        chosen = ask.extremes if len(ask.extremes) > 1 else (ask.fn or ("avg" if average else "sum"),)
        name = "amount" if part == amount else re.sub(r"\s*\([^)]*\)", "", spoken(part.name))
        labels = [f"{words.get(fn, 'Total')} {name} of {noun}" for fn in chosen]
        return tuple(
            Output(label=label, expr=total(column(part), fn=fn), unit=part.column.unit)
            for label, fn in zip(labels, chosen, strict=True)
        )

    def _figures(self) -> Plan:
        if self.ask.share and not self.ask.groups and not self.ask.metric and not self.ask.distinct:
            part = self._part_of_whole()
            if part is not None:
                return part
        ask, scope = self.ask, self._scope()
        measures, extra = self._measures(scope)
        if ask.why and not ask.groups:
            reason = need(self.entity, "reason", "to say why deals were lost")
            ask.groups.append(Dimension(part=reason, role="reason"))
            if "lost" not in ask.states:
                raise Lacking("I can say why deals were lost; please ask about lost deals.")
        groups = self._groups(scope)
        measures = self._looking_across(groups, measures)
        where = all_of(extra, *scope.where, self._present(groups))
        if ask.compared and len(ask.periods) == 2:
            return self._comparison(scope, groups, measures, where)
        periods = [self._within(scope, mention) for mention in ask.periods]
        where = all_of(where, *periods[:1]) if len(periods) < 2 else all_of(where, AnyOf(of=tuple(periods)))
        timed = bool(ask.groups and ask.groups[0].grain)
        order, limit = self._order(groups, measures, timed)
        return Query(
            source=self.entity.table.name,
            joins=tuple(self.joins.values()),
            where=where,
            groups=groups,
            measures=measures,
            order=order,
            limit=limit,
            ties=limit == 1,
            noun=scope.noun,
            scope=self._told(scope),
            known_until=self.today.isoformat(),
        )
