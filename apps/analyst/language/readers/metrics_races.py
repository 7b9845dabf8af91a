"""Targets, what was won against them, and customers lost against those there were."""

from __future__ import annotations

from datetime import date, timedelta

from apps.analyst.computing.metrics import targets as races
from apps.analyst.computing.metrics.figures import (
    Lacking,
    churn_rate,
    count,
    need,
    number,
    per_cent,
    total,
)
from apps.analyst.computing.metrics.roles import Part
from apps.analyst.computing.metrics.rows import among, before, column
from apps.analyst.language.periods import PeriodMention, period_of
from apps.analyst.language.readers.metrics_scope import Scope, column_of, day_of
from apps.analyst.language.readers.metrics_shapes import Shapes
from apps.analyst.plan import (
    AnyOf,
    Arithmetic,
    Combine,
    Compare,
    Missing,
    Order,
    Output,
    Plan,
    Predicate,
    Query,
)
from apps.analyst.plan.conditions import all_of
from apps.analyst.telling.formats import capital, spoken

RACES = {
    "attainment": "attainment",
    "won against target": "won",
    "gap": "gap",
    "coverage": "coverage",
    "below target": "attainment",
    "above target": "attainment",
}


class Races(Shapes):
    """Compares with targets and with the customers there were."""

    def _targets(self) -> Plan:
        ask, targets = self.ask, self.entity
        goal = need(targets, "target", "to speak of targets")
        scope = Scope(moment=targets.part("start"), noun="targets")
        fn = ask.fn or "sum"
        label = {
            "sum": "Total target",
            "avg": "Average target",
            "median": "Median target",
            "min": "Lowest target",
            "max": "Highest target",
        }.get(fn, "Target")
        base = (Output(label=label, expr=total(column(goal), fn=fn), unit=goal.column.unit),)
        groups = self._groups(scope)
        tests: list[Predicate] = []
        for (table, name), values in ask.values.items():
            self.reach(table)
            tests.append(among(Part(table, self.lexicon.schema.columns[table, name].column), values))
        where = all_of(*tests)
        if ask.compared and len(ask.periods) == 2:
            return self._comparison(scope, groups, base, where)
        where = all_of(where, *(self._within(scope, mention) for mention in ask.periods))
        order, limit = self._order(groups, base, bool(ask.groups and ask.groups[0].grain))
        return Query(
            source=targets.table.name,
            joins=tuple(self.joins.values()),
            where=where,
            groups=groups,
            measures=base,
            order=order,
            limit=limit,
            ties=limit == 1,
            noun=label.lower(),
            scope=self._told(scope),
            known_until=date.max.isoformat(),
        )

    def _race(self) -> Plan:
        ask, deals = self.ask, self.entity
        targets = self.crm.get("targets")
        start = need(targets, "start", "to know for when a target is set")
        close = need(deals, "closed", "to know when a deal was won")
        race = races.Race(RACES[ask.metric], next((g.grain for g in ask.groups if g.grain), None), self._race_by())
        keep = self._race_owners()
        assert targets is not None
        assert deals.states is not None
        if not ask.periods and race.grain is None:
            low, high = period_of(self.today, targets.grain)
            ask.periods = [PeriodMention(0, 0, low, high, f"this {targets.grain}", relative=True)]
            self.assumed.append(f"No period was named, so this is about this {targets.grain}")
        if len(ask.periods) > 1:
            raise Lacking("I can compare with the target for one period at a time.")
        mine = [self._within(Scope(moment=close), mention) for mention in ask.periods]
        theirs = [self._within(Scope(moment=start), mention) for mention in ask.periods]
        plan = races.plan(self.crm, race, all_of(*mine), all_of(*theirs), keep)
        self._race_words(race, close)
        if isinstance(plan, Query):
            scope = Scope(moment=close)
            plan = plan.model_copy(
                update={
                    "noun": plan.measures[0].label.lower(),
                    "scope": self._told(scope),
                    "known_until": self.today.isoformat(),
                }
            )
            return self._race_order(plan)
        assert isinstance(plan, Combine)
        names = [value for values in ask.values.values() for value in values]
        if names:
            self.assumed.append(f"Only deals and targets of {' and '.join(names)} count")
        told = self._told(Scope(moment=close))
        first = plan.outputs[0]
        return plan.model_copy(
            update={"outputs": (first.model_copy(update={"label": f"{first.label}{told}"}), *plan.outputs[1:])}
        )

    def _race_words(self, race: races.Race, close: Part) -> None:
        assert self.entity.states is not None
        self.assumed.append(
            f"Won = {self.entity.states.part.name} is {' or '.join(self.entity.states.won)}, by {close.name}"
        )
        self.assumed.append("Attainment = won amount / target")
        if race.first == "coverage":
            self.assumed.append("Coverage = open amount expected to close in the period / what is left of the target")
        apart = races.without_target(self.crm) if race.by else ()
        if apart:
            self.assumed.append(f"No target is set for {' or '.join(apart[:4])}, so what they won is in no row")
        mention = self.ask.periods[0] if self.ask.periods else None
        if (
            mention is not None
            and mention.low
            and mention.high
            and mention.low <= self.today < mention.high - timedelta(days=1)
        ):
            self.assumed.append(f"{capital(mention.label)} is not over; its whole target is counted")

    def _race_by(self) -> str:
        for group in self.ask.groups:
            if group.grain is None:
                if group.role in ("owner", "team"):
                    return group.role
                raise Lacking(
                    f"Targets are not set by {spoken(group.part.name) if group.part else 'that'}, so I cannot "
                    f"compare with them."
                )
        return ""

    def _race_owners(self) -> tuple[Predicate, Predicate] | None:
        targets, owner = self.crm.entities["targets"], self.entity.part("owner")
        mine = targets.part("owner")
        found: tuple[Predicate, Predicate] | None = None
        for (table, name), values in self.ask.values.items():
            if (
                owner is None
                or mine is None
                or (table, name) not in {(owner.table, owner.name), *self._owner_columns()}
            ):
                raise Lacking(f"Targets are not set by {spoken(name)}, so I cannot compare with them.")
            found = among(owner, values), among(mine, values)
        return found

    def _owner_columns(self) -> set[tuple[str, str]]:
        people, targets = self.crm.get("owners"), self.crm.get("targets")
        found = {(people.table.name, people.parts["name"].name)} if people is not None else set()
        return found | (
            {(targets.table.name, targets.parts["owner"].name)}
            if targets is not None and targets.part("owner")
            else set()
        )

    def _race_order(self, plan: Query) -> Query:
        ask = self.ask
        first = plan.measures[0].label
        having: Predicate | None = None
        if ask.metric in ("below target", "above target"):
            below = ask.metric == "below target"
            having = Compare(op="<" if below else ">=", left=column_of("", first), right=number(100))
            return plan.model_copy(update={"having": having, "order": (Order(by=first, descending=not below),)})
        if ask.descending is None and ask.limit is None:
            return plan
        limit = ask.limit or (1 if ask.asked and not ask.many else None)
        return plan.model_copy(
            update={
                "order": (Order(by=first, descending=ask.descending is not False),),
                "limit": limit,
                "ties": limit == 1,
            }
        )

    def _churn_rate(self) -> Plan:
        """Customers lost in a period / customers at its start (the usual logo churn); retention is the rest."""
        companies, _, words = churn_rate(self.crm)
        left, since = (
            need(companies, "churned", "date to say when a customer left"),
            need(companies, "customer since", "date to count who was a customer"),
        )
        if len(self.ask.periods) != 1 or self.ask.periods[0].low is None or any(g.grain for g in self.ask.groups):
            raise Lacking("Please name one period for the churn rate, for example last quarter or this year.")
        low = self.ask.periods[0].low
        at_start = all_of(
            before(since, low),
            AnyOf(of=(Missing(of=column(left)), Compare(op=">=", left=column(left), right=day_of(low)))),
        )
        gone = all_of(at_start, self._within(Scope(moment=left), self.ask.periods[0]))
        rate = per_cent(count(gone), count(at_start))
        if self.ask.metric == "retention":
            rate = Arithmetic(op="-", left=number(100), right=rate)
        name = "Retention rate" if self.ask.metric == "retention" else "Churn rate"
        self.assumed += [words.rstrip("."), "Churn rate = customers who left in the period / customers at its start"]
        scope = Scope(moment=left, noun="customers")
        groups = self._groups(scope)
        measures = (
            Output(label=name, expr=rate, unit="%"),
            Output(label="Churned", expr=count(gone)),
            Output(label="Customers at the start", expr=count(at_start)),
        )
        return Query(
            source=companies.table.name,
            joins=tuple(self.joins.values()),
            groups=groups,
            measures=measures,
            order=(Order(by=name, descending=True),) if groups else (),
            noun="customers",
            scope=self._told(scope),
        )
