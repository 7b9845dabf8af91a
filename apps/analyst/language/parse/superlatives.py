"""Most and least: "the most expensive product", "top 5 reps by revenue", "which team has won the most", "first",
"latest"."""

from __future__ import annotations

from apps.analyst.language.concepts import plain_name
from apps.analyst.language.figures import additive
from apps.analyst.language.morphology import words
from apps.analyst.language.parse.draft import Draft, Group, Measure, Slot, Sort, is_number, is_time
from apps.analyst.language.parse.quantities import RANKS, columns_named, counts_once
from apps.analyst.language.parse.targets import asked_before
from apps.analyst.language.tagging import ColumnHit, Item
from apps.analyst.language.vocabulary import Adjective, vocabulary
from apps.analyst.plan import AggregateName

_PLURAL_ONE = 1


def read_superlatives(draft: Draft) -> None:
    """Reads superlatives into sorts with a limit, or into minimum and maximum measures."""
    for index, item in enumerate(draft.items):
        if not draft.free(index):
            continue
        if (
            item.tag("top")
            and index + 1 < len(draft.items)
            and draft.items[index + 1].number is not None
            and draft.free(index + 1)
        ):
            _top(draft, index)
        elif item.tag("sup"):
            if not in_aggregate_list(draft, index):
                _superlative(draft, index)
        elif item.tag("common"):
            _common(draft, index)
        elif _est(item) is not None:
            _adjective(draft, index)
        elif item.tag("top"):
            _top(draft, index)
        elif item.tag("pos"):
            _position(draft, index)
    _settle_rankings(draft)


def in_aggregate_list(draft: Draft, index: int) -> bool:
    """ "average, minimum and maximum age": one of several aggregates of the same column."""

    def linked(position: int) -> bool:
        return 0 <= position < len(draft.items) and (draft.items[position].tag("and") is not None)

    def aggregate(position: int) -> bool:
        return (
            0 <= position < len(draft.items)
            and draft.free(position)
            and draft.items[position].tag("agg", "sup") is not None
        )

    return (linked(index - 1) and aggregate(index - 2)) or (linked(index + 1) and aggregate(index + 2))


def is_rank(draft: Draft, hit: ColumnHit) -> bool:
    """True for places in a ranking, where the highest is number one."""
    name = draft.named(hit).name
    column = draft.column(hit)
    small = isinstance(column.minimum, int) and 0 <= column.minimum <= 3
    return is_number(column) and small and any(own & RANKS for own in name.forms)


def head_noun(draft: Draft, index: int | None) -> int | None:
    """The last noun of a compound: of "singer citizenship" the column, not the table."""
    while (
        index is not None
        and draft.free(index + 1)
        and draft.items[index].tables
        and any(hit.score >= 0.6 for hit in draft.items[index + 1].columns)
        and not draft.items[index + 1].tag("agg", "sup", "by", "cmp")
    ):
        index += 1
    return index


def _est(item: Item) -> Adjective | None:
    """The adjective of a one-word superlative ("oldest")."""
    token = item.token
    if token is None or (item.columns and item.columns[0].score >= 1.0):
        return None
    if token.norm in ("best", "worst") or (token.norm.endswith("est") and len(token.norm) > 4):
        return vocabulary().adjective(token.keys)
    return None


def _count_before(draft: Draft, index: int) -> tuple[int, list[int]]:
    """ "top 3", "the 5 most", "two oldest": how many, and the item that says so."""
    for position in (index - 1, index + 1):
        if 0 <= position < len(draft.items) and draft.free(position):
            number = draft.items[position].number
            if number is not None and 1 <= number <= 10000 and number == int(number):
                return int(number), [position]
    if (
        index >= 1
        and draft.items[index - 1].ordinal is not None
        and draft.free(index - 1)
        and draft.items[index - 1].tag("pos") is None
    ):
        return 1, [index - 1]
    return 1, []


def _nth(draft: Draft, index: int) -> int:
    """ "the second highest": how many come before."""
    ordinal = draft.items[index - 1].ordinal if index > 0 else None
    if ordinal is not None and 1 < ordinal < 100 and draft.free(index - 1):
        draft.use(index - 1, role="sup")
        return ordinal - 1
    return 0


def _superlative(draft: Draft, index: int) -> None:
    tag = draft.items[index].tag("sup")
    assert tag is not None
    descending = tag.value == "desc"
    if (
        index + 1 < len(draft.items)
        and draft.free(index + 1)
        and draft.items[index + 1].token is not None
        and not draft.items[index + 1].columns
    ):
        token = draft.items[index + 1].token
        adjective = vocabulary().adjective(token.keys) if token else None
        if adjective is not None and adjective.of:
            hits = columns_named(draft, adjective.of)
            draft.use(index, index + 1, role="sup")
            _by_quantity(draft, index, hits, adjective, descending)
            return
    offset = _nth(draft, index)
    limit, items = _count_before(draft, index)
    target = (
        index + 1
        if index + 1 < len(draft.items) and draft.free(index + 1) and draft.items[index + 1].names
        else draft.next_named(index, reach=3, stop=("cmp", "by", "neg"))
    )
    fn, target = _inner_aggregate(draft, index, head_noun(draft, target))
    if target is None:
        _verb_superlative(draft, index, descending, limit, items)
        return
    numeric = draft.numeric(target, 0.45)
    moments = draft.moments(target)
    table = draft.table_at(target, 0.7)
    if (
        fn is None
        and not numeric
        and not table
        and _largest_transaction(draft, index, target, descending, limit, items)
    ):
        return
    text = draft.items[index].norm
    if fn == "count" and numeric and numeric[0].score >= 0.6 and not table:
        fn = None
    descending = descending != (bool(numeric) and is_rank(draft, numeric[0]))
    counts = "number" in text or "fewest" in text or ("amount of" in text and not numeric)
    if (
        fn == "count"
        or (table and not (numeric and numeric[0].score >= 0.95))
        or (counts and not numeric)
        or not (numeric or moments)
    ):
        if limit > 1 and items and items[0] == index + 1 and table:
            _top_entities(draft, index, items, target, limit, descending)
            return
        figure = (_by_figure(draft, target) or _size_of(draft, index, target)) if table and fn is None else None
        if figure is not None:
            draft.sorts.append(Sort(descending, figure, limit=limit, offset=offset, superlative=True, item=index))
            draft.use(index, *items, role="sup")
            return
        draft.use(index, target, *items, role="sup")
        slot = None if table else Slot(target, draft.items[target].columns)
        once = slot is not None and bool(slot.hits) and counts_once(draft, slot.best)
        measure = Measure("count", slot, table, distinct=once, item=target)
        draft.sorts.append(Sort(descending, measure=measure, limit=limit, offset=offset, superlative=True, item=index))
        return
    hits = numeric or moments
    draft.use(index, target, *items, role="sup")
    if fn is not None:
        draft.sorts.append(
            Sort(
                descending,
                measure=Measure(fn, Slot(target, hits), item=target),
                limit=limit,
                offset=offset,
                superlative=True,
                item=index,
            )
        )
        return
    if limit == 1 and not offset and _asks_value(draft, index):
        draft.measures.append(Measure("max" if descending else "min", Slot(target, hits), item=index))
        return
    draft.sorts.append(Sort(descending, Slot(target, hits), limit=limit, offset=offset, superlative=True, item=index))


def _by_figure(draft: Draft, target: int) -> Slot | None:
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


_SIZES = words("largest biggest greatest smallest highest lowest")
_MONEY = ("revenue", "amount", "sales", "total", "value")


def _size_of(draft: Draft, index: int, target: int) -> Slot | None:
    """ "the largest order": by the money in it, its own or that of its lines."""
    token = draft.items[target].token
    if draft.items[index].norm.split()[-1] not in _SIZES or token is None:
        return None
    table = draft.items[target].tables[0].table
    schema = draft.lexicon.schema
    found = [
        hit
        for hit in columns_named(draft, _MONEY)
        if is_number(draft.column(hit))
        and draft.column(hit).role == "measure"
        and (hit.table == table or schema.path(hit.table, table, one=True) is not None)
    ]
    own = [hit for hit in found if hit.table == table]
    return Slot(index, tuple(own or found[:1])) if found else None


def _largest_transaction(draft: Draft, index: int, target: int, descending: bool, limit: int, items: list[int]) -> bool:
    """ "the largest order" over order lines: the key whose lines come to most."""
    if draft.items[index].norm.split()[-1] not in _SIZES:
        return False
    keys_ = [h for h in draft.items[target].columns if draft.column(h).role == "id" and counts_once(draft, h)]
    money = [h for h in columns_named(draft, _MONEY) if keys_ and h.table == keys_[0].table and additive(draft, h)]
    if not money:
        return False
    draft.use(index, target, *items, role="sup")
    draft.groups.append(Group(Slot(target, (keys_[0],)), item=target))
    measure = Measure("sum", Slot(index, (money[0],)), item=index, said=False)
    draft.sorts.append(Sort(descending, measure=measure, limit=limit, superlative=True, item=index))
    return True


def _inner_aggregate(draft: Draft, index: int, target: int | None) -> tuple[AggregateName | None, int | None]:
    """ "highest average salary", "most total points", "largest number of orders"."""
    for position in range(index + 1, min(index + 3, len(draft.items))):
        tag = draft.items[position].tag("agg", "count")
        if tag and draft.free(position):
            named = draft.next_named(position, reach=3, stop=("cmp", "by", "neg", "sup"))
            if named is not None and not (
                draft.items[position].columns and draft.items[position].columns[0].score >= 1.0 and tag.kind == "count"
            ):
                draft.use(position, role="sup")
                return ("count" if tag.kind == "count" else tag.value), named  # type: ignore[return-value]
    return None, target


def _asks_value(draft: Draft, index: int) -> bool:
    """ "What is the highest price?" asks for the figure; "who has the highest price?" for the one that has it."""
    before = index - 1
    while before >= 0 and draft.items[before].norm in ("the", "a", "its", "their"):
        before -= 1
    if (
        before >= 0
        and (draft.items[before].tag("and"))
        and any(draft.roles.get(i) != "chart" and draft.items[i].columns for i in range(before))
    ):
        return True
    return not asked_before(draft, index)


def _verb_superlative(draft: Draft, index: int, descending: bool, limit: int, items: list[int]) -> None:
    """ "spent the most", "sold the least": the quantity of the verb before."""
    for position in range(index - 1, max(-1, index - 4), -1):
        token = draft.items[position].token
        if token is None or draft.items[position].norm in ("has", "have", "had", "is", "the", "was"):
            continue
        numeric = draft.numeric(position, 0.45)
        hits = numeric or tuple(
            h for h in columns_named(draft, vocabulary().verb(token.keys)) if is_number(draft.column(h))
        )
        if hits:
            draft.use(index, position, *items, role="sup")
            measure = Measure("sum", Slot(position, hits), item=position, said=False)
            draft.sorts.append(Sort(descending, measure=measure, limit=limit, superlative=True, item=index))
            return
        break
    behind = index + 1
    if behind < len(draft.items) and draft.free(behind):
        token = draft.items[behind].token
        hits = (
            tuple(h for h in columns_named(draft, vocabulary().verb(token.keys)) if is_number(draft.column(h)))
            if token
            else ()
        )
        if hits:
            draft.use(index, behind, *items, role="sup")
            draft.sorts.append(Sort(descending, Slot(behind, hits), limit=limit, superlative=True, item=index))


def _common(draft: Draft, index: int) -> None:
    tag = draft.items[index].tag("common")
    assert tag is not None
    limit, items = _count_before(draft, index)
    target = head_noun(draft, draft.next_named(index, reach=3))
    draft.use(index, *items, role="sup")
    if target is not None and draft.items[target].columns and draft.items[target].columns[0].score >= 0.5:
        draft.use(target, role="select")
        draft.select.append(Slot(target, draft.items[target].columns))
    draft.sorts.append(
        Sort(tag.value == "desc", measure=Measure("count", item=index), limit=limit, superlative=True, item=index)
    )


def _adjective(draft: Draft, index: int) -> None:
    adjective = _est(draft.items[index])
    assert adjective is not None
    target = draft.next_named(index, reach=1, stop=("cmp", "by", "neg", "sup"))
    numeric = draft.numeric(target, 0.6) if target is not None else ()
    moments = tuple(h for h in draft.moments(target) if h.score >= 0.6) if target is not None else ()
    worst = draft.items[index].norm == "worst"
    if target is not None and (numeric or moments) and draft.table_at(target, 0.9) is None:
        descending = adjective.best == "desc"
        words = {w for hit in (numeric or moments)[:1] for w in draft.named(hit).name.words}
        preferred = next((way for word, way in adjective.prefer if word in words), None)
        descending = preferred == "desc" if preferred else descending
        limit, items = _count_before(draft, index)
        offset = _nth(draft, index)
        draft.use(index, target, *items, role="sup")
        if limit == 1 and not offset and _asks_value(draft, index):
            draft.measures.append(Measure("max" if descending else "min", Slot(target, numeric or moments), item=index))
            return
        draft.sorts.append(
            Sort(
                descending != (worst and not preferred),
                Slot(target, numeric or moments),
                limit=limit,
                offset=offset,
                superlative=True,
                item=index,
            )
        )
        return
    draft.use(index, role="sup")
    _by_quantity(draft, index, columns_named(draft, adjective.of), adjective, not worst)


def _by_quantity(draft: Draft, index: int, hits: tuple[ColumnHit, ...], adjective: Adjective, most: bool) -> None:
    """The extreme of what an adjective measures."""
    hits = tuple(hit for hit in hits if is_number(draft.column(hit)) or is_time(draft.column(hit)))
    limit, items = _count_before(draft, index)
    offset = _nth(draft, index)
    if not hits:
        draft.used[index] = False
        return
    draft.use(*items, role="sup")
    column = hits[0]
    word = next((word for word in adjective.of if word in draft.named(column).name.words), "")
    moment = is_time(draft.column(column)) or "birth" in draft.named(column).name.words
    best = adjective.direction(word, moment=moment)
    draft.sorts.append(
        Sort((best == "desc") == most, Slot(index, hits), limit=limit, offset=offset, superlative=True, item=index)
    )


def _top(draft: Draft, index: int) -> None:
    """ "top 5 reps by revenue", "first 3 rows", "bottom ten products"."""
    number = next(
        (i for i in (index + 1,) if i < len(draft.items) and draft.items[i].number is not None and draft.free(i)), None
    )
    norm = draft.items[index].norm
    if number is None:
        if norm == "first" and draft.items[index].tag("pos"):
            _position(draft, index)
        return
    limit = draft.items[number].number
    assert limit is not None
    if not 1 <= limit <= 100_000:
        return
    _top_entities(
        draft, index, [number], draft.next_named(number, reach=2), int(limit), norm not in ("bottom", "worst")
    )


def _top_entities(draft: Draft, index: int, items: list[int], target: int | None, limit: int, descending: bool) -> None:
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
        named = draft.next_named(figure if tag else position, reach=2, stop=("cmp", "neg"))
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
    draft.sorts.append(Sort(descending, limit=limit, superlative=True, item=index, row=first))
    if target is not None and not first:
        draft.axes["ranked"] = target


def _settle_rankings(draft: Draft) -> None:
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
        draft.assumptions.append(f"Ranked by the total of {plain_name(hits[0].column)}, as no figure was named")
        bare[0].measure = Measure("sum", Slot(bare[0].item, hits), item=bare[0].item, said=False)


def _money_of(draft: Draft, table: str | None) -> tuple[ColumnHit, ...]:
    """The amount that is ranked by where none is named: of rows that belong to a thing many times."""
    schema = draft.lexicon.schema
    return tuple(
        hit
        for hit in columns_named(draft, _MONEY)
        if additive(draft, hit)
        and (table is None or (hit.table != table and schema.path(hit.table, table, one=True) is not None))
    )[:1]


def _position(draft: Draft, index: int) -> None:
    """ "first", "last", "earliest", "latest": by a date where there is one, else by the place in the file."""
    tag = draft.items[index].tag("pos")
    assert tag is not None
    if (
        index + 1 < len(draft.items)
        and draft.items[index + 1].norm
        in (
            "name",
            "names",
            "place",
            "round",
            "half",
            "quarter",
            "time",
        )
        and draft.items[index + 1].norm in ("name", "names", "place")
    ):
        return
    target = draft.next_named(index, reach=1, stop=("cmp", "by", "neg", "sup"))
    moments = draft.moments(target) if target is not None else ()
    limit = 1
    descending = tag.value == "last"
    if moments and moments[0].score >= 0.5 and target is not None:
        draft.use(index, role="sup")
        if not _asks_value(draft, index):
            draft.use(target, role="sup")
            draft.sorts.append(Sort(descending, Slot(target, moments), limit=limit, superlative=True, item=index))
            return
        draft.use(target, role="sup")
        draft.measures.append(Measure("max" if descending else "min", Slot(target, moments), item=index))
        return
    draft.use(index, role="sup")
    draft.sorts.append(Sort(descending, limit=limit, superlative=True, item=index, row=True))
