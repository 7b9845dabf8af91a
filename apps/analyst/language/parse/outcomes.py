"""Won and lost: "how many matches did they win" over results such as "W 3-1", "who won" over places 1, 2, 3; medals
are the first three places."""

from __future__ import annotations

import re

from apps.analyst.language.morphology import words
from apps.analyst.language.parse.draft import Condition, Draft, Slot, is_number
from apps.analyst.language.parse.quantities import RANKS, columns_named
from apps.analyst.language.tagging import ColumnHit
from apps.analyst.types import Column

_SAID = {
    **dict.fromkeys(words("win won wins winning victory victories"), "W"),
    **dict.fromkeys(words("lose lost loses losing losses defeat defeats"), "L"),
    **dict.fromkeys(words("draw drew drawn draws tie tied ties"), "DT"),
}
_RESULT = re.compile(
    r"\s*([WLDT])(?![A-Za-z])|\s*(Won|Lost|Win|Loss|Draw|Drew|Tie|Tied|Drawn|Defeat|Victory)\b", re.IGNORECASE
)
_MEDALS = {"gold": 1, "silver": 2, "bronze": 3}
_SMALL = words("a an the his her their its won win winning medal medals")
_MOSTLY, _FEWEST, _LIKELY = 0.8, 2, 0.6
_COUNTED = 3


def read_outcomes(draft: Draft) -> None:
    """Reads "won", "lost" and "drew" into a condition on the column of results, over a single table."""
    if len(draft.lexicon.tables) > 1 or not draft.items:
        return
    if any(_medal(draft, index) for index in range(len(draft.items))):
        return
    counted = draft.items[0].tag("count") is not None or draft.items[0].norm.startswith(("number", "the number"))
    for index, item in enumerate(draft.items):
        letters = _SAID.get(item.norm)
        if letters is None or not draft.free(index) or item.names or item.values or _ranked(draft, index):
            continue
        if columns_named(draft, ("winner", "champion", "victor")) or columns_named(draft, tuple(_SAID)):
            return
        found = _results(draft, letters) if counted else None
        plain = not any(draft.numeric(position, _LIKELY) for position in range(len(draft.items)))
        if found is None and letters == "W" and plain and (counted or draft.items[0].norm.split(" ")[0] == "who"):
            found = _places(draft, 1)
        if found is not None:
            hit, values = found
            draft.use(index, role="condition")
            draft.conditions.append(Condition("value", Slot(index, (hit,)), values=values, item=index))
        return


def _ranked(draft: Draft, index: int) -> bool:
    """ "won the most", "won 3 medals", "won more than once": how much was won, not whether."""
    behind = draft.items[index + 1 : index + 1 + _COUNTED]
    return any(item.tag("sup", "cmp", "common", "top") or item.number is not None for item in behind) or any(
        other.tag("neg", "or", "sup", "difference") for other in draft.items
    )


def _results(draft: Draft, letters: str) -> tuple[ColumnHit, tuple[str | float, ...]] | None:
    """The column nearly all of whose values begin with an outcome, and those that say this one."""
    for named in draft.lexicon.columns:
        column = named.column
        if column.type != "text" or not column.values_complete or len(column.values) < _FEWEST:
            continue
        told = {value.value: match for value in column.values if (match := _RESULT.match(value.value))}
        kinds = {match.group().strip()[0].upper() for match in told.values()}
        if len(told) < _MOSTLY * len(column.values) or len(kinds) < _FEWEST:
            continue
        mine = tuple(value for value, match in told.items() if _letter(match.group()) in letters)
        if mine:
            return ColumnHit(named.table.name, column.name, 1.0), mine
    return None


def _letter(said: str) -> str:
    word = said.strip().casefold()
    return "L" if word.startswith("def") else "W" if word.startswith("v") else word[0].upper()


def _medal(draft: Draft, index: int) -> bool:
    """ "won a gold medal", "his first silver": the place it is given for, where no column or value is called so."""
    item = draft.items[index]
    place = _MEDALS.get(item.norm.removesuffix(" medals").removesuffix(" medal"))
    if place is None or not draft.free(index) or item.names or item.values or columns_named(draft, ("medal",)):
        return False
    found = _places(draft, place)
    if found is None:
        return False
    hit, values = found
    around = [i for i in range(max(0, index - 3), min(index + 2, len(draft.items))) if draft.items[i].norm in _SMALL]
    draft.use(index, *(i for i in around if not draft.items[i].names), role="condition")
    draft.conditions.append(Condition("value", Slot(index, (hit,)), values=values, item=index))
    return True


def _places(draft: Draft, place: int) -> tuple[ColumnHit, tuple[str | float, ...]] | None:
    """The column of places, and what it holds for this one."""
    for named in draft.lexicon.columns:
        if not any(own & RANKS for own in named.name.forms):
            continue
        said = _said_there(named.column, place)
        if said:
            return ColumnHit(named.table.name, named.column.name, 1.0), said
    return None


def _said_there(column: Column, place: int) -> tuple[str | float, ...]:
    if is_number(column):
        return (float(place),) if column.minimum == 1 else ()
    word = ("first", "second", "third")[place - 1]
    told = re.compile(rf"\s*=?(?:{place}(?:st|nd|rd|\.)?|{word})\s*", re.IGNORECASE)
    return tuple(value.value for value in column.values if told.fullmatch(value.value))
