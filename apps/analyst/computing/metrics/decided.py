"""Rates of cases that are decided: "approval rate" = approved / (approved + rejected), without what is still pending.

In: a catalog's profiles and the word for an outcome. Out: the columns and values it means, and conditions on them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from apps.analyst.computing.compile.walk import within
from apps.analyst.computing.metrics.names import DROPPED_VALUE, LOST_VALUE, UNDECIDED_VALUE, WON_VALUE
from apps.analyst.plan import Aggregate, Among, Arithmetic, ColumnRef, Compare, Constant, Output, Plan, Predicate, Query
from apps.analyst.plan.conditions import conjuncts
from apps.analyst.ports import Catalog
from apps.analyst.telling.formats import capital, listed, spoken
from apps.analyst.types import Column, Table

MOST_NAMED = 3
"""So many states are named; of more the first ones."""
MOST_STATES, MOST_STAGES = 12, 40
"""Values of a column that says how cases stand, and of one of a pipeline's stages."""
_STEM = 4
"""Letters that the word for an outcome shares with its value at least ("approval", "Approved")."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A value of a column that says how cases ended, with those that ended otherwise and those that did not end yet."""

    table: Table
    column: Column
    value: str
    others: tuple[str, ...]
    undecided: tuple[str, ...]

    @property
    def ref(self) -> ColumnRef:
        """The column."""
        return ColumnRef(table=self.table.name, column=self.column.name)

    @property
    def decided(self) -> Predicate:
        """That a case ended, one way or the other."""
        values = tuple(Constant(value=value) for value in (self.value, *self.others))
        return Among(of=self.ref, values=values)

    @property
    def good(self) -> Predicate:
        """That a case ended so."""
        return Compare(op="=", left=self.ref, right=Constant(value=self.value))

    def definition(self, name: str) -> str:
        """What the rate is, and what is left out of it."""
        ends = " + ".join(capital(value) for value in (self.value, *self.others))
        left = listed([capital(value) for value in self.undecided])
        return f"{capital(name)} = {capital(self.value)} / ({ends}); {left} {_are(self.undecided)} not decided yet"


def outcomes(word: str, catalog: Catalog) -> list[Outcome]:
    """What the word of a rate may mean ("approval", "cancellation"), where cases are known that are not decided."""
    return [found for table in catalog.tables() for c in table.columns if (found := _outcome(word, table, c))]


def _outcome(word: str, table: Table, column: Column) -> Outcome | None:
    states = states_of(column)
    if states is None:
        return None
    ended, undecided = states
    meant = [value for value in ended if _means(word, value)]
    if len(meant) != 1 or len(ended) < 2:
        return None
    return Outcome(table, column, meant[0], tuple(v for v in ended if v != meant[0]), undecided)


def states_of(column: Column) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """The values of a column that say how cases ended, and those of cases that did not end yet; None where it tells
    of none such."""
    if column.type != "text" or not column.values_complete or not 2 < len(column.values) <= MOST_STATES:
        return None
    names = [found.value for found in column.values]
    undecided = tuple(name for name in names if UNDECIDED_VALUE.fullmatch(_plain(name)))
    ended = tuple(name for name in names if name not in undecided)
    return (ended, undecided) if undecided and ended else None


def _means(word: str, value: str) -> bool:
    """Whether the word of a rate and a value are of one stem: "approval" and "Approved", "pass" and "Passed"."""
    first = _plain(value)
    if " " in first or len(word) < _STEM:
        return False
    shared = next((i for i, (a, b) in enumerate(zip(word, first, strict=False)) if a != b), min(len(word), len(first)))
    return shared >= max(_STEM, min(len(word), len(first)) - 3)


def undecided_notes(plan: Plan, catalog: Catalog) -> Iterator[str]:
    """Of shares of all rows that have a state: that those of which nothing is decided yet count in the whole."""
    query = plan if isinstance(plan, Query) else None
    for output in query.measures if query is not None else ():
        test = _share_of_all(output)
        stored = _stored(test.left, catalog) if test is not None and isinstance(test.left, ColumnRef) else None
        states = states_of(stored) or _of_stages(stored) if stored is not None else None
        if states is not None and stored is not None and _plain(_value(test)) in map(_plain, states[0]):
            left = listed(list(states[1]), "or", most=MOST_NAMED)
            yield f"The whole includes rows whose {spoken(stored.name)} is {left}, which are not decided yet."


def _share_of_all(output: Output) -> Compare | None:
    """The condition of a part that is set against all rows."""
    if not any(isinstance(node, Arithmetic) and node.op == "/" for node in within(output.expr)):
        return None
    counts = [conjuncts(node.where) for node in within(output.expr) if isinstance(node, Aggregate)]
    if len(counts) != 2:
        return None
    some, every = sorted(counts, key=len, reverse=True)
    own = [part for part in some if part not in every]
    of_all = len(own) == 1 and all(part in some for part in every)
    return own[0] if of_all and isinstance(own[0], Compare) and own[0].op == "=" else None


def _of_stages(column: Column) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """The stages of what is won, lost or dropped, and those of what is still open; None for other columns."""
    if column.type != "text" or not column.values_complete or column.distinct > MOST_STAGES:
        return None
    names = [found.value for found in column.values]
    won, lost, dropped = ([n for n in names if mark.search(n)] for mark in (WON_VALUE, LOST_VALUE, DROPPED_VALUE))
    others = tuple(name for name in names if name not in (*won, *lost, *dropped))
    return ((*won, *lost, *dropped), others) if won and lost and others else None


def _value(test: Compare | None) -> str:
    return str(test.right.value) if test is not None and isinstance(test.right, Constant) else ""


def _stored(ref: ColumnRef, catalog: Catalog) -> Column | None:
    table = next((table for table in catalog.tables() if table.name == ref.table), None)
    return table.column(ref.column) if table is not None else None


def _plain(text: str) -> str:
    return re.sub(r"[\s_-]+", " ", text.strip().casefold())


def _are(names: tuple[str, ...]) -> str:
    return "is" if len(names) == 1 else "are"
