"""Averages over transactions whose rows are their lines: "average sales per order", "average order value".

Such a mean is taken over what each order comes to, not over its lines, and is one figure, not one for each order.
"""

from __future__ import annotations

from dataclasses import replace

from apps.analyst.language.building.built import Built, Unbuildable
from apps.analyst.language.figures import additive
from apps.analyst.language.morphology import words
from apps.analyst.language.parse.draft import Draft, Group, Measure, Slot
from apps.analyst.language.parse.events import is_buyer
from apps.analyst.language.parse.extremes import count_before
from apps.analyst.language.parse.quantities import columns_named
from apps.analyst.language.tagging import ColumnHit
from apps.analyst.plan import Order

_WORTH = words("value size amount total revenue worth sales")
_MONEY = ("revenue", "amount", "sales", "total", "value")
_ON_AVERAGE, _DOES = frozenset(("on average", "average", "typically")), words("does do did")
_NEAR, _WHOLE = 0.35, 0.95
_NAMED, _LEAST = 0.9, 0.35


def read_averages_per(draft: Draft) -> None:
    """Reads the mean of a figure over transactions into a figure by transaction that is averaged afterwards."""
    if _number_of_one(draft):
        return
    for index, item in enumerate(draft.items):
        tag = item.tag("agg") if draft.free(index) else None
        if tag is not None and tag.value in ("avg", "median"):
            read = _worth_of(draft, index) or _value_of_one(draft, index) or _figure_per(draft, index)
            if read or _figure_per_before(draft, index):
                draft.axes["average_" + tag.value] = index
                _ranked(draft, index)
            return


def _ranked(draft: Draft, index: int) -> None:
    """ "which country has the highest average order value": the groups are ranked by their means."""
    degree = draft.items[index - 1].tag("sup") if draft.free(index - 1) else None
    if degree is not None:
        limit, items = count_before(draft, index - 1)
        draft.use(index - 1, *items, role="sup")
        draft.axes["most" if degree.value == "desc" else "least"] = limit


def rank_things(draft: Draft) -> None:
    """ "which clerk has the highest average order value": the clerks are what is ranked."""
    things = sorted(draft.entities) if _way(draft) is not None and len(draft.groups) == 1 and not draft.select else []
    if things:
        item, table, _ = things[0]
        draft.entities = things[1:]
        draft.groups.append(Group(table=table, item=item))


def ranked_by_mean(draft: Draft, built: Built) -> Built:
    """The first of the groups by the mean that they were read to be ranked by. Raises Unbuildable."""
    way = _way(draft)
    if way is None:
        return built
    if not built.query.groups:
        raise Unbuildable
    order = (Order(by=built.measures[0], descending=way == "most"),)
    limit = draft.axes[way]
    return replace(built, query=built.query.model_copy(update={"order": order, "limit": limit, "ties": limit == 1}))


def _way(draft: Draft) -> str | None:
    return next((way for way in ("most", "least") if way in draft.axes), None)


def _number_of_one(draft: Draft) -> bool:
    """ "how many lines does an order have on average", "how many orders per client on average": a count of what each
    has, averaged."""
    asked = next((i for i in range(len(draft.items)) if draft.tagged_as(i, "count")), None)
    mean = next((i for i in range(len(draft.items)) if draft.items[i].norm in _ON_AVERAGE and draft.free(i)), None)
    thing = draft.next_named(asked, reach=1) if asked is not None else None
    owner = draft.next_named(thing, reach=3, stop=("cmp", "sup", "neg")) if thing is not None else None
    if asked is None or mean is None or thing is None or owner is None:
        return False
    if any(draft.items[place].names for place in range(mean + 1, asked)):
        return False  # "average amount and number of orders per client": of something else
    table, of = draft.table_at(thing, _NAMED), draft.table_at(owner, _NAMED)
    key = draft.items[thing].columns[0] if table is None and draft.is_told_apart(thing) else None
    between = range(thing + 1, owner)
    tied = any(draft.items[place].norm.split()[0] in _DOES or draft.tagged_as(place, "by") for place in between)
    home = key.table if key is not None else table
    if not tied or home is None or of is None or draft.lexicon.schema.path(home, of, one=True) is None:
        return False
    draft.use(asked, thing, *between, owner, mean, role="measure")
    slot = Slot(thing, (key,)) if key is not None else None
    draft.measures.append(Measure("count", slot, table, distinct=key is not None, item=asked))
    draft.groups.append(Group(None, table=of, item=owner))
    draft.axes["average_count"] = asked
    return True


def _figure_per(draft: Draft, index: int) -> bool:
    """ "average sales per order"."""
    figure = draft.next_named(index, reach=2)
    if figure is None:
        return False
    per = figure + 1
    if not draft.tagged_as(per, "by") or draft.items[per].norm not in ("per", "for each", "for every", "each", "by"):
        return False
    thing = draft.next_named(per, reach=1)
    hits = tuple(hit for hit in draft.numeric(figure, 0.6) if additive(draft, hit))
    if not hits or thing is None:
        return False
    used = (index, figure, per, thing)
    # "the total orders and the average freight per customer": beside another figure each customer has a row.
    alone = not any(draft.tagged_as(i, "agg", "count") for i in range(index))
    if alone and draft.items[per].norm == "per" and _per_buyer(draft, used, Slot(figure, hits), thing):
        return True
    return _sketch(draft, used, Slot(figure, hits), thing)


def _figure_per_before(draft: Draft, index: int) -> bool:
    """ "revenue per customer on average": the same, with the mean said behind it."""
    figure, per, thing = index - 3, index - 2, index - 1
    if draft.items[index].norm not in _ON_AVERAGE or figure < 0 or draft.items[per].norm != "per":
        return False
    hits = tuple(hit for hit in draft.numeric(figure, 0.6) if additive(draft, hit))
    if not hits or not all(draft.free(place) for place in (figure, per, thing)) or not draft.items[thing].names:
        return False
    used = (index, figure, per, thing)
    return _per_buyer(draft, used, Slot(figure, hits), thing) or _sketch(draft, used, Slot(figure, hits), thing)


def _per_buyer(draft: Draft, items: tuple[int, ...], figure: Slot, thing: int) -> bool:
    """ "average sales per customer": one figure of what customers spend, not the mean row of each of them."""
    item, schema = draft.items[thing], draft.lexicon.schema
    if not is_buyer(draft, thing):
        return False
    table, hit = draft.table_at(thing, _NAMED), figure.hits[0]
    steps = schema.path(hit.table, table, one=True) if table is not None else None
    if steps and len(steps[-1].source_columns) == 1:
        key = ColumnHit(steps[-1].source, steps[-1].source_columns[0], 1.0)
        group = Group(Slot(thing, (key,)), item=thing, bare=True)
    else:
        own = [h for h in item.columns if h.table == hit.table and h.score >= _LEAST and not draft.column(h).unique]
        names = [h for h in own if draft.column(h).role in ("id", "dimension")]
        if not names:
            return False
        group = Group(Slot(thing, (names[0],)), item=thing)
    draft.use(*items, role="measure")
    draft.measures.append(Measure("sum", Slot(figure.item, (hit,)), item=items[0], said=False))
    draft.groups.append(group)
    return True


def _worth_of(draft: Draft, index: int) -> bool:
    """ "average order value"."""
    thing = draft.next_named(index, reach=1)
    if thing is None or thing + 1 >= len(draft.items) or draft.items[thing + 1].norm not in _WORTH:
        return False
    if any(hit.score >= _WHOLE and hit.table == draft.table_at(thing) for hit in draft.numeric(thing + 1)):
        return False
    hits = tuple(hit for hit in columns_named(draft, _MONEY) if additive(draft, hit))
    return bool(hits) and _sketch(draft, (index, thing, thing + 1), Slot(thing + 1, hits), thing)


def _value_of_one(draft: Draft, index: int) -> bool:
    """ "average value of an order", "the mean size of our orders"."""
    worth, of = index + 1, index + 2
    if not draft.free(worth) or draft.items[worth].norm not in _WORTH or not draft.tagged_as(of, "of"):
        return False
    thing = draft.next_named(of, reach=2)
    hits = tuple(hit for hit in columns_named(draft, _MONEY) if additive(draft, hit))
    return thing is not None and bool(hits) and _sketch(draft, (index, worth, of, thing), Slot(worth, hits), thing)


def _sketch(draft: Draft, items: tuple[int, ...], figure: Slot, thing: int) -> bool:
    for hit in figure.hits:
        key = _transaction(draft, thing, hit.table)
        if key is not None:
            draft.use(*items, role="measure")
            draft.measures.append(Measure("sum", Slot(figure.item, (hit,)), item=items[0], said=False))
            draft.groups.append(Group(Slot(thing, (key,)), item=thing))
            return True
    return False


def _transaction(draft: Draft, thing: int, table: str) -> ColumnHit | None:
    """The key of the lines' transactions in the figure's own table: an id that repeats and names nothing."""
    schema = draft.lexicon.schema
    for hit in draft.items[thing].columns:
        named = draft.named(hit)
        if hit.table != table or hit.score < draft.items[thing].columns[0].score - _NEAR or named.column.unique:
            continue
        named_after = [e for e in schema.edges.get(table, ()) if e.one and e.source_columns == (hit.column,)]
        if named.column.role == "id" and not any(schema.name_columns(edge.target) for edge in named_after):
            return hit
    return None
