"""How deals end, as a whole: where several stages say that one was won ("Closed Won" of each pipeline), a reading that
takes one of them although nothing names it means all of them; and what is not marked as won is not open by that.

In: a plan of the network. Out: the same with all stages of the outcomes that its conditions take a part of.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from apps.analyst.computing.compile.walk import rewrite, with_queries
from apps.analyst.computing.metrics.names import DROPPED_VALUE, LOST_VALUE, WON_VALUE
from apps.analyst.kept import Kept
from apps.analyst.knowledge.entries import State
from apps.analyst.knowledge.folding import folded, singular
from apps.analyst.knowledge.loader import knowledge
from apps.analyst.plan import Among, AnyOf, ColumnRef, Compare, Constant, Missing, Node, Plan, Predicate, Query
from apps.analyst.plan.conditions import conjuncts, together
from apps.analyst.ports import Catalog
from apps.analyst.telling.evidence import tables_of
from apps.analyst.types import Column

LONGEST = 3
"""Words that a state is said by, at most."""
MOST_STAGES = 40
MOST_KEPT = 64


@dataclass(frozen=True, slots=True)
class Outcomes:
    """A column of stages: those that say won, lost or given up; all others are open."""

    of: ColumnRef
    won: tuple[str, ...]
    lost: tuple[str, ...]
    dropped: tuple[str, ...]
    gaps: bool

    def among(self, stages: Iterable[str], *, negated: bool = False) -> Predicate:
        """The stage is one of these, or none of them, as one that is missing is."""
        test = Among(of=self.of, values=tuple(Constant(value=stage) for stage in stages), negated=negated)
        return AnyOf(of=(test, Missing(of=self.of))) if negated and self.gaps else test


_kept: Kept[str, Mapping[str, tuple[Outcomes, ...]]] = Kept(MOST_KEPT)


def with_whole_outcomes(plan: Plan, tokens: Sequence[str], catalog: Catalog) -> Plan:
    """The plan with whole outcomes in its conditions; `tokens` are the question's words, in lower case."""
    ends = ends_in(catalog)
    known = {table: max(ends[table], key=_stages) for table in tables_of(plan) if table in ends}
    return with_queries(plan, lambda query: _query(query, known, tokens)) if known else plan


def _stages(outcomes: Outcomes) -> int:
    return len(outcomes.won) + len(outcomes.lost)


def ends_in(catalog: Catalog) -> Mapping[str, tuple[Outcomes, ...]]:
    """The columns whose values say how deals ended, by their tables; none of a table where none says both won and
    lost. Kept for the catalog's version: every candidate of a question asks for it."""
    return _kept.get(catalog.version, lambda: dict(_found(catalog)))


def _found(catalog: Catalog) -> Iterator[tuple[str, tuple[Outcomes, ...]]]:
    for table in catalog.tables():
        ends = tuple(end for column in table.columns if (end := _ends_of(table.name, column)) is not None)
        if ends:
            yield table.name, ends


def _ends_of(table: str, column: Column) -> Outcomes | None:
    """The values of a column that say how deals ended; None where none says both won and lost."""
    if column.type != "text" or not column.values_complete or column.distinct > MOST_STAGES:
        return None
    names = [count.value for count in column.values]
    won, lost = (tuple(name for name in names if mark.search(name)) for mark in (WON_VALUE, LOST_VALUE))
    if not won or not lost or set(won) & set(lost):
        return None
    dropped = tuple(name for name in names if DROPPED_VALUE.search(name) and name not in lost)
    return Outcomes(ColumnRef(table=table, column=column.name), won, lost, dropped, column.missing > 0)


def _query(query: Query, known: Mapping[str, Outcomes], tokens: Sequence[str]) -> Query:
    if isinstance(query.source, Query):
        query = query.model_copy(update={"source": _query(query.source, known, tokens)})

    def change(part: Node) -> Node | None:
        return _whole(part, known, tokens) or _beside_won(part, known, tokens)

    made = rewrite(query, change)
    if made.where == query.where:
        return made
    return made.model_copy(update={"where": together(list(dict.fromkeys(conjuncts(made.where))))})


def _whole(part: Node, known: Mapping[str, Outcomes], tokens: Sequence[str]) -> Predicate | None:
    """A condition on some stages of an outcome as one on all of them, and without stages beside them that the question
    says no word of; None for all others."""
    match part:
        case Compare(op="=" | "!=", left=ColumnRef() as of, right=Constant(value=str(value))):
            values, negated = {value}, part.op == "!="
        case Among(of=ColumnRef() as of):
            values, negated = {str(value.value) for value in part.values}, part.negated
        case _:
            return None
    outcomes = known.get(of.table)
    if outcomes is None or outcomes.of != of:
        return None
    ends = (outcomes.won, outcomes.lost)
    taken = [stage for some in ends if values & set(some) for stage in some]
    others = values - set(taken)
    if not taken or any(_is_said(value, tokens) for value in others):
        return None
    both = all(values & set(some) for some in ends)
    if negated and (both or (others and any(map(_means_open, states_said(tokens))))):
        taken = [*outcomes.won, *outcomes.lost, *outcomes.dropped]  # what was given up is not open either
    if values == set(taken) or any(_is_named(value, taken, tokens) for value in values - others):
        return None
    return outcomes.among(taken, negated=negated)


def _is_said(value: str, tokens: Sequence[str]) -> bool:
    """Whether the question says a word of a stage."""
    said = {*tokens, *map(singular, tokens)}
    return any(word in said or singular(word) in said for word in folded(value).split())


def _is_named(value: str, others: Sequence[str], tokens: Sequence[str]) -> bool:
    """Whether the question says all that tells a stage from the others of its outcomes: its pipeline, its reason."""
    words = [set(folded(other).split()) for other in others]
    own = set(folded(value).split()) - words[0].intersection(*words)
    said = {*tokens, *map(singular, tokens)}
    ends = {word for word in own if WON_VALUE.search(word) or LOST_VALUE.search(word)}
    return bool(own - ends) and all(word in said or singular(word) in said for word in own - ends)


def _beside_won(part: Node, known: Mapping[str, Outcomes], tokens: Sequence[str]) -> Predicate | None:
    """The stages that the question's state is in the place of "not marked as won", which lost deals are, too."""
    match part:
        case Compare(op="=", left=ColumnRef() as flag, right=Constant(value=False)):
            outcomes = known.get(flag.table)
        case _:
            return None
    if outcomes is None or not WON_VALUE.search(folded(flag.column)):
        return None
    said = list(states_said(tokens))
    is_open, is_lost = any(map(_means_open, said)), any(map(_means_lost, said))
    if is_open == is_lost:
        return None
    ended = (*outcomes.won, *outcomes.lost, *outcomes.dropped)
    return outcomes.among(ended, negated=True) if is_open else outcomes.among(outcomes.lost)


def states_said(tokens: Sequence[str]) -> Iterator[State]:
    """The states that words say, in any trade."""
    for start in range(len(tokens)):
        for end in range(start + 1, min(start + LONGEST, len(tokens)) + 1):
            yield from knowledge().states_of(" ".join(tokens[start:end]))


def _means_open(state: State) -> bool:
    """Whether what is in a state is neither won nor lost."""
    return any(map(WON_VALUE.search, state.opposites)) and any(map(LOST_VALUE.search, state.opposites))


def _means_lost(state: State) -> bool:
    return any(map(LOST_VALUE.search, state.values)) and any(map(WON_VALUE.search, state.opposites))
