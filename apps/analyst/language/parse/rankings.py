"""The first so many: "top 5 reps by revenue", "bottom ten products", "our best month"."""

from __future__ import annotations

from apps.analyst.language.concepts import plain_name
from apps.analyst.language.figures import additive
from apps.analyst.language.morphology import noun
from apps.analyst.language.parse.draft import Draft, Group, Measure, Slot, Sort
from apps.analyst.language.parse.extremes import count_before, head_noun
from apps.analyst.language.parse.positions import read_position
from apps.analyst.language.parse.quantities import columns_named
from apps.analyst.language.parse.sizes import MONEY
from apps.analyst.language.periods import GRAIN_WORDS
from apps.analyst.language.tagging import ColumnHit

_BEST = {"best": True, "strongest": True, "top": True, "worst": False, "weakest": False}
_JUDGED = frozenset(("by", "in terms of", "based on", "according to"))
_OWN_NAME = 0.9


def read_top(draft: Draft, index: int) -> None:
    """ "top 5 reps by revenue", "first 3 rows", "bottom ten products"."""
    number = next(
        (i for i in (index + 1,) if i < len(draft.items) and draft.items[i].number is not None and draft.free(i)), None
    )
    norm = draft.items[index].norm
    if number is None:
        if norm == "first" and draft.items[index].tag("pos"):
            read_position(draft, index)
        return
    limit = draft.items[number].number
    assert limit is not None
    if not 1 <= limit <= 100_000:
        return
    top_entities(draft, index, [number], draft.next_named(number, reach=2), int(limit), norm not in ("bottom", "worst"))


def top_entities(draft: Draft, index: int, items: list[int], target: int | None, limit: int, descending: bool) -> None:
    """ "top N things [by figure]": the figure behind "by", "in", "with the most", else the data's main figure."""
    draft.use(index, *items, role="sup")
    for position in range(index + 1, len(draft.items)):
        if not draft.tagged_as(position, "by") and draft.items[position].norm not in (
            "in",
            "with the",
            "based on",
            "with",
            "for",
        ):
            continue
        if draft.items[position].tag("by") and draft.items[position].norm not in ("by", "based on", "in terms of"):
            continue
        figure = position + 1
        tag = (
            draft.items[figure].tag("agg", "count", "sup") if figure < len(draft.items) and draft.free(figure) else None
        )
        if tag and tag.kind == "sup":
            continue
        named = head_noun(draft, draft.next_named(figure if tag else position, reach=2, stop=("cmp", "neg")))
        if named is None:
            continue
        numeric = draft.numeric(named, 0.45)
        table = draft.table_at(named)
        if (tag and tag.kind == "count") or (table and not numeric and draft.tagged_as(position, "by")):
            draft.use(position, figure, named, role="sup")
            measure = Measure("count", None if table else Slot(named, draft.items[named].columns), table, item=named)
            draft.sorts.append(Sort(descending, measure=measure, limit=limit, superlative=True, item=index))
            return
        if numeric:
            draft.use(position, named, role="sup")
            if tag:
                draft.use(figure, role="sup")
                measure = Measure(tag.value, Slot(named, numeric), item=named)  # type: ignore[arg-type]
                draft.sorts.append(Sort(descending, measure=measure, limit=limit, superlative=True, item=index))
            else:
                draft.sorts.append(Sort(descending, Slot(named, numeric), limit=limit, superlative=True, item=index))
            return
    first = draft.items[index].norm == "first"
    head = head_noun(draft, target)
    own = draft.numeric(head, 0.9) if head is not None and draft.table_at(head, 0.9) is None else ()
    if own and head is not None and not first:
        # "the top 3 invoice totals": the figures themselves are what is ranked.
        draft.sorts.append(Sort(descending, Slot(head, own), limit=limit, superlative=True, item=index))
        return
    draft.sorts.append(Sort(descending and not first, limit=limit, superlative=True, item=index, row=first))
    if target is not None and not first:
        draft.axes["ranked"] = target


def best_by(draft: Draft, index: int) -> bool:
    """ "our best client by spend", "the worst shops by margin": the figure behind "by" says what is good."""
    word = draft.items[index].norm
    target = draft.next_named(index, reach=1) if word in _BEST else None
    if target is None or not draft.tagged_as(target + 1, "by") or draft.items[target + 1].norm not in _JUDGED:
        return False
    named = draft.next_named(target + 1, reach=2)
    if named is None or not draft.numeric(named, 0.45):
        return False
    top_entities(draft, index, [], target, 1, _BEST[word])
    return True


def best_period(draft: Draft, index: int) -> bool:
    """ "top 3 months by revenue", "our worst quarter": periods and no days of theirs, by the money where no figure is
    named."""
    way = {**_BEST, "bottom": False}.get(draft.items[index].norm)
    if way is None:
        return False
    limit, items = count_before(draft, index)
    named = max([index, *items]) + 1
    grain = GRAIN_WORDS.get(noun(draft.items[named].norm)) if draft.free(named) else None
    if grain is None or any(hit.score >= _OWN_NAME for hit in draft.items[named].columns):
        return False
    before = list(draft.sorts)
    top_entities(draft, index, items, None, limit, way)
    sort = next(sort for sort in draft.sorts if sort not in before)
    if sort.slot is None and sort.measure is None:
        hits = _money_of(draft, None)
        if not hits:  # best by what?
            draft.sorts, draft.used[index] = before, False
            return False
        _by_money(draft, sort, hits)
    draft.groups.append(Group(grain=grain, item=named))
    draft.use(named, role="group")
    return True


def _by_money(draft: Draft, sort: Sort, hits: tuple[ColumnHit, ...]) -> None:
    draft.assumptions.append(f"Ranked by the total of {plain_name(hits[0].column)}, as no figure was named")
    sort.measure = Measure("sum", Slot(sort.item, hits), item=sort.item, said=False)


def settle_rankings(draft: Draft) -> None:
    """ "the top 5 orders that spent the most": one ranking said twice; "top 5 shops": by the money that is known."""
    bare = [s for s in draft.sorts if s.superlative and not s.row and s.slot is None and s.measure is None]
    keyed = [s for s in draft.sorts if s.superlative and (s.slot is not None or s.measure is not None)]
    if len(bare) != 1:
        return
    if len(keyed) == 1 and keyed[0].limit == 1 and keyed[0].descending == bare[0].descending:
        keyed[0].limit = bare[0].limit
        draft.sorts.remove(bare[0])
        return
    target = draft.axes.get("ranked")
    hits = _money_of(draft, draft.table_at(target)) if target is not None and not keyed else ()
    if hits:
        _by_money(draft, bare[0], hits)


def _money_of(draft: Draft, table: str | None) -> tuple[ColumnHit, ...]:
    """The amount that is ranked by where none is named: of rows that belong to a thing many times."""
    schema = draft.lexicon.schema
    return tuple(
        hit
        for hit in columns_named(draft, MONEY)
        if additive(draft, hit)
        and (table is None or (hit.table != table and schema.path(hit.table, table, one=True) is not None))
    )[:1]
