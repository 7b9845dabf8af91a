"""What share of some rows, or of their amount, fulfils a condition: a part of a whole as one figure."""

from __future__ import annotations

from dataclasses import replace

from apps.analyst.computing.metrics.figures import Lacking, count, per_cent, total
from apps.analyst.computing.metrics.rows import column
from apps.analyst.language.readers.metrics_scope import Scope
from apps.analyst.language.readers.metrics_shapes import Shapes
from apps.analyst.plan import Join, Output, Predicate, Query
from apps.analyst.plan.conditions import all_of


class Shares(Shapes):
    """Sets a part of the rows against the whole."""

    def _part_of_whole(self) -> Query | None:
        """The share; None where nothing in the question says which part is meant."""
        ask = self.ask
        bare = replace(ask, values={}, bounds=[], missing=[], older=None, silent=None)
        if bare == ask:
            bare = replace(ask, states=())
        if bare == ask:
            raise Lacking("I understood that you ask for a share, but not of which part.")
        part = self._scope()
        self.ask = bare
        whole = self._scope()
        self.ask = ask
        whole.moment = part.moment or whole.moment
        where = all_of(*whole.where, *(self._within(whole, mention) for mention in ask.periods))
        chosen = all_of(*(test for test in part.where if test not in whole.where))
        return self._share(part, whole, chosen, where)

    def _share(self, part: Scope, whole: Scope, chosen: Predicate | None, where: Predicate | None) -> Query:
        amount = self.ask.column if not self.ask.count else None
        some = total(column(amount), chosen) if amount is not None else count(chosen)
        every = total(column(amount)) if amount is not None else count()
        unit = amount.column.unit if amount is not None else None
        nouns = part.noun or self.ask.kind, whole.noun or self.ask.kind
        of = "the amount of " if amount is not None else ""
        label = f"Share of {of}{nouns[0]}" + (f" among {nouns[1]}" if nouns[0] != nouns[1] else "")
        return Query(
            source=self.entity.table.name,
            joins=tuple(_kept(join) for join in self.joins.values()),
            where=where,
            measures=(
                Output(label=label, expr=per_cent(some, every), unit="%"),
                Output(label="Part", expr=some, unit=unit),
                Output(label="Whole", expr=every, unit=unit),
            ),
            noun=nouns[1],
            scope=self._told(part),
            known_until=self.today.isoformat(),
        )


def _kept(join: Join) -> Join:
    """The whole keeps the rows that meet none of a joined table."""
    return join.model_copy(update={"how": "left"})
