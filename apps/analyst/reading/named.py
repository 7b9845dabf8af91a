"""What a question names word for word and a sketch passes over, where there is one place for it: the sides of a
comparison, further columns of a list, how many come first.

More columns than were asked for do no harm; a side too many, or one column too few, is another answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from apps.analyst.knowledge.english import english
from apps.analyst.knowledge.folding import folded, singular
from apps.analyst.knowledge.loader import knowledge
from apps.analyst.reading.linking import Linked
from apps.analyst.reading.mending import SAID, is_named, joined, leaves, parts_of
from apps.analyst.reading.sketch import MOST_FIGURES, MOST_VALUES, Sketch, walk

_NUMERIC = ("integer", "decimal", "float")
_ADDED = ("sum", "avg")
_FIGURES = ("mean", "median", "total", "count", "share", "highest", "lowest")
"""Cues that stand before the name of a figure."""
MOST_SIDES, MOST_FIRST = 6, 100
MORE = 2
"""Columns that are put beside those that the network wrote."""


def with_named(sketch: Sketch, linked: Linked) -> Sketch:
    """The sketch with what the question names beside it."""
    sketch = with_first(with_every_side(with_sides(with_values(sketch, linked), linked), linked), linked)
    return with_speed(with_columns(sketch, linked), linked)


def with_values(sketch: Sketch, linked: Linked) -> Sketch:
    """Lists of values of a column hold those that the question names as a list: "Organic Search or Paid Search" is not
    "Paid Social", and all four of "Premier Inn, Holiday Inn, Travelodge, Malmaison" are meant. One that other words
    may mean stays."""

    def changed(part: Sketch) -> Sketch:
        if part[0][:2] != "in" or not part[0][2:].isdecimal():
            return (part[0], *(changed(p) if isinstance(p, tuple) else p for p in part[1:]))
        own = [value[1] for value in part[1:]]
        column = linked.items[own[0]].column
        named = [n for n in linked.items_of_column.get(column, ()) if is_named(n, linked)]
        if not 2 <= len(named) <= MOST_SIDES or set(named).isdisjoint(own) or not _stand_together(named, linked):
            return part
        said = {place for n in named for place in places_said(n, linked)}
        kept = [n for n in own if n not in named and not said.issuperset(places_said(n, linked))]
        meant = [*named, *kept][:MOST_SIDES]
        return part if set(meant) == set(own) else (f"in{len(meant)}", *(("W", n) for n in meant))

    return changed(sketch)


def with_sides(sketch: Sketch, linked: Linked) -> Sketch:
    """Groups of a column of which the question names two values or more are these: "Partner against Web"."""
    if sketch[0] != "group":
        return sketch
    used = {linked.items[item].column for item in leaves(sketch, "W")}
    for key in sketch[1][1:]:
        if key[0] != "C" or key[1] in used:
            continue
        sides = [n for n in linked.items_of_column.get(key[1], ()) if is_named(n, linked)]
        if 2 <= len(sides) <= MOST_SIDES and _stand_together(sides, linked):
            either = (f"in{len(sides)}", *(("W", n) for n in sides))
            sketch = (*sketch[:3], joined([either, *parts_of(sketch[3])]), *sketch[4:])
    return sketch


def with_every_side(sketch: Sketch, linked: Linked) -> Sketch:
    """Groups of a column are not cut to some of its values where the question goes on to others that the data write
    differently: "phone vs online vs desk", "web, app and the rest"."""
    if sketch[0] != "group":
        return sketch
    keys = {key[1] for key in sketch[1][1:] if key[0] == "C"}
    kept = [p for p in parts_of(sketch[3]) if not _leaves_side_out(p, keys, linked)]
    return sketch if len(kept) == len(list(parts_of(sketch[3]))) else (*sketch[:3], joined(kept), *sketch[4:])


def _leaves_side_out(p: Sketch, keys: set[int], linked: Linked) -> bool:
    """Whether a condition lists some values of a column that is grouped by, beside a further one in other words."""
    if p[0][:2] != "in" or not p[0][2:].isdecimal() or linked.items[p[1][1]].column not in keys:
        return False
    column = linked.index.columns[linked.items[p[1][1]].column][1]
    if not column.values_complete or not len(p) - 1 < column.distinct <= MOST_SIDES:
        return False
    known, tokens = english(), linked.tokens
    said = sorted(place for value in p[1:] for place in places_said(value[1], linked))
    if not said:
        return False
    if not known.rest.isdisjoint(tokens[said[-1] + 1 :]):
        return True
    listed = linked.item_tokens[[value[1] for value in p[1:]]].max(0)
    for joint, place in ((said[-1] + 1, said[-1] + 2), (said[0] - 1, said[0] - 2)):
        opposed = 0 <= place < len(tokens) and tokens[joint] in known.opposing
        if opposed and tokens[place] not in known.stopwords and listed[place] < SAID:
            return True
    return False


def _stand_together(sides: list[int], linked: Linked) -> bool:
    """Whether the values are said as sides: "E vans and D vans", "furnished against unfurnished"; "website, open day
    etc." are examples, and "Shell, BP and Asda" is a longer list where Shell is no value."""
    known = english()
    spans = sorted(places_said(n, linked) for n in sides)
    if not all(spans):
        return False
    behind = set(linked.tokens[spans[-1][-1] + 1 : spans[-1][-1] + 2])
    for one, other in pairwise(spans):
        between = linked.tokens[one[-1] + 1 : other[0]]
        if known.contrasts.isdisjoint(between) or not (known.contrasts | known.stopwords | behind).issuperset(between):
            return False
    return True


def places_said(item: int, linked: Linked) -> list[int]:
    """The places of the words that say a value: where it stands as a whole, else all that fit it."""
    words = [singular(word) for word in folded(linked.items[item].value).split()]
    tokens = [singular(token) for token in linked.tokens]
    whole = next((n for n in range(len(tokens)) if tokens[n : n + len(words)] == words), None)
    if whole is not None:
        return list(range(whole, whole + len(words)))
    return [int(t) for t in np.flatnonzero(linked.item_tokens[item] >= SAID)]


def with_first(sketch: Sketch, linked: Linked) -> Sketch:
    """A ranking that is cut to one has as many as the question's only number that stands for nothing else: "the two
    accounts with the most". As many as there are groups in all are not cut: "which of our 3 shops sells most"."""
    last = sketch[-1]
    if last[0] not in ("first", "per") or last[-1] != ("onlyone",):
        return sketch
    used, named = set(leaves(sketch, "N")), {n for p in linked.periods for n in range(p.start, p.end)}
    free = [n for n, (place, _) in enumerate(linked.numbers) if n not in used and place not in named]
    if len(free) != 1 or linked.amounts[free[0]].unit or linked.amounts[free[0]].part:
        return sketch
    place, value = linked.numbers[free[0]]
    if not _is_how_many(place, sketch, linked):
        return sketch
    groups = {linked.index.columns[place][1].distinct for place in leaves(sketch, "C")}
    if not 2 <= value <= MOST_FIRST or value != int(value) or value in groups:
        return sketch
    return (*sketch[:-1], (*last[:-1], ("top", ("N", free[0]))))


def _is_how_many(place: int, sketch: Sketch, linked: Linked) -> bool:
    """Whether the number at a place says how many come first: behind or before a superlative, or before the name of
    what is ranked, and not when something is: "a call in 5 - which region has the worst rate"."""
    known, tokens = english(), linked.tokens
    ends = known.cues["highest"] | known.cues["lowest"]
    before, behind = tokens[max(0, place - 1) : place], tokens[place + 1 : place + 3]
    if not known.moments.isdisjoint(before):
        return False
    if not ends.isdisjoint((*before, *behind)):
        return True
    offset = len(linked.index.tables)
    nodes = [*(offset + c for c in leaves(sketch[1], "C")), *leaves(sketch, "T")]
    nodes += [linked.index.columns[c][0] for c in leaves(sketch[1], "C")]
    return any(linked.channels[n, node, 0] >= SAID for node in nodes for n in range(place + 1, place + 1 + len(behind)))


def with_speed(sketch: Sketch, linked: Linked) -> Sketch:
    """A ranking by a length of time with the end that its superlative names: the fastest takes the least."""
    last = sketch[-1]
    if last[0] not in ("first", "per"):
        return sketch
    figure = sketch[2] if last[2] == ("by1",) and sketch[0] == "group" else last[2]
    of_time = english().lasting_figures
    ends = {a.direction for token in linked.tokens for a in knowledge().adjectives_of(token) if a.of in of_time}
    if len(ends) != 1 or not any(part[0] == "span" for part in walk(figure)):
        return sketch
    return (*sketch[:-1], (last[0], ("asc",) if ends == {"low"} else ("desc",), *last[2:]))


def with_columns(sketch: Sketch, linked: Linked) -> Sketch:
    """A list, or figures that are all totals or all averages, with further columns that words name whole."""
    place = {"rows": 1, "things": 1, "agg": 1, "group": 2}.get(sketch[0])
    if place is None:
        return sketch
    own, listing = sketch[place][1:], place == 1 and sketch[0] != "agg"
    kinds = {figure[0] for figure in own}
    if not listing and (len(kinds) != 1 or not kinds <= set(_ADDED) or any(f[1][0] != "C" for f in own)):
        return sketch
    more = [("C", c) for c in _passed_over(sketch, linked) if listing or _is_number(c, linked)]
    made = [*own, *(more if listing else [(own[0][0], column) for column in more])][: len(own) + MORE]
    made = made[: MOST_VALUES if listing else MOST_FIGURES]
    if len(made) <= len(own):
        return sketch
    return (*sketch[:place], (f"{'v' if listing else 'm'}{len(made)}", *made), *sketch[place + 1 :])


def _is_number(column: int, linked: Linked) -> bool:
    return linked.index.columns[column][1].type in _NUMERIC


def _passed_over(sketch: Sketch, linked: Linked) -> Iterator[int]:
    """The columns of the sketch's tables whose whole name stands in the question, in a row, in words that the sketch
    uses for nothing."""
    index, offset = linked.index, len(linked.index.tables)
    columns = set(leaves(sketch, "C"))
    tables = {index.columns[c][0] for c in columns}
    used = _used(sketch, linked)
    for c, (table, _) in enumerate(index.columns):
        if table not in tables or c in columns:
            continue
        said = _said(offset + c, linked)
        if said and not used[said].any() and not _is_grouped_by(said[0], linked) and not _is_cue(said, linked):
            used[said] = True
            yield c


def _is_grouped_by(place: int, linked: Linked) -> bool:
    """Whether "per", "in each" stands before a word: that is for grouping, not for listing."""
    while place and linked.tokens[place - 1] in english().articles | english().definite:
        place -= 1
    return place > 0 and linked.tokens[place - 1] in english().cues["grouped"]


def _is_cue(said: list[int], linked: Linked) -> bool:
    """Whether a name of one word says how the figure behind it is made: the "total" of "total quantity", where there is
    a column of totals, too."""
    known = english()
    behind = linked.tokens[said[0] + 1 : said[0] + 2]
    if len(said) > 1 or not behind or not any(linked.tokens[said[0]] in known.cues[cue] for cue in _FIGURES):
        return False
    return behind[0] not in known.stopwords or behind[0] in known.of_whole


def _said(node: int, linked: Linked) -> list[int]:
    """The words that say a node's whole name, in a row; none where it is not said so."""
    name = [singular(word) for word in linked.index.names[node]]
    words = [singular(token) for token in linked.tokens]
    found = [n for n in range(len(words) - len(name) + 1) if words[n : n + len(name)] == name]
    stop = name[0] in english().stopwords if len(name) == 1 else False
    return list(range(found[0], found[0] + len(name))) if len(found) == 1 and not stop else []


def _used(sketch: Sketch, linked: Linked) -> NDArray[np.bool_]:
    """The words that the sketch has a use for, those of periods and numbers among them."""
    offset, used = len(linked.index.tables), np.zeros(len(linked.tokens), bool)
    for item in leaves(sketch, "W"):
        used |= linked.item_tokens[item] > 0
    nodes = [*leaves(sketch, "T"), *(offset + c for c in leaves(sketch, "C"))]
    nodes += [linked.index.columns[c][0] for c in leaves(sketch, "C")]
    for node in nodes:
        used |= linked.channels[:, node, 0] > 0
    for period in linked.periods:
        used[period.start : period.end] = True
    for place, _ in linked.numbers:
        used[place] = True
    return used
