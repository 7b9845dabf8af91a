"""Figures whose definition says in which state the things are: "pipeline" is what is still open, "bookings" what was
won, a churn rate is of those who left. A reading of things in an opposite state, or in any, is none."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from apps.analyst.knowledge.english import english
from apps.analyst.knowledge.entries import State
from apps.analyst.knowledge.folding import folded
from apps.analyst.knowledge.formulas import Figure, Made, tree_of
from apps.analyst.knowledge.loader import knowledge
from apps.analyst.plan import Aggregate, Among, ColumnRef, Compare, Constant, Missing, Node, Plan
from apps.analyst.plan.nodes import every
from apps.analyst.reading.coverage import BY_LETTER, NEAR_ENOUGH
from apps.analyst.reading.linking import Linked
from apps.analyst.reading.values_said import phrases_of
from apps.analyst.types import Table


@dataclass(frozen=True, slots=True)
class Defined:
    """A figure in a question: where its words stand, and how the data write the state that it is of, and those that it
    is not of."""

    places: frozenset[int]
    values: frozenset[str]
    opposites: frozenset[str]

    def agrees(self, plan: Plan, tables: Sequence[Table]) -> bool:
        """Whether the plan's conditions keep what is in the state, and none what is in an opposite one, of all that
        `tables` hold."""
        if self.contradicts(plan):
            return False
        return any(self._keeps(part) or self._is_marked(part) for part in every(plan)) or self._leaves_out(plan, tables)

    def contradicts(self, plan: Plan) -> bool:
        """Whether a condition of the plan keeps things in an opposite state alone."""
        return any(_all_say(_kept(test), self.opposites) for test in every(plan))

    def _keeps(self, test: Node) -> bool:
        return _all_say(_kept(test), self.values)

    def _is_marked(self, figure: Node) -> bool:
        """Whether a figure itself is of those for whom the day of the state is given: those with a churn date."""
        where = figure.where if isinstance(figure, Aggregate) else None
        match where:
            case Missing(of=ColumnRef() as given, negated=True):
                return _says(given.column, self.values)
        return False

    def _leaves_out(self, plan: Plan, tables: Sequence[Table]) -> bool:
        """Whether conditions leave out every opposite state of a column: what is not lost may be won."""
        left: defaultdict[ColumnRef, set[str]] = defaultdict(set)
        for test in every(plan):
            for of, value in _left_out(test):
                left[of].add(value)
        return any(
            _all_say(values, self.opposites) and values >= set(self._opposites_of(of, tables))
            for of, values in left.items()
        )

    def _opposites_of(self, of: ColumnRef, tables: Sequence[Table]) -> Iterator[str]:
        """The values of a column that say an opposite state."""
        for column in (table.column(of.column) for table in tables if table.name == of.table):
            for count in column.values if column is not None else ():
                if _says(count.value, self.opposites):
                    yield count.value


def defined_of(linked: Linked) -> Defined | None:
    """`defined_in` the question that is linked; None where a column of figures is called so: what it holds is meant."""
    defined = defined_in(linked.tokens)
    offset = len(linked.index.tables)
    held = [offset + n for n, meaning in enumerate(linked.index.meant) if meaning.kind == "measure"]
    if defined is None or not held:
        return defined
    fits = linked.channels[sorted(defined.places)][:, held][:, :, list(BY_LETTER)]
    return defined if float(fits.max()) < NEAR_ENOUGH else None


def defined_in(tokens: Sequence[str]) -> Defined | None:
    """The figure of that kind that a question asks for (its words, in lower case); None where there is none, where it
    is what is grouped by, or where the question itself says an opposite state."""
    said, known = phrases_of(list(tokens)), knowledge()
    grouping = english().cues["grouped"]
    found: list[tuple[int, int, State]] = []
    for start, end, phrase in said:
        if start and tokens[start - 1] in grouping:
            continue
        for derived in known.derived_of(phrase):
            found += [(start, end, state) for state in _states(derived.formula, derived.domain)]
    places = frozenset(place for start, end, _ in found for place in range(start, end))
    values = frozenset(folded(word) for _, _, state in found for word in (*state.values, *state.flags, *state.present))
    opposites = frozenset(folded(word) for _, _, state in found for word in state.opposites)
    stated = {folded(value) for _, _, phrase in said for state in known.states_of(phrase) for value in state.values}
    return Defined(places, values, opposites) if opposites and opposites.isdisjoint(stated) else None


def _states(formula: str, trade: str) -> Iterator[State]:
    """The states of what a formula adds up, or counts as a share of more; nothing of what is worked out per thing."""
    tree = tree_of(formula)
    if isinstance(tree, Made):
        tree = tree.left if tree.sign == "/" and isinstance(tree.left, Figure) and tree.left.fn == "count" else None
    for part in tree.of if isinstance(tree, Figure) and tree.fn in ("sum", "count") else ():
        yield from (state for state in knowledge().states_of(part.state) if state.domain == trade)


def _kept(test: Node) -> list[str]:
    """The values that a condition keeps; of a flag that is set its name."""
    match test:
        case Compare(op="=", left=ColumnRef() as flag, right=Constant(value=True)):
            return [flag.column]
        case Compare(op="=", left=ColumnRef() as flag, right=Constant(value=str(value))):
            return [flag.column if value.casefold() in english().affirmed else value]
        case Among(of=ColumnRef(), negated=False):
            return [str(one.value) for one in test.values]
    return []


def _left_out(test: Node) -> Iterator[tuple[ColumnRef, str]]:
    """The values that a condition leaves out, each with its column. A flag that is not set says nothing: what is not
    marked as won may be lost as well."""
    match test:
        case Compare(op="!=", left=ColumnRef() as of, right=Constant(value=str(value))):
            yield of, value
        case Among(of=ColumnRef() as of, negated=True):
            yield from ((of, str(one.value)) for one in test.values)


def _all_say(values: Collection[str], words: frozenset[str]) -> bool:
    return bool(values) and all(_says(value, words) for value in values)


def _says(value: str, words: frozenset[str]) -> bool:
    said = f" {folded(value)} "
    return any(f" {word} " in said for word in words)
