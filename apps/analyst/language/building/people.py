"""People who are counted without being called what their table is called: "how many people work in each office"."""

from __future__ import annotations

from apps.analyst.language.parse.draft import Draft
from apps.analyst.language.vocabulary import vocabulary


def count_people(draft: Draft) -> None:
    """ "how many people work in each office": the rows of the one table that holds people by first and last name."""
    loose = [m for m in draft.measures if m.fn == "count" and m.slot is None and m.table is None and m.item >= 0]
    said = [m for m in loose if m.item + 1 < len(draft.items) and _are_people(draft, m.item + 1)]
    homes = homes_of_people(draft) if said else []
    if len(homes) == 1:
        for measure in said:
            measure.table = homes[0]


def _are_people(draft: Draft, index: int) -> bool:
    token = draft.items[index].token
    return token is not None and bool(token.keys & vocabulary().people) and not draft.items[index].names


def homes_of_people(draft: Draft) -> list[str]:
    """The tables of people that refer to everything by which is grouped."""
    schema = draft.lexicon.schema
    groups = {g.slot.best.table if g.slot is not None and g.slot.hits else g.table for g in draft.groups} - {None}
    homes = [table for table in schema.tables if len(schema.name_columns(table)) > 1]
    return [t for t in homes if all(g is None or g == t or schema.path(t, g, one=True) for g in groups)]
