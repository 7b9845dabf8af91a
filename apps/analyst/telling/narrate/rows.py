"""Small questions about a result's rows that several sentences ask."""

from __future__ import annotations

from apps.analyst.plan import Bin
from apps.analyst.telling.formats import is_number
from apps.analyst.telling.narrate.conditions import scope
from apps.analyst.telling.narrate.phrases import bin_label, cell, dimension_name
from apps.analyst.telling.narrate.view import View


def scope_of_rows(view: View, name: str) -> str:
    """The conditions after a figure's name, with the rows' noun unless the name has it already."""
    told = scope(view)
    noun = view.noun()
    if not told or noun == "rows" or name.endswith(noun):
        return told
    return f" of {noun}{told}"


def scoped(view: View, name: str) -> str:
    """A figure's name with the conditions of its rows, where they belong: "average number of open orders per guest"."""
    told, noun = scope(view), view.noun()
    if told and f"{noun} per " in name:
        return name.replace(f"{noun} per ", f"{noun}{told} per ", 1)
    return f"{name}{scope_of_rows(view, name)}"


def leading_figure(view: View) -> int:
    return view.figures[0] if view.figures else len(view.columns) - 1


def number_at(view: View, row: int, place: int) -> float:
    value = view.rows[row][place]
    return float(value) if is_number(value) else float("-inf")


def row_name(view: View, row: int) -> str:
    """What a row of the result is about: its names; a missing one is "no owner"."""
    names = [name_at(view, row, place) for place in view.names]
    return (" " if view.one_entity else " / ").join(names) if names else cell(view, row, 0)


def name_at(view: View, row: int, place: int, *, alone: bool = False) -> str:
    """A name of a row, or that there is none; a bare number says what it numbers, also `alone` of several names."""
    column = view.columns[place]
    if view.rows[row][place] is None:
        return f"no {dimension_name(view, place)}"
    value = view.rows[row][place]
    if is_number(value) and isinstance(view.expr(place), Bin):
        return bin_label(view, place, float(value))
    numbered = column.type == "integer" and column.grain is None and not view.is_time(place)
    told = cell(view, row, place)
    return f"{dimension_name(view, place)} {told}" if numbered and (alone or not view.one_entity) else told
