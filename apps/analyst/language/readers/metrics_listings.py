"""Rows themselves: which deals, the largest ones, and how much of all is in them."""

from __future__ import annotations

from apps.analyst.computing.metrics.figures import (
    need,
    per_cent,
    reference,
    total,
)
from apps.analyst.computing.metrics.roles import Part
from apps.analyst.computing.metrics.rows import column
from apps.analyst.language.readers.metrics_parts import Dimension
from apps.analyst.language.readers.metrics_scope import Scope
from apps.analyst.language.readers.metrics_shapes import Shapes
from apps.analyst.plan import (
    Combine,
    Missing,
    NamedQuery,
    Order,
    Output,
    Query,
)
from apps.analyst.plan.conditions import all_of

MOST_NAMED = 10
"""How many are listed where "the largest" are asked for without a number."""


class Listings(Shapes):
    """Lists rows."""

    def _listing(self, one: bool) -> Query:
        ask, scope = self.ask, self._scope()
        periods = [self._within(scope, mention) for mention in ask.periods]
        key, descending = self._key(scope)
        ranked = ask.descending is not None
        limit = ask.limit or (1 if one or (ranked and not ask.many) else MOST_NAMED if ranked else None)
        shown = self._shown(scope, key, ask.groups[0] if one else None)
        where = all_of(
            *scope.where,
            *periods,
            Missing(of=column(key), negated=True) if key is not None and ask.descending is not None else None,
        )
        return Query(
            source=self.entity.table.name,
            joins=tuple(self.joins.values()),
            where=where,
            columns=shown,
            order=(Order(by=column(key), descending=descending),) if key is not None else (),
            limit=limit,
            ties=limit == 1,
            noun=scope.noun,
            scope=self._told(scope),
            known_until=self.today.isoformat(),
        )

    def _listing_within(self) -> Query:
        """The first rows of each group, group by group."""
        ask, scope = self.ask, self._scope()
        periods = [self._within(scope, mention) for mention in ask.periods]
        amount = need(self.entity, "amount", "to rank by")
        key = scope.moment if ask.key == "time" and scope.moment is not None else amount
        groups = self._groups(scope)
        labels = tuple(group.label for group in groups)
        shown = tuple(output for output in self._shown(scope, key, None) if output.label not in labels)
        present = Missing(of=column(key), negated=True)
        limit = ask.limit or 1
        return Query(
            source=self.entity.table.name,
            joins=tuple(self.joins.values()),
            where=all_of(*scope.where, *periods, self._present(groups), present),
            columns=(*groups, *shown),
            order=(
                *(Order(by=label) for label in labels),
                Order(by=column(key), descending=ask.descending is not False),
            ),
            limit=limit,
            limit_per=labels,
            ties=limit == 1,
            noun=scope.noun,
            scope=self._told(scope),
            known_until=self.today.isoformat(),
        )

    def _key(self, scope: Scope) -> tuple[Part | None, bool]:
        """What listed rows are sorted by: what was asked, else the largest or the latest first."""
        ask, entity = self.ask, self.entity
        if ask.moment and ask.key == "time":
            return entity.part(ask.moment), bool(ask.descending)
        if ask.column is not None:
            return ask.column, ask.descending is not False
        if ask.key == "time":
            return scope.moment, ask.descending is not False
        if ask.key == "size" or scope.noun == "open deals":
            return need(
                entity, "amount", "to rank by"
            ) if ask.kind == "deals" else scope.moment, ask.descending is not False
        return scope.moment, True

    def _shown(self, scope: Scope, key: Part | None, leading: Dimension | None) -> tuple[Output, ...]:
        roles = {
            "deals": ("name", "amount", "owner", "stage", "closed", "last activity"),
            "companies": ("name", "churned", "owner"),
            "tickets": ("name", "company", "status", "priority", "created"),
            "meetings": ("company", "owner", "held", "outcome"),
            "emails": ("company", "owner", "sent"),
            "contacts": ("company", "owner", "created"),
        }[self.ask.kind]
        if scope.noun != "open deals":
            roles = tuple(role for role in roles if role not in ("stage", "last activity"))
        elif self.ask.silent is None and "risk" not in self.ask.states:
            roles = tuple(role for role in roles if role != "last activity")
        names = self.lexicon.schema.name_columns(self.entity.table.name)
        parts = (
            [Part(self.entity.table.name, name) for name in names]
            if self.ask.kind != "deals" or self.entity.part("name") is None
            else []
        )
        if leading is not None and leading.part is not None:
            self.reach(leading.part.table)
            parts.insert(0, leading.part)
        parts += [part for role in roles if (part := self.entity.part(role)) is not None]
        if key is not None:
            parts.append(key)
        unique: list[Part] = []
        for part in parts:
            if (part.table, part.name) not in [(other.table, other.name) for other in unique]:
                unique.append(part)
        return tuple(Output(label=part.name, expr=column(part), unit=part.column.unit) for part in unique)

    def _share_of_largest(self) -> Combine:
        scope = self._scope()
        amount = need(self.entity, "amount", "to rank by")
        where = all_of(*scope.where, *(self._within(scope, mention) for mention in self.ask.periods))
        source, joins = self.entity.table.name, tuple(self.joins.values())
        rows = Query(
            source=source,
            joins=joins,
            where=all_of(where, Missing(of=column(amount), negated=True)),
            columns=(Output(label="Amount", expr=column(amount)),),
            order=(Order(by="Amount", descending=True),),
            limit=self.ask.limit,
        )
        top, whole = f"Amount of the {self.ask.limit} largest", "Amount in all"
        parts = (
            NamedQuery(
                label=top, query=Query(source=rows, measures=(Output(label=top, expr=total(reference("Amount"))),))
            ),
            NamedQuery(
                label=whole,
                query=Query(
                    source=source, joins=joins, where=where, measures=(Output(label=whole, expr=total(column(amount))),)
                ),
            ),
        )
        unit = amount.column.unit
        share = Output(
            label=f"Share of the {self.ask.limit} largest {scope.noun}",
            expr=per_cent(reference(top), reference(whole)),
            unit="%",
        )
        return Combine(
            parts=parts,
            outputs=(
                share,
                Output(label=top, expr=reference(top), unit=unit),
                Output(label=whole, expr=reference(whole), unit=unit),
            ),
        )
