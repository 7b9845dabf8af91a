"""How much, asked for far from its figure or by what was done: "how much have we billed", "seats sold per show"."""

from __future__ import annotations

from apps.analyst.language.figures import additive
from apps.analyst.language.morphology import words
from apps.analyst.language.parse.draft import Draft, Measure, Slot
from apps.analyst.language.parse.quantities import columns_named
from apps.analyst.language.parse.sizes import MONEY
from apps.analyst.language.tagging import ColumnHit

HOW_MUCH = "how much"
_DOERS = words("we they you i he she it")
_SPENT = words("spend spent")
_FULL_NAME = 0.95
_SOLD_OR_BOOKED = words("sold sell bought purchased booked ordered issued delivered produced shipped rented")


def amounts_of(draft: Draft, table: str) -> tuple[ColumnHit, ...]:
    """The money in a table's rows."""
    return tuple(hit for hit in columns_named(draft, MONEY) if hit.table == table and additive(draft, hit))[:1]


def how_much_done(draft: Draft, index: int, target: int) -> bool:
    """ "how much have we invoiced", "how much did they donate": the money in what was done, never a number of rows."""
    if draft.items[index].norm != HOW_MUCH or target <= index + 1:
        return False
    before = draft.items[target - 1].norm
    return draft.items[target].norm.endswith("ed") or before in _DOERS


def money_spent(draft: Draft, index: int) -> bool:
    """ "how much did A spend", "how much did clients in France spend": the money there is, whoever spent it."""
    spent = next((i for i in range(index + 1, len(draft.items)) if draft.items[i].norm in _SPENT), None)
    hits = tuple(hit for hit in columns_named(draft, MONEY) if additive(draft, hit))
    if spent is None or not draft.free(spent) or not hits or draft.items[index].norm != HOW_MUCH:
        return False
    draft.use(index, spent, role="measure")
    draft.measures.append(Measure("sum", Slot(spent, hits), item=index, said=False))
    return True


def far_figure(draft: Draft, index: int) -> None:
    """ "how much did we give away in discounts": the figure may stand far behind, where no thing stands between."""
    for position in range(index + 1, len(draft.items)):
        numeric = [hit for hit in draft.numeric(position, _FULL_NAME) if draft.column(hit).role == "measure"]
        if numeric and draft.free(position):
            draft.use(index, position, role="measure")
            draft.measures.append(Measure("sum", Slot(position, tuple(numeric)), item=index, said=False))
            return
        if draft.items[position].tables or draft.items[position].tag("cmp", "sup", "count", "neg", "agg"):
            return


def number_sold(draft: Draft, index: int) -> None:
    """ "seats sold per show": what was sold is added up, whatever such a figure means elsewhere."""
    behind = draft.items[index + 1].norm if draft.free(index + 1) else ""
    figures = [h for h in draft.numeric(index, _FULL_NAME) if draft.column(h).type == "integer"]
    hits = tuple(hit for hit in figures if draft.column(hit).role == "measure")
    if behind in _SOLD_OR_BOOKED and hits and not draft.tagged_as(index - 1, "sup", "by"):
        draft.use(index, index + 1, role="measure")
        draft.measures.append(Measure("sum", Slot(index, hits), item=index, said=False))
