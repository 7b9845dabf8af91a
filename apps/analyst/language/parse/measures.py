"""Figures: "average price", "number of orders", "minimum and maximum age", "total revenue and profit"."""

from __future__ import annotations

from dataclasses import replace

from apps.analyst.language.concepts import REVENUE
from apps.analyst.language.morphology import keys
from apps.analyst.language.name_spans import PIECES
from apps.analyst.language.parse.draft import Draft, Measure, Slot
from apps.analyst.language.parse.extremes import aggregates_around, head_noun, in_aggregate_list
from apps.analyst.language.parse.filters import counted_kind
from apps.analyst.language.parse.how_much import (
    HOW_MUCH,
    amounts_of,
    far_figure,
    how_much_done,
    money_spent,
    number_sold,
)
from apps.analyst.language.parse.number_sold import kinds_sold, pieces_of_rows, pieces_sold, share_of_sold
from apps.analyst.language.parse.quantities import counts_once, tells_rows
from apps.analyst.language.parse.sizes import money_done
from apps.analyst.language.tagging import ColumnHit
from apps.analyst.plan import AggregateName

_MONEY = frozenset(
    form
    for word in ("sale", "payment", "expense", "cost", "revenue", "donation", "refund", "spending", "earning", "payout")
    for form in keys(word)
)
_AS_SURE = 0.02
_NEARLY = 0.25
"""How much surer another column of the table may look than the id that tells the counted things apart."""
_FULL_NAME, _LIKELY = 0.95, 0.3

_TRAILING = frozenset(
    ("in total", "altogether", "combined", "total", "on average", "averaged", "sum", "average", "mean")
)


def read_measures(draft: Draft) -> None:
    """Reads "average price", "number of orders", "minimum and maximum age", "total revenue and profit"."""
    for index in range(len(draft.items)):
        if draft.tagged_as(index, ["both", "minmax"][0]) and draft.items[index].norm not in ("both", "as well as"):
            first, last, fns = aggregates_around(draft, index, ("min", "max"))
            _aggregate(draft, first, fns, last)
    for index in range(len(draft.items)):
        if not draft.free(index):
            continue
        item = draft.items[index]
        if item.tag("share"):
            draft.share, draft.share_at = True, index
            draft.use(index, role="measure")
            share_of_sold(draft, index)
        if item.tag("count"):
            _count(draft, index)
        elif item.tag("agg") or (item.tag("sup") and in_aggregate_list(draft, index)):
            _aggregates(draft, index)
        else:
            number_sold(draft, index)
    _average_of_counts(draft)


def _average_of_counts(draft: Draft) -> None:
    """ "the average number of units sold per day": what each day comes to, averaged over the days."""
    for measure in draft.measures:
        before = measure.item - 1
        tag = draft.items[before].tag("agg") if draft.tagged_as(before, "agg") else None
        counted = measure.item >= 0 and draft.items[measure.item].tag("count") is not None
        if tag is not None and tag.value in ("avg", "median") and counted and draft.groups:
            draft.use(before, role="measure")
            draft.axes[f"average_{tag.value}"] = before
            return


def _aggregates(draft: Draft, index: int) -> None:
    fns, position = [], index
    while position < len(draft.items):
        item = draft.items[position]
        tag = item.tag("agg", "sup") if draft.free(position) else None
        if tag:
            fns.append(tag.value if tag.kind == "agg" else "max" if tag.value == "desc" else "min")
            position += 1
        elif (
            fns
            and (item.tag("and") or item.norm == ",")
            and position + 1 < len(draft.items)
            and draft.items[position + 1].tag("agg", "sup")
        ):
            position += 1
        else:
            break
    _aggregate(draft, index, tuple(fns), position - 1)  # type: ignore[arg-type]


def _aggregate(draft: Draft, index: int, fns: tuple[AggregateName, ...], last: int | None = None) -> None:
    last = index if last is None else last
    if money_spent(draft, index):
        return
    target = head_noun(draft, draft.next_named(last, reach=3, stop=("cmp", "by", "neg", "sup")))
    if target is None and draft.tagged_as(last + 1, "count"):
        _average_count(draft, last + 1, fns)
        return
    if target is None:
        previous = next((m for m in reversed(draft.measures) if m.slot is not None), None)
        loose = (fns == ("sum",) or previous is None) and bool(fns) and fns[0] in ("avg", "sum", "median")
        if loose and draft.items[index].norm in _TRAILING:
            draft.use(*range(index, last + 1), role="measure")
            draft.axes["trailing_" + fns[0]] = index
        elif draft.items[index].norm == HOW_MUCH:
            far_figure(draft, index)
        return
    draft.use(
        *(i for i in range(last + 1, target) if draft.items[i].names or draft.items[i].tag("count")), role="measure"
    )
    numeric = draft.numeric(target, 0.35) or draft.moments(target)
    table = draft.table_at(target)
    if table and not numeric and index > 0 and draft.free(index - 1) and draft.numeric(index - 1, 0.6):
        draft.use(*range(index - 1, last + 1), role="measure")
        draft.measures.extend(Measure(fn, Slot(index - 1, draft.numeric(index - 1, 0.6)), item=index) for fn in fns)
        return
    if numeric and table and numeric[0].score < draft.items[target].tables[0].score:
        numeric = ()
    money = _money_in(draft, table) if table and not numeric and fns == ("sum",) else ()
    done = money_done(draft, index, target) if table and not numeric and not money else None
    if done is not None:
        draft.use(*range(index, last + 1), done.item, role="measure")
        draft.measures.append(Measure("sum", done, item=index, said=False))
        return
    if not money and table and not numeric and how_much_done(draft, index, target):
        money = amounts_of(draft, table)
        if not money:
            return
    if money:
        draft.use(*range(index, last + 1), target, role="measure")
        draft.measures.append(Measure("sum", Slot(target, money), item=index, said=False))
        return
    if not numeric and fns == ("sum",):
        if table is not None and _is_money_half_named(draft, target, table):
            return
        draft.use(*range(index, last + 1), target, role="measure")
        draft.measures.append(
            Measure("count", None if table else Slot(target, draft.items[target].columns), table, item=index)
        )
        return
    if not numeric:
        if "avg" in fns:
            _average_count(draft, target, fns)
        return
    draft.use(*range(index, last + 1), target, role="measure")
    draft.measures.extend(Measure(fn, Slot(target, numeric), item=index + k) for k, fn in enumerate(fns))
    _more_columns(draft, target, fns)


def _is_money_half_named(draft: Draft, target: int, table: str) -> bool:
    """ "total costs" of a table of "monthly costs" in which no column is called so: its rows are no costs to count."""
    half = draft.items[target].tables[0].score < _FULL_NAME
    return half and any(form & _MONEY for form in draft.lexicon.schema.tables[table].name.forms)


def _money_in(draft: Draft, table: str) -> tuple[ColumnHit, ...]:
    """ "total sales" over a table of sales, "total payments" over payments: the money in its rows, not their number."""
    if not any(form & _MONEY for form in draft.lexicon.schema.tables[table].name.forms):
        return ()
    return amounts_of(draft, table)


def _average_count(draft: Draft, index: int, fns: tuple[AggregateName, ...]) -> None:
    """ "average number of orders per customer": a count of each group, averaged over the groups."""
    if "number" not in " ".join(item.norm for item in draft.items[max(0, index - 1) : index + 1]):
        return
    target = index if draft.items[index].names else draft.next_named(index, reach=2)
    if target is None or (not any(draft.items[i].tag("by") for i in range(len(draft.items))) and not draft.groups):
        return
    table = draft.table_at(target)
    draft.axes["average_count"] = index
    before = index - 2
    draft.use(*([before] if draft.tagged_as(before, "agg") else []), *range(index - 1, target + 1), role="measure")
    draft.measures.append(
        Measure("count", None if table else Slot(target, draft.items[target].columns), table, item=index)
    )


def _more_columns(draft: Draft, target: int, fns: tuple[AggregateName, ...]) -> None:
    """ "average age and weight": numeric columns joined to a measured one share its aggregate."""
    position = target + 1
    while position + 1 < len(draft.items) and (draft.items[position].tag("and") or draft.items[position].norm == ","):
        following = position + 1
        while following < len(draft.items) and draft.items[following].norm in ("the", "of", "and"):
            following += 1
        if (
            following >= len(draft.items)
            or not draft.free(following)
            or draft.items[following].tag("agg", "count", "sup")
        ):
            return
        numeric = draft.numeric(following, 0.6)
        if not numeric or draft.column(numeric[0]).role in ("id", "time"):
            return
        draft.use(following, role="measure")
        draft.measures.extend(Measure(fn, Slot(following, numeric), item=following) for fn in fns)
        position = following + 1


def _count(draft: Draft, index: int) -> None:
    if (
        draft.tagged_as(index + 1, "agg")
        and draft.items[index + 1].norm in ("total", "sum", "sum of", "total of")
        and draft.numeric(index + 2, 0.6)
    ):
        draft.use(index, role="measure")
        return
    kind = counted_kind(draft, index + 1)
    if kind is not None and pieces_sold(draft, index, None):
        return
    if kind is not None:
        draft.use(index, role="measure")
        draft.entities.append((index + 1, kind, _FULL_NAME))
        draft.measures.append(Measure("count", None, kind, item=index))
        return
    target = _past_state(draft, head_noun(draft, draft.next_named(index, reach=4, stop=("cmp", "by", "neg"))))
    distinct = (
        any(draft.items[i].tag("distinct") for i in range(index, (target or index) + 1))
        or "different" in draft.items[index].norm
    )
    if pieces_sold(draft, index, target) or (distinct and kinds_sold(draft, index, target)):
        return
    if target is not None and any(draft.items[i].tag("sup") and draft.free(i) for i in range(index + 1, target)):
        return
    if target is None:
        if draft.items[index].norm in ("number", "total", "the total") and index > 0:
            return
        draft.use(index, role="measure")
        draft.measures.append(Measure("count", item=index))
        return
    if draft.items[target].columns and draft.items[target].columns[0].column == REVENUE:
        return
    plural = draft.items[target].norm.endswith("s")
    numeric = tuple(
        h
        for h in draft.numeric(target, 0.6)
        if (draft.column(h).role == "measure" or (plural and draft.column(h).role == "dimension"))
        and not tells_rows(draft, h)
    )
    table = draft.table_at(target)
    pieces = pieces_of_rows(draft) if draft.items[target].norm in PIECES and not table and not distinct else ()
    draft.use(index, target, *(i for i in range(index, target) if draft.items[i].tag("distinct")), role="measure")
    if pieces:
        draft.measures.append(Measure("sum", Slot(target, pieces), item=index, said=False))
        return
    if numeric and not table and not distinct and draft.items[index].norm not in ("count", "how often"):
        draft.measures.append(Measure("sum", Slot(target, numeric), item=index, said=False))
        return
    if (
        draft.items[target].columns
        and draft.column(draft.items[target].columns[0]).role == "id"
        and draft.items[target].tables
        and draft.items[target].tables[0].score < 0.9
    ):
        table = None
    if table and not (
        draft.items[target].columns and draft.items[target].columns[0].score > draft.items[target].tables[0].score
    ):
        draft.measures.append(Measure("count", None, table, distinct=False, item=index))
        draft.entities.append((target, table, draft.items[target].tables[0].score))
        _more_things(draft, target)
        return
    slot = Slot(target, ids_first(draft, draft.items[target].columns)) if draft.items[target].columns else None
    if slot is not None and plural and not distinct and not table and _is_a_count(draft, slot):
        draft.measures.append(Measure("sum", slot, item=index, said=False))
        return
    key = slot is not None and draft.column(slot.best).role == "id" and not draft.column(slot.best).unique
    distinct = distinct or key or (slot is not None and not table and counts_once(draft, slot.best))
    draft.measures.append(Measure("count", slot, None if key else table, distinct=distinct, item=index))


def _past_state(draft: Draft, target: int | None) -> int | None:
    """ "how many open deals": the deals are counted, and no days of opening."""
    hits = draft.items[target].columns if target is not None and draft.table_at(target) is None else ()
    dated = bool(hits) and hits[0].score < _FULL_NAME and draft.column(hits[0]).type in ("date", "datetime")
    thing = dated and target is not None and draft.free(target + 1) and draft.table_at(target + 1, _FULL_NAME)
    return target + 1 if thing and target is not None else target


def _more_things(draft: Draft, target: int) -> None:
    """ "how many meetings and emails": things joined to counted ones are counted too."""
    position = target + 1
    while draft.free(position + 1) and (draft.items[position].tag("and") or draft.items[position].norm == ","):
        table = draft.table_at(position + 1, 0.9)
        if table is None or draft.items[position + 1].tag("by", "agg", "count"):
            return
        draft.use(position + 1, role="measure")
        draft.measures.append(Measure("count", None, table, item=position + 1))
        draft.entities.append((position + 1, table, draft.items[position + 1].tables[0].score))
        position += 2


def _is_a_count(draft: Draft, slot: Slot) -> bool:
    """ "how many nurses were hired" over a column "nurses hired": it holds numbers of them, and its rows are none."""
    column = draft.column(slot.best)
    whole = column.type == "integer" or draft.items[slot.item].norm in PIECES  # half a unit may have been sold
    return whole and column.role == "measure" and slot.best.score >= _LIKELY and column.unit != "%"


def ids_first(draft: Draft, hits: tuple[ColumnHit, ...]) -> tuple[ColumnHit, ...]:
    """What is counted is told by its id ("how many orders": the order number, not the order date)."""
    tables = {hit.table for hit in hits if hit.score >= hits[0].score - _AS_SURE}
    near = [hit for hit in hits if hit.table in tables and hit.score >= hits[0].score - _NEARLY]
    if draft.column(hits[0]).role == "id" or hits[0].score >= _FULL_NAME:
        return hits
    ids = [hit for hit in near if draft.column(hit).role == "id"]
    surer = [replace(hit, score=hits[0].score + _NEARLY) for hit in ids]
    return (*surer, *(hit for hit in hits if hit not in ids))
