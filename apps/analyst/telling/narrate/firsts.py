"""The first rows of every group: the most expensive item of each site, the two largest deals of each owner."""

from __future__ import annotations

from apps.analyst.telling.formats import listed, spoken
from apps.analyst.telling.narrate.conditions import scope
from apps.analyst.telling.narrate.phrases import cell, group_noun, ranked_by, supreme
from apps.analyst.telling.narrate.rows import name_at
from apps.analyst.telling.narrate.view import View
from apps.analyst.telling.wording import BOLD as B

MOST_NAMED, NAMED = 4, 3
"""So many are all named; of more the first ones."""


def by_group(view: View) -> bool:
    """True where the result holds the first rows, by something, of every group."""
    query = view.query
    return query is not None and bool(query.limit_per) and bool(ranked_by(view)[1]) and bool(view.rows)


def first_of_each(view: View) -> str:
    """What comes first in which group, or how many rows that are in all."""
    query = view.query
    assert query is not None
    few, total = query.limit or 1, view.total_rows
    place, words, _ = ranked_by(view)
    names = _names(view, place)
    noun = group_noun(view, names[0], few) if query.groups else view.noun(few)
    what = f"the {noun} with the {supreme(view, words)}{scope(view)}"
    if few > 1:
        what = what.replace("the ", f"the {few} ", 1)
    proof = place if place not in names else None
    if total == 1:
        return f"For {_group(view, 0)}, {what} is {B}{_name(view, 0, names)}{B}{_proof(view, 0, proof, words)}."
    per = listed([view.said(spoken(label)) for label in query.limit_per])
    if few > 1:
        return f"For each {per}, {what}: {B}{total:,}{B} in all."
    shown = range(min(len(view.rows), total if total <= MOST_NAMED else NAMED))
    told = [f"{B}{_name(view, i, names)}{B} for {_group(view, i)}{_proof(view, i, proof, words)}" for i in shown]
    more = total - len(told)
    return f"For each {per}, {what}: {listed([*told, f'{more:,} more'] if more else told)}."


def name_places(view: View) -> list[int]:
    """Places of the columns that tell apart what the groups hold, not the groups."""
    per = view.query.limit_per if view.query is not None else ()
    return [i for i in view.names if view.columns[i].name not in per]


def _names(view: View, place: int | None) -> list[int]:
    """Places of the columns that name a row within its group; the figure itself where there are no others."""
    query = view.query
    assert query is not None
    names = [i for i in name_places(view) if i != place]
    if query.columns and not view.one_entity:
        texts = [i for i in names if view.columns[i].type == "text"]
        names = (texts or names)[:1]
    return names or [place if place is not None else len(view.columns) - 1]


def _name(view: View, row: int, names: list[int]) -> str:
    told = [name_at(view, row, i) if i in view.dimensions else cell(view, row, i) for i in names]
    return (" " if view.one_entity else " / ").join(told)


def _group(view: View, row: int) -> str:
    query = view.query
    assert query is not None
    places = [i for i, column in enumerate(view.columns) if column.name in query.limit_per]
    return " / ".join(name_at(view, row, i, alone=True) for i in places)


def _proof(view: View, row: int, place: int | None, words: str) -> str:
    """What made it the first, in brackets."""
    if place is None:
        return ""
    return f" (no {words})" if view.rows[row][place] is None else f" ({cell(view, row, place)})"
