"""Figures whose definition says in which state the things are: "pipeline" is what is still open, "bookings" what was
won, a churn rate is of those who left. A reading of things in an opposite state, or in any, is none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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


@dataclass(frozen=True, slots=True)
class Defined:
    """A figure in a question: where its words stand, and how the data write the state that it is of, and those that it
    is not of."""

    places: frozenset[int]
    values: frozenset[str]
    opposites: frozenset[str]

    def agrees(self, plan: Plan) -> bool:
        """Whether a condition of the plan keeps what is in the state, and none what is in an opposite one."""
        if self.contradicts(plan):
            return False
        return any(map(self._keeps, every(plan))) or any(map(self._marks, every(plan)))

    def contradicts(self, plan: Plan) -> bool:
        """Whether a condition of the plan keeps things in an opposite state alone."""
        kept = (_values(test, negated=False) for test in every(plan))
        return any(values and all(_says(value, self.opposites) for value in values) for values in kept)

    def _marks(self, figure: Node) -> bool:
        """Whether a figure itself is of those for whom the day of the state is given: those with a churn date."""
        where = figure.where if isinstance(figure, Aggregate) else None
        match where:
            case Missing(of=ColumnRef() as given, negated=True):
                return _says(given.column, self.values)
        return False

    def _keeps(self, test: Node) -> bool:
        kept, left = _values(test, negated=False), _values(test, negated=True)
        if kept:
            return all(_says(value, self.values) for value in kept)
        return bool(left) and all(_says(value, self.opposites) for value in left)


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
        for derived in known.derived:
            if phrase in derived.words:
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


def _values(test: Node, *, negated: bool) -> list[str]:
    """The values that a condition keeps, or leaves out; of a flag that is set its name. What is not marked as won may
    be lost as well."""
    match test:
        case Compare(op="=", left=ColumnRef() as flag, right=Constant(value=True)) if not negated:
            return [flag.column]
        case Compare(op="=", left=ColumnRef() as flag, right=Constant(value=str(value))) if _is_yes(value):
            return [flag.column] if not negated else []
        case Compare(right=Constant(value=bool())):
            return []
        case Compare(op="=" | "!=" as op, left=ColumnRef(), right=Constant(value=str(value))):
            return [value] if (op == "!=") == negated else []
        case Among(of=ColumnRef()) if test.negated == negated:
            return [str(one.value) for one in test.values]
    return []


def _is_yes(value: str) -> bool:
    return value.casefold() in english().affirmed


def _says(value: str, words: frozenset[str]) -> bool:
    said = f" {folded(value)} "
    return any(f" {word} " in said for word in words)
