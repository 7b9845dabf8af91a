"""Concepts that a column's name fits equally well, and which of them the table's own trade speaks for."""

from __future__ import annotations

from collections.abc import Mapping

from apps.analyst.dictionary.types import Adds, Concepts
from apps.analyst.knowledge.entries import Kind
from apps.analyst.knowledge.loader import knowledge

Trades = tuple[tuple[str, float], ...]
"""The trades that a table speaks of, with their shares, the largest first."""
SURE = 0.75
"""A concept of at least this confidence speaks for a column's kind and for how it adds up."""
ADDING: Mapping[Kind, Adds] = {
    "amount": "sum", "count": "sum", "measure": "sum", "price": "average", "rate": "average", "score": "average",
    "share": "average", "duration": "average", "stock": "last",
}  # fmt: skip
ALL_TRADES = ("general", "people", "time", "money")
"""What holds for tables of every trade."""
_AT_HOME, _BEHIND = 0.25, 0.01
"""The least share of a trade that stands out in a table, and by how much concepts of others come behind its own."""


def tied(concepts: Concepts) -> tuple[Kind, ...]:
    """The kinds of the concepts that fit as well as the first of them, one for each."""
    every = knowledge().concepts
    return tuple(every[one].kind for one, score in concepts if score >= concepts[0][1] and one in every)


def of_trade(concepts: Concepts, shares: Trades) -> Concepts:
    """The concepts of a figure, of those that fit equally well and add up in unlike ways the ones of the table's own
    trade before the others, where that stands out: on a menu a food cost is what one dish costs. What holds for every
    trade stays beside it: a fee is an amount of money at an exhibition, too."""
    every, known = knowledge().concepts, dict(shares)
    best = [one for one, score in concepts if score >= max(concepts[0][1], SURE)]
    if len({ADDING.get(every[one].kind) for one in best}) < 2:
        return concepts
    weights = {every[one].domain: known.get(every[one].domain, 0.0) for one in best}
    first, *others = sorted(weights, key=lambda trade: -weights[trade])
    if weights[first] < _AT_HOME or any(2 * weights[other] > weights[first] for other in others):
        return concepts
    behind = [one for one in best if every[one].domain not in (first, *ALL_TRADES)]
    ranked = [(one, round(score - _BEHIND, 3) if one in behind else score) for one, score in concepts]
    return tuple(sorted(ranked, key=lambda entry: -entry[1]))
