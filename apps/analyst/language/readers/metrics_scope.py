"""The rows a sales question speaks of: states, filters and dates as predicates, with the words for them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta

from apps.analyst.computing.metrics.figures import (
    Lacking,
    churn_rate,
    need,
    number,
)
from apps.analyst.computing.metrics.roles import Crm, Part
from apps.analyst.computing.metrics.rows import among, before, closed, column, lost, open_, silent, won
from apps.analyst.language.lexicon import Lexicon
from apps.analyst.language.periods import PeriodMention
from apps.analyst.language.predicates import period_predicate
from apps.analyst.language.readers.metrics_parts import Ask
from apps.analyst.language.readers.metrics_silence import happened_with, silent_rows
from apps.analyst.language.scan import join_of
from apps.analyst.plan import (
    SO_FAR,
    AnyOf,
    Between,
    ColumnRef,
    Compare,
    Constant,
    Expr,
    Join,
    Missing,
    Predicate,
)
from apps.analyst.plan.conditions import all_of
from apps.analyst.plan.spans import date_range, span_words
from apps.analyst.telling.formats import capital, day, listed, spoken

RISK_DAYS = 30
_OPS: dict[str, str] = {">": "over", ">=": "of at least", "<": "under", "<=": "of at most"}


@dataclass(slots=True)
class Scope:
    """The rows in question: conditions with their words, and the date that periods restrict."""

    where: list[Predicate] = field(default_factory=list)
    moment: Part | None = None
    noun: str = ""
    told: str = ""


class Rows:
    """Restricts one question's rows. Raises Lacking where the data has no column for a part."""

    def __init__(self, ask: Ask, crm: Crm, lexicon: Lexicon, today: date) -> None:
        self.ask, self.crm, self.lexicon, self.today = ask, crm, lexicon, today
        self.entity = crm.entities[ask.kind]
        self.joins: dict[str, Join] = {}
        self.assumed = list(ask.assumed)

    def _scope(self) -> Scope:
        ask, entity, scope = self.ask, self.entity, Scope()
        state = self._state_rows(scope)
        if ask.moment:
            scope.moment = need(entity, ask.moment, "to restrict by it")
        if state is not None:
            scope.where.append(state)
        for part in ask.missing:
            scope.where.append(Missing(of=column(part)))
            scope.told += f" without {spoken(part.name)}"
        for op, value in ask.bounds:
            amount = need(entity, "amount", "to compare with that number")
            scope.where.append(Compare(op=op, left=column(amount), right=number(value)))
            scope.told += f" with an amount {_OPS[op]} {value:,.0f}"
        for (table, name), values in ask.values.items():
            self.reach(table)
            named = self.lexicon.schema.columns[table, name]
            scope.where.append(among(Part(table, named.column), values))
            scope.told += f" with {spoken(name)} {' or '.join(values)}"
        if ask.older is not None:
            created = need(entity, "created", "to know how old a deal is")
            scope.where.append(before(created, self.today - timedelta(days=ask.older)))
            scope.told += f" created more than {ask.older} days ago"
        if ask.silent is not None:
            scope.where.append(self._silent(ask.silent))
            scope.told += f" without activity for {ask.silent} days or more"
        if "later than planned" in ask.states:
            late, planned = (need(entity, role, "to know which deals moved") for role in ("closed", "planned close"))
            scope.where.append(Compare(op=">", left=column(late), right=column(planned)))
            scope.told += f" with a {spoken(late.name)} after the {spoken(planned.name)}"
        return scope

    def _silent(self, days: int) -> Predicate:
        """By the date of the last activity, else by the rows of what happened with a deal."""
        rows = happened_with(self.entity.table.name, self.lexicon)
        if self.entity.part("last activity") is None and rows:
            self.assumed.append(f"Activity is looked up in {listed([part.table for part in rows], 'or')}")
            return silent_rows(self.entity.table.name, rows, self.lexicon, self.today - timedelta(days=days))
        return silent(need(self.entity, "last activity", "to know which deals are silent"), self.today, days)

    def _state_rows(self, scope: Scope) -> Predicate | None:
        ask, entity = self.ask, self.entity
        match ask.kind:
            case "deals":
                return self._deal_states(scope)
            case "companies":
                if "churned" not in ask.states:
                    return self._customers(scope)
                _, where, words = churn_rate(self.crm)
                scope.noun, scope.moment = "churned customers", entity.part("churned")
                if ask.periods or any(group.grain for group in ask.groups):
                    need(entity, "churned", "date to say when a customer left")
                self.assumed.append(words.rstrip("."))
                return where
            case "meetings":
                scope.moment, scope.noun = entity.part("held"), "meetings"
                outcome = entity.part("outcome")
                told = any(group.part == outcome for group in ask.groups) or (
                    outcome is not None and (outcome.table, outcome.name) in ask.values
                )
                if "held" in ask.states and not told and entity.states is not None and entity.states.won:
                    scope.noun = "meetings held"
                    self.assumed.append(f"Held = {entity.states.part.name} is {' or '.join(entity.states.won)}")
                    return among(entity.states.part, entity.states.won)
            case "emails":
                scope.moment, scope.noun = entity.part("sent"), "emails"
                if "sent" in ask.states and entity.states is not None and entity.states.won:
                    scope.noun = "emails sent"
                    self.assumed.append(f"Sent = {entity.states.part.name} is {' or '.join(entity.states.won)}")
                    return among(entity.states.part, entity.states.won)
            case "tickets":
                scope.moment, scope.noun = entity.part("created"), "tickets"
                return self._ticket_states(scope, set(ask.states))
            case _:
                scope.moment, scope.noun = entity.part("created"), ask.kind
        return None

    def _ticket_states(self, scope: Scope, states: set[str]) -> Predicate | None:
        """Open or closed by the status, else by the day of closing; the verb before a period chooses its date."""
        if not states & {"open", "closed"}:
            return None
        is_open, end = "open" in states, self.entity.part("closed")
        scope.noun = "open tickets" if is_open else "closed tickets"
        if end is not None and not is_open and "created" not in states:
            scope.moment = end
        ended = self.entity.states
        if ended is not None and ended.won:
            return among(ended.part, ended.won, negated=is_open)
        end = need(self.entity, "closed", "or a status to know which tickets are closed")
        self.assumed.append(f"{'Open = without' if is_open else 'Closed = with'} a value in {spoken(end.name)}")
        return Missing(of=column(end), negated=not is_open)

    def _customers(self, scope: Scope) -> Predicate | None:
        """Present customers by the lifecycle stage, else by dates; new ones by the day they became one."""
        companies = self.entity
        since, left = companies.part("customer since"), companies.part("churned")
        scope.noun, scope.moment = "customers", since
        if "new customer" in self.ask.states or self.ask.periods or any(group.grain for group in self.ask.groups):
            since = need(companies, "customer since", "date to say when a customer was won")
            scope.noun = "new customers"
            self.assumed.append(f"New customers count by {since.name}")
            return Missing(of=column(since), negated=True)
        if companies.states is not None and companies.states.won:
            self.assumed.append(f"Customer = {companies.states.part.name} is {' or '.join(companies.states.won)}")
            return among(companies.states.part, companies.states.won)
        since = need(companies, "customer since", "date or a lifecycle stage to say who is a customer")
        return all_of(Missing(of=column(since), negated=True), Missing(of=column(left)) if left is not None else None)

    def _deal_states(self, scope: Scope) -> Predicate | None:
        deals, states = self.entity, set(self.ask.states)
        assert deals.states is not None
        stage = deals.states.part.name
        ends = {"won": deals.states.won, "lost": deals.states.lost}
        scope.moment, scope.noun = deals.part("created"), "deals"
        close = deals.part("closed")
        decided = states & {"won", "lost", "closed"}
        if decided:
            if self.ask.periods or any(group.grain for group in self.ask.groups):
                close = need(deals, "closed", "to say in which period a deal was won or lost")
                words = " and ".join(state for state in ("won", "lost", "closed") if state in decided)
                self.assumed.append(f"{capital(words)} deals count by {close.name}")
            scope.moment = close
        for state in sorted(states & {"won", "lost"}):
            self.assumed.append(f"{state.capitalize()} = {stage} is {' or '.join(ends[state])}")
        if {"won", "lost"} <= states or decided == {"closed"}:  # "won deals closed in May" are won deals
            scope.noun = "closed deals"
            return closed(deals)
        if decided:
            scope.noun = f"{'won' if 'won' in states else 'lost'} deals"
            return won(deals) if "won" in states else lost(deals)
        if states & {"open", "overdue", "risk"}:
            return self._open_rows(scope, states)
        if self.ask.metric:
            return None
        if "created" in states or (self.ask.periods and not self.ask.moment):
            created = need(deals, "created", "to say when a deal was created")
            self.assumed.append(f"Deals count by {created.name}")
        return None

    def _open_rows(self, scope: Scope, states: set[str]) -> Predicate | None:
        deals = self.entity
        assert deals.states is not None
        ends = (*deals.states.won, *deals.states.lost, *deals.states.dropped)
        scope.noun = "open deals"
        self.assumed.append(f"Open = {deals.states.part.name} is neither {' nor '.join(ends)}")
        if (
            "created" not in states
            and deals.part("closed") is not None
            and not self.ask.moment
            and (self.ask.periods or any(g.grain for g in self.ask.groups))
        ):
            scope.moment = deals.part("closed")
            early = self.ask.periods and "before" in self.ask.periods[0].label
            if not early:
                self.assumed.append(f"Open deals count by their expected {deals.parts['closed'].name}")
        if "overdue" in states:
            scope.told += " past their close date"
            return all_of(open_(deals), before(need(deals, "closed", "to know which deals slipped"), self.today))
        if "risk" in states:
            return all_of(open_(deals), self._risk(scope))
        return open_(deals)

    def _risk(self, scope: Scope) -> Predicate:
        close, activity = self.entity.part("closed"), self.entity.part("last activity")
        tests: list[Predicate] = []
        words = []
        if close is not None:
            tests.append(before(close, self.today))
            words.append("the close date has passed")
        if activity is not None:
            tests.append(silent(activity, self.today, RISK_DAYS))
            words.append(f"nothing happened for {RISK_DAYS} days")
        if not tests:
            raise Lacking(
                "I need a close date or a last activity date to know which deals are at risk, and found neither "
                "in your data."
            )
        scope.told += " at risk"
        self.assumed.append(f"At risk = open, and {' or '.join(words)}")
        return tests[0] if len(tests) == 1 else AnyOf(of=tuple(tests))

    def reach(self, table: str) -> None:
        """Joins a table that each row meets once."""
        if table == self.entity.table.name:
            return
        for edge in self.lexicon.schema.path(self.entity.table.name, table, one=True) or ():
            self.joins.setdefault(edge.target, join_of(edge, "left"))

    def _within(self, scope: Scope, mention: PeriodMention) -> Predicate:
        if scope.moment is None:
            raise Lacking("I need a date column to restrict that to a period, and found none in your data.")
        found = period_predicate(mention, column(scope.moment), scope.moment.column)
        if found is None:
            raise Lacking(f"I cannot read the period “{mention.label}”.")
        return found

    def _told(self, scope: Scope) -> str:
        told = scope.told
        times = (
            [time_words(self._within(scope, mention), mention) for mention in self.ask.periods]
            if not self.ask.compared
            else []
        )
        verb = ""
        if times and times[0] and scope.moment is not None:
            role = next((role for role, part in self.entity.parts.items() if part == scope.moment), "")
            verb = (
                "closing "
                if role == "closed" and scope.noun == "open deals"
                else "created "
                if role == "created" and self.ask.kind != "emails"
                else ""
            )
        return told + (f" {verb}{' or '.join(text for text in times if text)}" if any(times) else "")


def column_of(table: str, name: str) -> ColumnRef:
    """A reference by names."""
    return ColumnRef(table=table, column=name)


def span_of(within: Predicate, mention: PeriodMention, today: date) -> str:
    """A period as a column's name: "Q4 2026 so far"."""
    words = time_words(within, mention).removeprefix("in ")
    unfinished = (
        mention.high is not None and mention.low is not None and mention.low <= today < mention.high - timedelta(days=1)
    )
    return words + SO_FAR if unfinished else words


def time_words(within: Predicate, mention: PeriodMention) -> str:
    """A period as it follows a noun: "in Q3 2026", "before 1 Jan 2026"."""
    if isinstance(within, Between) and (span := date_range(within)) is not None:
        return span_words(*span)
    if mention.low is None and mention.high is not None:
        return f"before {day(mention.high)}"
    if mention.high is None and mention.low is not None:
        return f"since {day(mention.low)}"
    return f"in {mention.label}"


def day_of(value: date) -> Expr:
    return Constant(value=value.isoformat(), type="date")
