"""Dimensions: "by region and month", "for each team", "per customer", "monthly", "in bins of 10"."""

from __future__ import annotations

import re

from apps.analyst.language.morphology import verb_forms, words
from apps.analyst.language.parse.draft import Draft, Group, Slot, is_number
from apps.analyst.language.parse.extremes import head_noun
from apps.analyst.language.parse.grains import asked_grain, busiest, moment_before, moment_behind
from apps.analyst.language.parse.quantities import columns_named
from apps.analyst.language.parse.targets import GLUE
from apps.analyst.language.periods import GRAIN_WORDS, PART_WORDS
from apps.analyst.language.vocabulary import vocabulary

_WHOLE_NAME = 0.95
_DONE = words("ordered sold bought purchased placed made spent generated earned received brought shipped booked rented")


def read_groups(draft: Draft) -> None:
    """Reads "by region and month", "for each team", "per customer", "monthly"."""
    for index in range(len(draft.items)):
        if busiest(draft, index):
            continue
        if draft.tagged_as(index, "trend"):
            draft.trend = True
            draft.use(index, role="group")
        over_time = (
            draft.items[index].norm in ("over", "through", "across")
            and draft.free(index)
            and bool(draft.moments(index + 1))
            and draft.table_at(index + 1, _WHOLE_NAME) is None
        )
        if draft.tagged_as(index, "by") or over_time or draft.axes.get("split") == index:
            if not _agent(draft, index):
                _by(draft, index)
        elif asked_grain(draft, index):
            continue
        elif (
            draft.free(index)
            and draft.items[index].norm in ("monthly", "weekly", "daily", "quarterly", "yearly", "annual", "annually")
            and not (draft.items[index].columns and draft.items[index].columns[0].score >= _WHOLE_NAME)
        ):
            draft.groups.append(Group(grain=GRAIN_WORDS[draft.items[index].norm], item=index))
            draft.use(index, role="group")
    _bins(draft)
    _into_intervals(draft)


def _into_intervals(draft: Draft) -> None:
    """ "bin X into the weekday interval", "bins all dates by year": a grain behind "into"."""
    for index, item in enumerate(draft.items):
        if item.norm == "into" and draft.free(index):
            for position in range(index + 1, min(index + 3, len(draft.items))):
                said = draft.items[position].norm
                known = said in GRAIN_WORDS or any(
                    " ".join(i.norm for i in draft.items[position : position + n]) in PART_WORDS for n in (1, 3, 4)
                )
                if known and draft.free(position) and _dimension(draft, position):
                    draft.use(index, role="group")
                    break


def _agent(draft: Draft, index: int) -> bool:
    """ "supplied by", "directed by": who does it, not a dimension."""
    if draft.items[index].norm != "by" or index == 0 or draft.items[index - 1].end - draft.items[index - 1].start > 1:
        return False
    token = draft.tagged.tokens[draft.items[index].start - 1]
    if not token.norm.endswith(("ed", "en", "wn", "ld", "ght", "ade", "on")) or draft.roles.get(index - 1) == "chart":
        return False
    # A participle differs from its verb: "bought" is one, the noun "freight" is its own verb.
    verbs = verb_forms(token.norm)
    return any(verb != token.norm for verb in verbs) and not _splits_a_figure(draft, index)


def _splits_a_figure(draft: Draft, index: int) -> bool:
    """ "total quantity sold by category": a figure stands before the participle and a column's name behind the "by".

    And nobody is a month, nor does a mere name say by whom those in a state came into it ("emails opened by owner").
    """
    following = index + 1
    if following >= len(draft.items):
        return False
    named = draft.items[following]
    if named.norm in GRAIN_WORDS:
        return True
    if named.values or not (named.columns or named.tables):
        return False
    if draft.roles.get(index - 1) == "condition":
        return True
    figure = index - 2
    return any(item.tag("agg") for item in draft.items[: index - 1]) or bool(draft.numeric(figure, 0.6))


def _by(draft: Draft, index: int) -> None:
    position, found = index + 1, 0
    while position < len(draft.items):
        item = draft.items[position]
        if (
            item.norm in GLUE
            or item.tag("distinct")
            or (found and (item.tag("and") or item.norm in (",", "then", "also", "by")))
            or (item.norm in ("name of", "group", "type of the", "binned", "bins of", "release") and not item.columns)
        ):
            if item.norm == "," and found and not _continues(draft, position):
                break
            if item.tag("and") and found and not _continues(draft, position):
                break
            position += 1
            continue
        if found and _place_of(draft, position):
            break
        if found and draft.roles.get(position) is None and _told_of(draft, position):
            draft.use(position, role="group")
            break
        if found and item.tag("agg") and draft.numeric(position + 1, 0.45):
            break
        if item.tag("count") and draft.numeric(position + 1, 0.6):
            draft.use(position, role="group")
            position += 1
            continue
        if item.tag("long") and _by_degree(draft, position):
            found += 1
            position += 1
            continue
        if found and item.tag("by"):
            draft.use(position, role="group")
            position += 1
            continue
        if found == 0 and position == index + 1 and _kind(draft, position):
            found += 1
            break
        if not draft.free(position) or not _dimension(draft, position):
            break
        found += 1
        position = max(position + 1, max((g.item for g in draft.groups), default=0) + 1)
        position = _owner(draft, position)
    if found:
        draft.use(index, role="group")


def _kind(draft: Draft, position: int) -> bool:
    """ "how many clients does each account manager have": those whose row holds that word, one by one."""
    if draft.roles.get(position) != "condition":
        return False
    said = next((c for c in draft.conditions if c.item == position and c.kind == "value" and not c.negated), None)
    if said is not None and said.slot is not None:
        people = {hit.table for hit in draft.items[position].tables}
        said.slot.hits = tuple(hit for hit in said.slot.hits if hit.table in people) or said.slot.hits
    table = said.slot.hits[0].table if said is not None and said.slot is not None and said.slot.hits else None
    names = draft.lexicon.schema.name_columns(table) if table is not None else ()
    if (
        table is None
        or not names
        or said is None
        or said.slot is None
        or said.slot.hits[0].column in {c.name for c in names}
    ):
        return False
    draft.groups.append(Group(table=table, item=position))
    return True


def _told_of(draft: Draft, position: int) -> bool:
    """ "the quantity of each category ordered", "what each customer spent": what was done, not a further dimension."""
    joined = position > 0 and (draft.items[position - 1].tag("and", "by") or draft.items[position - 1].norm == ",")
    return draft.items[position].norm in _DONE and not joined


def _place_of(draft: Draft, position: int) -> bool:
    """ "copies of each film in the inventory": the rows that are counted, not a further dimension."""
    before = position - 1
    while before > 0 and draft.items[before].norm in ("the", "our", "all"):
        before -= 1
    thing, table = draft.groups[-1].table if draft.groups else None, draft.table_at(position, 0.9)
    if thing is None or table in (None, thing) or draft.items[before].norm not in ("in", "in the", "in our", "from"):
        return False
    if table is None or draft.lexicon.schema.path(table, thing, one=True) is None:
        return False
    draft.axes["counted"] = position
    return True


def _by_degree(draft: Draft, position: int) -> bool:
    """ "by how long they are": the quantity that the adjective measures."""
    for token in draft.tagged.tokens[draft.items[position].start : draft.items[position].end]:
        adjective = vocabulary().adjective(token.keys)
        hits = columns_named(draft, adjective.of) if adjective else ()
        if hits:
            draft.groups.append(Group(Slot(position, hits), item=position))
            draft.use(position, role="group")
            return True
    return False


def _continues(draft: Draft, position: int) -> bool:
    """After "and" in a list of dimensions: another column that is not itself a measure phrase."""
    following = position + 1
    while following < len(draft.items) and draft.items[following].norm in GLUE | {"then", "by", "also"}:
        following += 1
    if following >= len(draft.items) or not draft.free(following):
        return False
    item = draft.items[following]
    if item.tag("agg", "count", "sup", "wh", "distribution"):
        return False
    grain = item.norm in GRAIN_WORDS or item.norm in PART_WORDS
    dimension = any(
        not is_number(draft.column(hit)) or draft.column(hit).role in ("time", "dimension", "id")
        for hit in item.columns[:3]
    )
    return grain or dimension or bool(item.tables)


def _dimension(draft: Draft, position: int) -> bool:
    head = head_noun(draft, position)
    if head == position and _year_of(draft, position):
        head = position + 1
    if head is not None and head > position:
        draft.use(*range(position, head), role="group")
        position = head
    item = draft.items[position]
    said = item.norm
    good = [hit for hit in item.columns if hit.score >= 0.45]
    grain = GRAIN_WORDS.get(said)
    part = (
        PART_WORDS.get(said)
        or PART_WORDS.get(" ".join(i.norm for i in draft.items[position : position + 4]))
        or PART_WORDS.get(" ".join(i.norm for i in draft.items[position : position + 3]))
    )
    moment = (moment_behind(draft, position) or moment_before(draft, position)) if part or grain else None
    if part:
        span = next(
            n for n in (4, 3, 1) if PART_WORDS.get(" ".join(i.norm for i in draft.items[position : position + n]))
        )
        draft.groups.append(Group(moment, part=part, item=position))
        draft.use(*range(position, position + span), role="group")
        return True
    if grain and not (good and good[0].score >= 0.95):
        draft.groups.append(Group(moment, grain=grain, item=position))
        draft.use(position, role="group")
        return True
    table = draft.table_at(position, 0.7)
    if good and not (table and good[0].score < 0.9):
        if table and good[0].score < 1.0 and item.tables[0].score >= good[0].score:
            draft.groups.append(Group(table=table, item=position))
        else:
            draft.groups.append(Group(Slot(position, tuple(good)), table=table, item=position))
        draft.use(position, role="group")
        return True
    if table:
        draft.groups.append(Group(table=table, item=position))
        draft.use(position, role="group")
        return True
    if item.columns and item.columns[0].score >= 0.35:
        draft.groups.append(Group(Slot(position, item.columns), item=position))
        draft.use(position, role="group")
        return True
    return False


def _year_of(draft: Draft, position: int) -> bool:
    """ "by model year": of two columns in one breath the time is the dimension, and the other says of what."""
    named, timed = draft.items[position].columns[:1], draft.moments(position + 1)[:1]
    return (
        bool(named and timed)
        and timed[0].score >= _WHOLE_NAME
        and not draft.moments(position)
        and draft.free(position + 1)
    )


def _owner(draft: Draft, position: int) -> int:
    """ "by kind of show": the thing behind "of" says whose kind it is and is no further dimension."""
    following = position
    while following < len(draft.items) and draft.items[following].norm in ("of", "the", "of the", "our"):
        following += 1
    table = draft.table_at(following, _WHOLE_NAME)
    group = draft.groups[-1]
    own = tuple(hit for hit in group.slot.hits if hit.table == table) if group.slot is not None else ()
    if following == position or not own or not draft.free(following) or group.item != position - 1:
        return position
    assert group.slot is not None
    group.slot.hits = own
    draft.use(following, role="group")
    return following + 1


def _bins(draft: Draft) -> None:
    """ "in bins of 10", "20 minute buckets", "binned"."""
    norms = [item.norm for item in draft.items]
    for index, word in enumerate(norms):
        if not re.search(
            r"^(bins?|binned|binning|buckets?|bucketed|intervals?|ranges|increments)$", word
        ) or not draft.free(index):
            continue
        width = None
        for position in (index + 2, index - 1, index - 2, index + 1):
            if 0 <= position < len(norms) and draft.items[position].number is not None and draft.free(position):
                width = draft.items[position].number
                draft.use(position, role="group")
                break
        draft.use(index, *(i for i in range(max(0, index - 3), index) if draft.items[i].tag("count")), role="group")
        draft.axes["bin"] = index
        for group in draft.groups:
            if group.slot is not None and any(is_number(draft.column(hit)) for hit in group.slot.hits[:1]):
                group.bin, group.bin_width = True, width
        grain = next(
            (
                GRAIN_WORDS[norms[p]]
                for p in range(max(0, index - 3), min(len(norms), index + 6))
                if norms[p] in GRAIN_WORDS and draft.free(p)
            ),
            None,
        )
        if grain:
            draft.axes["grain"] = index
