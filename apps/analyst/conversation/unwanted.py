"""Whether a figure counts what nobody wants, by what its rows are chosen by: the worst of such are those with most."""

from __future__ import annotations

from collections.abc import Iterator

from apps.analyst.conversation.figures import figure_of
from apps.analyst.conversation.predicates import column_of, values_of
from apps.analyst.conversation.words import phrases
from apps.analyst.knowledge.folding import folded
from apps.analyst.knowledge.loader import knowledge
from apps.analyst.plan import Missing, Not, Predicate, Query
from apps.analyst.plan.conditions import conjuncts
from apps.analyst.telling.narrate.headline import is_good

ADDED = ("count", "sum")


def counts_unwanted(query: Query) -> bool:
    """Whether the query adds up rows that were chosen for having failed: failed payments, what was canceled in 2025.
    What is good whatever became of its rows ("profit") stays so."""
    figure = figure_of(query)
    if figure is None or figure.fn not in ADDED or is_good(query.measures[0].label):
        return False
    return any(_chooses_unwanted(test) for test in conjuncts(query.where))


def _chooses_unwanted(test: Predicate) -> bool:
    said = list(_said(test))
    return bool(said) and all(map(_is_unwanted, said))


def _said(test: Predicate) -> Iterator[str]:
    """What a test says of the rows it lets through: its values, or the name of the date that they have."""
    values = values_of(test)
    ref = column_of(test)
    absent = isinstance(test, Missing) and not test.negated
    if values:
        yield from values
    elif ref is not None and not absent and not isinstance(test, Not):
        yield ref.column


def _is_unwanted(text: str) -> bool:
    """Whether a value or a name says, by itself or by the state that it stands for, what nobody wants."""
    known = (word for state in knowledge().states_said(text) for word in state.words)
    return any(f" {bad} " in f" {folded(said.replace('_', ' '))} " for said in (text, *known) for bad in _bad())


def _bad() -> Iterator[str]:
    return (folded(word) for word in phrases().unwanted)
