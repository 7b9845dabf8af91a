"""Most and least: "the most expensive product", "top 5 reps by revenue", "which team has won the most", "first",
"latest"."""

from __future__ import annotations

from apps.analyst.language.morphology import parts_of_speech, words
from apps.analyst.language.parse.draft import Draft, Measure, Slot, Sort, is_number, is_time
from apps.analyst.language.parse.events import happening
from apps.analyst.language.parse.extremes import (
    asks_value,
    count_before,
    est,
    extreme_figure,
    head_noun,
    in_aggregate_list,
    is_rank,
    nth,
)
from apps.analyst.language.parse.firsts import order_at_the_end, part_of_name
from apps.analyst.language.parse.positions import latest_period, read_position
from apps.analyst.language.parse.quantities import columns_named, counts_once, measurable
from apps.analyst.language.parse.rankings import (
    best_by,
    best_period,
    read_top,
    settle_rankings,
    top_entities,
)
from apps.analyst.language.parse.sizes import (
    by_figure,
    dearest,
    highest_worth,
    is_size,
    largest_transaction,
    size_of,
    with_its_party,
)
from apps.analyst.language.parse.targets import asked_before
from apps.analyst.language.parse.trailing import verb_before, verb_superlative
from apps.analyst.language.tagging import ColumnHit
from apps.analyst.language.vocabulary import Adjective, vocabulary
from apps.analyst.plan import AggregateName

_WHOLE_NAME = 0.95
_SINGLE = words("single individual")
_AMOUNT, _REPEATED = words("most least fewest"), 0.85
_DEGREES = frozenset(("highest", "lowest", "best", "worst", "least", "most", "top"))


def read_superlatives(draft: Draft) -> None:
    """Reads superlatives into sorts with a limit, or into minimum and maximum measures."""
    order_at_the_end(draft)
    for index, item in enumerate(draft.items):
        if not draft.free(index) or part_of_name(draft, index):
            continue
        if best_period(draft, index) or latest_period(draft, index):
            continue
        if (
            item.tag("top")
            and index + 1 < len(draft.items)
            and draft.items[index + 1].number is not None
            and draft.free(index + 1)
        ):
            read_top(draft, index)
        elif item.tag("sup"):
            if not in_aggregate_list(draft, index):
                _superlative(draft, index)
        elif item.tag("common"):
            _common(draft, index)
        elif est(item) is not None:
            if not best_by(draft, index):
                _adjective(draft, index)
            if draft.free(index) and item.tag("pos"):
                read_position(draft, index)  # "the latest": of data that do not know how late
        elif item.tag("top"):
            read_top(draft, index)
        elif item.tag("pos"):
            read_position(draft, index)
    settle_rankings(draft)


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
        if (
            adjective is not None
            and "price" in adjective.of
            and dearest(draft, index, (adjective.best == "desc") == descending)
        ):
            return
        if adjective is not None and adjective.of:
            hits = columns_named(draft, adjective.of)
            draft.use(index, index + 1, role="sup")
            _by_quantity(draft, index, hits, adjective, descending)
            return
    if _turned(draft, index, descending):
        return
    single = draft.free(index + 1) and draft.items[index + 1].norm in _SINGLE and not draft.items[index + 1].names
    last = index + 1 if single else index  # "the biggest single order"
    draft.use(*range(index + 1, last + 1), role="sup")
    offset = nth(draft, index)
    limit, items = count_before(draft, index)
    target = (
        last + 1
        if last + 1 < len(draft.items) and draft.free(last + 1) and draft.items[last + 1].names
        else draft.next_named(last, reach=3, stop=("cmp", "by", "neg"))
    )
    if highest_worth(draft, index, descending, limit, items) or _rated(draft, index, descending, limit, offset, items):
        return
    fn, target = _inner_aggregate(draft, index, head_noun(draft, target))
    if target is None and limit > 1 and index + 1 >= len(draft.items) - 1 and is_size(draft, index):
        draft.use(index, *items, *_showing(draft, items[0]), role="sup")
        draft.sorts.append(Sort(descending, limit=limit, superlative=True, item=index))
        return
    if target is None and not verb_before(draft, index) and _most_rows(draft, index, descending, limit, items):
        return
    if target is None:
        verb_superlative(draft, index, descending, limit, items)
        return
    numeric = draft.numeric(target, 0.45)
    moments = draft.moments(target)
    table = draft.table_at(target, 0.7)
    plain = fn is None and not numeric and not table
    if plain and largest_transaction(draft, index, target, descending, limit, items):
        return
    if (
        plain
        and is_size(draft, index)
        and len(draft.items[index].norm.split()) < 3
        and not (moments and moments[0].score >= _WHOLE_NAME)
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
            top_entities(draft, index, items, target, limit, descending)
            return
        figure = (by_figure(draft, target) or size_of(draft, index, target)) if table and fn is None else None
        if figure is not None and with_its_party(draft, index, target, figure, descending, limit):
            draft.use(index, *items, role="sup")
            return
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
    if limit == 1 and not offset and asks_value(draft, index):
        extreme_figure(draft, index, Slot(target, hits), descending)
        return
    if offset and not asked_before(draft, index):
        draft.select.append(Slot(target, hits))
        draft.distinct = True
    draft.sorts.append(Sort(descending, Slot(target, hits), limit=limit, offset=offset, superlative=True, item=index))


def _turned(draft: Draft, index: int, descending: bool) -> bool:
    """ "the senior most clerk": the adjective stands before its degree."""
    token = draft.items[index - 1].token if index > 0 and draft.free(index - 1) else None
    adjective = vocabulary().adjective(token.keys) if token is not None and not draft.items[index - 1].names else None
    if adjective is None or draft.items[index].norm not in ("most", "least"):
        return False
    hits = columns_named(draft, adjective.of)
    draft.use(index - 1, index, role="sup")
    _by_quantity(draft, index, _judged_by(draft, index) or hits, adjective, descending)
    return True


def _judged_by(draft: Draft, index: int) -> tuple[ColumnHit, ...]:
    """ "... based on the day of hire": the column that says what the adjective measures."""
    for by in range(index + 1, len(draft.items) - 1):
        if draft.tagged_as(by, "by") and draft.items[by].norm in ("based on", "by", "according to", "in terms of"):
            named = draft.next_named(by, reach=1)
            hits = (draft.moments(named) or draft.numeric(named, _WHOLE_NAME)) if named is not None else ()
            if named is not None and hits and hits[0].score >= _WHOLE_NAME:
                draft.use(by, named, role="sup")
                return hits
    return ()


def _showing(draft: Draft, index: int) -> list[int]:
    """The words before "the ten largest" at the end of a question that say that no more are wanted."""
    return [i for i in range(max(0, index - 3), index) if draft.items[i].norm in ("showing", "only", "listing")]


def _rated(draft: Draft, index: int, descending: bool, limit: int, offset: int, items: list[int]) -> bool:
    """ "the highest-priced dish", "the lowest paid clerk": the figure of the participle, the thing stands behind."""
    verb = index + (2 if index + 1 < len(draft.items) and draft.items[index + 1].norm == "-" else 1)
    token = draft.items[verb].token if draft.free(verb) else None
    if token is None or not token.norm.endswith(("ed", "paid")) or draft.items[index].norm.split()[-1] not in _DEGREES:
        return False
    named = columns_named(draft, vocabulary().verb(token.keys))
    hits = draft.numeric(verb, 0.45) or tuple(hit for hit in named if is_number(draft.column(hit)))
    thing = draft.next_named(verb, reach=0)
    if not hits or thing is None:
        return False
    draft.use(*range(index, verb + 1), *items, role="sup")
    descending = descending != is_rank(draft, hits[0])
    draft.sorts.append(Sort(descending, Slot(verb, hits), limit=limit, offset=offset, superlative=True, item=index))
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


def _most_rows(draft: Draft, index: int, descending: bool, limit: int, items: list[int]) -> bool:
    """ "which town hosted the most events", "who served the most times": of a table of events, how many rows it has."""
    noun = index + 1
    if len(draft.lexicon.tables) > 1 or not draft.free(noun) or draft.items[index].norm.split()[-1] not in _AMOUNT:
        return False
    word = draft.items[noun]
    known = word.names or word.values or word.tags or word.number is not None
    if known or not word.norm.endswith("s") or "NOUN" not in parts_of_speech(word.norm):
        return False
    asked = next((i for i in range(index) if draft.free(i) and draft.items[i].columns), None)
    hit = draft.items[asked].columns[0] if asked is not None else None
    if asked is None or hit is None or hit.score < _WHOLE_NAME or draft.column(hit).type != "text":
        return False
    rows = draft.lexicon.schema.tables[hit.table].table.rows
    if draft.column(hit).distinct > _REPEATED * rows:
        return False
    draft.use(index, noun, asked, *items, role="sup")
    draft.roles[asked] = "select"
    draft.select.append(Slot(asked, (hit,)))
    measure = Measure("count", table=hit.table, item=index)
    draft.sorts.append(Sort(descending, measure=measure, limit=limit, superlative=True, item=index))
    return True


def _common(draft: Draft, index: int) -> None:
    tag = draft.items[index].tag("common")
    assert tag is not None
    limit, items = count_before(draft, index)
    target = head_noun(draft, draft.next_named(index, reach=3))
    draft.use(index, *items, role="sup")
    among = draft.table_at(target, _WHOLE_NAME) if target is not None else None
    if target is not None and among is not None and draft.items[target].columns[:1]:
        among = (
            among if draft.items[target].columns[0].score < _WHOLE_NAME and _is_among(draft, index, target) else None
        )
        if among is not None:
            draft.use(target, role="sup")
            measure = Measure("count", table=among, item=index)
            draft.sorts.append(Sort(tag.value == "desc", measure=measure, limit=limit, superlative=True, item=index))
            return
    if target is not None and draft.items[target].columns and draft.items[target].columns[0].score >= 0.5:
        draft.use(target, role="select")
        draft.select.append(Slot(target, draft.items[target].columns))
    event = None if target is None else happening(draft, target)
    measure = Measure("count", table=event, item=index)
    draft.sorts.append(Sort(tag.value == "desc", measure=measure, limit=limit, superlative=True, item=index))


def _is_among(draft: Draft, index: int, target: int) -> bool:
    """ "which titles are most common among the members": behind "among" stand the rows that are counted."""
    between = {item.norm for item in draft.items[index + 1 : target]}
    return bool(between & {"among", "amongst", "for", "in", "in our"})


def _adjective(draft: Draft, index: int) -> None:
    adjective = est(draft.items[index])
    assert adjective is not None
    target = draft.next_named(index, reach=1, stop=("cmp", "by", "neg", "sup"))
    numeric = draft.numeric(target, 0.6) if target is not None else ()
    moments = tuple(h for h in draft.moments(target) if h.score >= 0.6) if target is not None else ()
    if target is not None and adjective.of and draft.items[target].columns:
        named = draft.items[target].columns[0]
        if not measurable(draft, (named,)):
            numeric, moments = (), ()  # "the tallest building": a name, though a column says when it was built
    if target is not None and (numeric or moments) and draft.table_at(target, 0.9) is None:
        descending = adjective.best == "desc"
        words = {w for hit in (numeric or moments)[:1] for w in draft.named(hit).name.words}
        preferred = next((way for word, way in adjective.prefer if word in words), None)
        descending = preferred == "desc" if preferred else descending
        limit, items = count_before(draft, index)
        offset = nth(draft, index)
        draft.use(index, target, *items, role="sup")
        if limit == 1 and not offset and asks_value(draft, index):
            extreme_figure(draft, index, Slot(target, numeric or moments), descending)
            return
        draft.sorts.append(
            Sort(
                descending,
                Slot(target, numeric or moments),
                limit=limit,
                offset=offset,
                superlative=True,
                item=index,
            )
        )
        return
    draft.use(index, role="sup")
    _by_quantity(draft, index, columns_named(draft, adjective.of), adjective, most=True)


def _by_quantity(draft: Draft, index: int, hits: tuple[ColumnHit, ...], adjective: Adjective, most: bool) -> None:
    """The extreme of what an adjective measures."""
    hits = measurable(draft, hits)
    limit, items = count_before(draft, index)
    offset = nth(draft, index)
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
