"""What sells: "best selling product", "top-selling categories", "the 3 worst selling shops"."""

from __future__ import annotations

from apps.analyst.language.morphology import words
from apps.analyst.language.parse.draft import Draft, Measure, Slot, Sort, is_number
from apps.analyst.language.parse.events import told_by
from apps.analyst.language.parse.quantities import columns_named
from apps.analyst.language.tagging import ColumnHit

_BEST, _WORST = words("best top highest most strongest"), words("worst lowest least weakest poorest")
_SELLING = words("selling sold seller sellers")
_SOLD = words("sold sell sells ordered bought purchased shipped")
_BUY = words("buy buys order orders purchase purchases use uses rent rents")
_NAMED = 0.9
_MOST, _FEWEST = words("most"), words("fewest least")
_PIECES = words("units pieces items copies")
_MONEY = ("revenue", "sales", "amount", "quantity")


def read_selling(draft: Draft) -> None:
    """Reads a ranking by what things brought in; which figure that is, the answer says."""
    for index, item in enumerate(draft.items):
        if not draft.free(index) or item.norm.split()[-1] not in _BEST | _WORST:
            continue
        passed = index + 1 < len(draft.items) and (draft.items[index + 1].norm == "-" or _count(draft, index + 1) > 0)
        selling = index + (2 if passed else 1)
        if not draft.free(selling) or draft.items[selling].norm not in _SELLING:
            continue
        hits = tuple(hit for hit in columns_named(draft, _MONEY) if is_number(draft.column(hit)))
        told = told_by(draft, selling)
        if not hits and told is None:
            return
        limit, used = _how_many(draft, index, selling)
        draft.use(*range(index, selling + 1), *used, role="sup")
        descending = item.norm.split()[-1] in _BEST
        if told is not None:
            by, slot = told
            draft.use(by, slot.item, role="sup")
            measure = Measure("sum", slot, item=slot.item, said=False)
            draft.sorts.append(Sort(descending, measure=measure, limit=limit, superlative=True, item=index))
            return
        measure = Measure("sum", Slot(selling, hits), item=selling, said=False)
        draft.sorts.append(Sort(descending, measure=measure, limit=limit, superlative=True, item=index))
        draft.assumptions.append("Selling is measured by the total of what was sold, not by the number of sales")
        return


def read_pieces_sold(draft: Draft) -> None:
    """ "sold the most units", "buys the most lamps" of a kind that is stored: a ranking by the pieces."""
    hits = _pieces(draft)
    for index in range(1, len(draft.items) - 1):
        before, last, after = draft.items[index - 1].norm, draft.items[index].norm.split()[-1], draft.items[index + 1]
        kind = draft.roles.get(index + 1) == "condition" and bool(after.values) and after.norm.endswith("s")
        if before not in _SOLD | _BUY or last not in _MOST | _FEWEST or not hits:
            continue
        if not (kind or (after.norm in _PIECES and draft.free(index + 1))):
            continue
        if not all(draft.free(place) for place in (index - 1, index)):
            continue
        draft.use(index - 1, index, index + 1, role="sup")
        measure = Measure("sum", Slot(index + 1, hits), item=index + 1, said=False)
        draft.sorts.append(Sort(last in _MOST, measure=measure, limit=1, superlative=True, item=index))
        return


def read_things_sold(draft: Draft) -> None:
    """ "on which day do we sell the most lamps": by the pieces of the sales, not by the rows of a list of lamps."""
    schema = draft.lexicon.schema
    for index in range(1, len(draft.items) - 1):
        before, last = draft.items[index - 1].norm, draft.items[index].norm.split()[-1]
        thing = draft.table_at(index + 1, _NAMED) if draft.free(index) and draft.free(index + 1) else None
        if before not in _SOLD or not draft.free(index - 1) or last not in _MOST | _FEWEST or thing is None:
            continue
        hits = tuple(
            hit for hit in _pieces(draft) if hit.table != thing and schema.path(hit.table, thing, one=True) is not None
        )
        if not hits or _asked_for(draft, index - 1, thing):
            continue
        draft.use(index - 1, index, index + 1, role="sup")
        measure = Measure("sum", Slot(index + 1, hits), item=index + 1, said=False)
        draft.sorts.append(Sort(last in _MOST, measure=measure, limit=1, superlative=True, item=index))
        return


def _asked_for(draft: Draft, index: int, thing: str) -> bool:
    return any(draft.table_at(position, _NAMED) == thing for position in range(index))


def _pieces(draft: Draft) -> tuple[ColumnHit, ...]:
    """The columns of how many pieces a row stands for: those named quantity, else those with another word for it."""
    named = tuple(ColumnHit(found.table.name, found.column.name, 1.0) for found in draft.lexicon.pieces())
    return named or tuple(
        hit for hit in columns_named(draft, ("pieces", "units")) if draft.column(hit).role == "measure"
    )


def _how_many(draft: Draft, first: int, last: int) -> tuple[int, list[int]]:
    """ "3 best selling", "top 3 selling", "best selling 3": one where no number is said."""
    for position in (first - 1, first + 1, last + 1):
        if _count(draft, position):
            return _count(draft, position), [position]
    return 1, []


def _count(draft: Draft, position: int) -> int:
    """A number of things at an item; 0 where there is none."""
    number = draft.items[position].number if draft.free(position) else None
    return int(number) if number is not None and 1 <= number <= 1000 and number == int(number) else 0
