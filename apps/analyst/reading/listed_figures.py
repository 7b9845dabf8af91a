"""Aggregates of one value that a question lists: "average, lowest and highest rate", "days to close: mean, min, max".

The network mostly writes the first of them. Where the words stand in a row, a sketch with one of them gets all.
"""

from __future__ import annotations

from collections.abc import Sequence

from apps.analyst.knowledge.english import english
from apps.analyst.reading.sketch import MOST_FIGURES, Sketch

_FUNCTIONS = {"mean": "avg", "median": "median", "highest": "max", "lowest": "min", "total": "sum"}
"""The forms (`cues` of knowledge/english.yaml) that an aggregate of a value has."""
_RANKING = frozenset(("max", "min"))


def listed(tokens: Sequence[str]) -> tuple[str, ...]:
    """The aggregates that stand in a row in a question's words (lower case), in their order; () where no two do.

    "Highest average" ranks averages and is none; "average and highest" and "average, highest" are a row.
    """
    rows: list[list[str]] = [[]]
    joined = False
    place = 0
    while place < len(tokens):
        found = _aggregate_at(tokens, place)
        if found is None:
            if not rows[-1] or tokens[place] in english().adding:
                joined = bool(rows[-1])
            elif tokens[place] not in english().articles | english().definite:
                rows.append([])
            place += 1
            continue
        function, length = found
        ranked = rows[-1] and rows[-1][-1] in _RANKING and function not in _RANKING
        if rows[-1] and ((ranked and not joined) or function in rows[-1]):
            rows.append([])
        rows[-1].append(function)
        joined, place = False, place + length
    longest = max(rows, key=len)
    return tuple(longest) if len(longest) > 1 else ()


def _aggregate_at(tokens: Sequence[str], place: int) -> tuple[str, int] | None:
    """The aggregate that begins at a place and how many words it takes; "at most 5" bounds and is none."""
    two = " ".join(tokens[place : place + 2])
    limits = english().extremes
    if two in limits and not "".join(tokens[place + 2 : place + 3])[:1].isdigit():
        return limits[two], 2
    for length, said in ((2, two), (1, tokens[place])):
        for form, function in _FUNCTIONS.items():
            if said in english().cues[form]:
                return function, length
    return None


def with_listed(sketch: Sketch, wanted: Sequence[str]) -> Sketch:
    """The sketch with all aggregates of a row where it has some of them of one value, and no ranking by one."""
    place = {"agg": 1, "group": 2}.get(sketch[0])
    if place is None or not wanted:
        return sketch
    figures = list(sketch[place][1:])
    own = [n for n, figure in enumerate(figures) if figure[0] in wanted]
    values = {figures[n][1] for n in own}
    if len(values) != 1 or {figures[n][0] for n in own} == set(wanted):
        return sketch
    (value,) = values
    made = [*figures[: own[0]], *((function, value) for function in wanted)]
    made += [figure for figure in figures[own[0] :] if figure[0] not in wanted]
    if len(made) > MOST_FIGURES:
        return sketch
    kept = (*sketch[:place], (f"m{len(made)}", *made), *sketch[place + 1 :])
    return (*kept[:-1], ("all",)) if sketch[0] == "group" and _RANKING.intersection(wanted) else kept
