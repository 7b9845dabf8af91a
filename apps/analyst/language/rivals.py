"""A dimension that two tables have: "revenue by region" where customers and shops have one. Which is meant, is said."""

from __future__ import annotations

from dataclasses import dataclass

from apps.analyst.language.parse.draft import Draft, Group
from apps.analyst.language.resolve import beside
from apps.analyst.language.tagging import ColumnHit
from apps.analyst.telling.formats import spoken

_ALIKE = 0.06
"""Two columns are called alike where their scores lie this close."""


@dataclass(frozen=True, slots=True)
class Rival:
    """The column that was taken, one of another table that could have been meant, and how to ask for that."""

    taken: ColumnHit
    also: ColumnHit
    wording: str
    item: int


def rival_dimension(draft: Draft) -> Rival | None:
    """The other column of a dimension's name that the figure's rows reach as well; None where there is none."""
    homes = [m.slot.best.table if m.slot and m.slot.hits else m.table for m in draft.measures]
    homes += [s.measure.slot.best.table for s in draft.sorts if s.measure and s.measure.slot and s.measure.slot.hits]
    home = next((table for table in homes if table), None)
    if home is None or len(draft.lexicon.tables) < 2:
        return None
    for group in draft.groups:
        slot = group.slot
        if slot is None or len(slot.hits) < 2 or group.grain or group.part or group.bin or beside(draft, slot.item):
            continue
        taken = slot.best
        for hit in slot.hits:
            if hit.table != taken.table and abs(hit.score - taken.score) <= _ALIKE and _reaches(draft, home, hit):
                return Rival(taken, hit, _wording(draft, group, hit), slot.item)
    return None


def choose(draft: Draft, rival: Rival) -> None:
    """Takes the rival's column for the dimension."""
    for group in draft.groups:
        if group.slot is not None and group.slot.item == rival.item:
            group.slot.choice = rival.also


def _reaches(draft: Draft, home: str, hit: ColumnHit) -> bool:
    schema = draft.lexicon.schema
    column = draft.column(hit)
    filled = column.distinct > 1 and column.role != "id"
    return filled and (hit.table == home or schema.path(home, hit.table, one=True) is not None)


def _wording(draft: Draft, group: Group, hit: ColumnHit) -> str:
    """The question with the other table named before the dimension."""
    text, item = draft.question.text, draft.items[group.item]
    at = draft.tagged.tokens[item.start].start
    return f"{text[:at]}{spoken(hit.table)} {text[at:]}"
