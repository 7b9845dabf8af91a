"""How large things are that are no figures themselves: "the largest order" by the money in it."""

from __future__ import annotations

from apps.analyst.language.figures import additive
from apps.analyst.language.morphology import words
from apps.analyst.language.parse.draft import Draft, Group, Measure, Slot, Sort, is_number
from apps.analyst.language.parse.extremes import count_before
from apps.analyst.language.parse.quantities import columns_named, counts_once
from apps.analyst.language.tagging import ColumnHit

_WORTH = words("value values amount worth total revenue sales")
_SIZES = words("largest biggest greatest smallest highest lowest")
_WHO, _THING = ("who",), 0.9
_CUSTOMERS = words("customer customers client clients account accounts buyer buyers guest guests member members")
MONEY = ("revenue", "amount", "sales", "total", "value")


def by_figure(draft: Draft, target: int) -> Slot | None:
    """ "the largest deal by amount": the figure behind "by"."""
    position = target + 1
    if draft.tagged_as(position, "by") or (
        position < len(draft.items) and draft.items[position].norm in ("in", "in terms of")
    ):
        named = draft.next_named(position, reach=1)
        hits = draft.numeric(named, 0.5) if named is not None else ()
        if hits and named is not None:
            draft.use(position, named, role="sup")
            return Slot(named, hits)
    return None


def is_size(draft: Draft, index: int) -> bool:
    """True for "largest" and the like, which no date can be."""
    return draft.items[index].norm.split()[-1] in _SIZES


def size_of(draft: Draft, index: int, target: int) -> Slot | None:
    """ "the largest order": by the money in it, its own or that of its lines."""
    token = draft.items[target].token
    if draft.items[index].norm.split()[-1] not in _SIZES or token is None:
        return None
    table = draft.items[target].tables[0].table
    schema = draft.lexicon.schema
    found = [
        hit
        for hit in columns_named(draft, MONEY)
        if is_number(draft.column(hit))
        and draft.column(hit).role == "measure"
        and (hit.table == table or schema.path(hit.table, table, one=True) is not None)
    ]
    own = [hit for hit in found if hit.table == table]
    return Slot(index, tuple(own or found[:1])) if found else None


def with_its_party(draft: Draft, index: int, target: int, figure: Slot, descending: bool, limit: int) -> bool:
    """ "which customer placed the largest order": the order whose lines come to most, and whose it is."""
    table = draft.table_at(target)
    party = _party(draft, table) if table is not None and figure.hits[0].table != table else None
    if party is None:
        return False
    item, other = party
    draft.use(item, target, role="group")
    draft.groups += [Group(table=table, item=target), Group(table=other, item=item)]
    measure = Measure("sum", figure, item=index, said=False)
    draft.sorts.append(Sort(descending, measure=measure, limit=limit, superlative=True, item=index))
    return True


def _party(draft: Draft, table: str) -> tuple[int, str] | None:
    """The thing or person that is asked for beside a transaction, and its table."""
    near = [edge.target for edge in draft.lexicon.schema.edges.get(table, ()) if edge.one]
    for index, item in enumerate(draft.items):
        asked = item.tag("wh") is not None
        if asked and item.norm in _WHO:
            buyers = (t for t in near if _CUSTOMERS & set(draft.lexicon.schema.tables[t].name.needed))
            return next(((index, buyer) for buyer in buyers), None)
        thing = draft.table_at(index + 1, _THING) if asked and draft.free(index + 1) else None
        if thing in near and thing is not None:
            return index + 1, thing
    return None


def largest_transaction(draft: Draft, index: int, target: int, descending: bool, limit: int, items: list[int]) -> bool:
    """ "the largest order" over order lines: the key whose lines come to most."""
    if draft.items[index].norm.split()[-1] not in _SIZES:
        return False
    keys_ = [h for h in draft.items[target].columns if draft.column(h).role == "id" and counts_once(draft, h)]
    money = [h for h in columns_named(draft, MONEY) if keys_ and h.table == keys_[0].table and additive(draft, h)]
    if not money:
        return False
    draft.use(index, target, *items, role="sup")
    draft.groups.append(Group(Slot(target, (keys_[0],)), item=target))
    measure = Measure("sum", Slot(index, (money[0],)), item=index, said=False)
    draft.sorts.append(Sort(descending, measure=measure, limit=limit, superlative=True, item=index))
    return True


def highest_worth(draft: Draft, index: int, descending: bool, limit: int, items: list[int]) -> bool:
    """ "the order with the highest total (order) value": what the lines of each order come to."""
    said = [i for i in range(index + 1, min(index + 4, len(draft.items))) if draft.items[i].norm in _WORTH]
    worth = said[-1] if said else None
    between = [] if worth is None else list(range(index + 1, worth))
    if worth is None or not all(draft.items[i].tag("agg") or draft.table_at(i) for i in between):
        return False
    things = [i for i in (*reversed(between), *range(index - 1, max(-1, index - 4), -1)) if draft.table_at(i, 0.9)]
    table = draft.table_at(things[0], 0.9) if things else None
    money = _money_of_lines(draft, table) if table is not None else ()
    if not money:
        return False
    draft.use(index, *between, worth, *items, *things, role="sup")
    draft.groups.append(Group(table=table, item=things[-1]))
    measure = Measure("sum", Slot(worth, money[:1]), item=worth, said=False)
    draft.sorts.append(Sort(descending, measure=measure, limit=limit, superlative=True, item=index))
    draft.axes["transaction"] = things[-1]
    return True


def dearest(draft: Draft, index: int, descending: bool) -> bool:
    """ "the most expensive order": a transaction has no price of its own, its lines come to one."""
    thing = draft.next_named(index + 1, reach=0)
    table = draft.table_at(thing, 0.9) if thing is not None else None
    if thing is None or table is None:
        return False
    money = _money_of_lines(draft, table)
    if not money:
        return False
    limit, items = count_before(draft, index)
    draft.use(index, index + 1, thing, *items, role="sup")
    draft.groups.append(Group(table=table, item=thing))
    measure = Measure("sum", Slot(thing, money[:1]), item=index, said=False)
    draft.sorts.append(Sort(descending, measure=measure, limit=limit, superlative=True, item=index))
    draft.axes["transaction"] = thing
    return True


def _money_of_lines(draft: Draft, table: str) -> tuple[ColumnHit, ...]:
    """What the lines of a table without names and amounts of its own come to."""
    schema = draft.lexicon.schema
    named = [hit for hit in columns_named(draft, MONEY) if additive(draft, hit)]
    if schema.name_columns(table) or any(hit.table == table for hit in named):
        return ()
    return tuple(hit for hit in named if schema.path(hit.table, table, one=True) is not None)


def money_done(draft: Draft, index: int, doer: int) -> Slot | None:
    """ "how much did clients in France pay": the money in what the verb names, not how many of them did so."""
    if draft.items[index].norm != "how much" or draft.items[index + 1].norm not in ("did", "do", "does", "have", "has"):
        return None
    for verb in range(doer + 1, len(draft.items)):
        table = draft.table_at(verb, 0.9) if draft.free(verb) else None
        if table is None or table == draft.table_at(doer):
            continue
        hits = tuple(hit for hit in columns_named(draft, MONEY) if hit.table == table and additive(draft, hit))
        return Slot(verb, hits[:1]) if hits else None
    return None
