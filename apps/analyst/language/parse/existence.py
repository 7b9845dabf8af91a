"""Things that must or must not exist: "who have never ordered", "stadiums without concerts", "courses that have
students"."""

from __future__ import annotations

from apps.analyst.language.morphology import parts_of_speech, verb_forms, words
from apps.analyst.language.parse.draft import Condition, Draft
from apps.analyst.language.parse.events import happenings, is_buyer

_DONE = words(
    "bought buy ordered order purchased purchase sold sell placed rented rent booked book used use visited visit paid "
    "pay shipped ship take took taken attend attended"
)
_DONE_THEN = _DONE | {"ordered in"}
"""Read as one phrase, which is meant for lists "ordered in" some way."""
_NAMED = 0.9
_ANYTHING = words("anything something any nothing one")
_NOBODY = frozenset(("nobody", "no one", "noone"))
_BEING = words("were was are is been got")
_PARTLY = 0.4
_NEAR = 4
_ENDS = frozenset((".", "?", ";", ","))


def read_existence(draft: Draft) -> None:
    """Entities that are neither asked for nor counted become existence conditions; negated ones their absence."""
    _nearest_links(draft)
    _none_in_a_state(draft)
    said = sorted(draft.entities)
    counted = {m.table for m in draft.measures if m.table} | {g.table for g in draft.groups if g.table}
    counted |= {h.measure.table for h in draft.having if h.measure.table} | {
        s.measure.table for s in draft.sorts if s.measure and s.measure.table
    }
    head = _asked_by_column(draft, said) or _told_first(draft, said)
    if head is not None:
        _never_done(draft, head)
        _once_done(draft, head)
    if len(said) == 1 and _not_among(draft, *said[0]):
        return
    counted |= _either(draft)
    told = {c.table for c in draft.conditions if c.kind == "exists" and c.negated}
    for item, table, score in said:
        if table in told and table != head:
            draft.entities.remove((item, table, score))
            continue
        negation = _negation(draft, item)
        period = _never_in_period(draft, item) if negation is None and table != head else None
        if period is not None:
            period.negated = False
        if period is not None or (negation is not None and table != head):
            draft.use(*([negation] if negation is not None else []), role="condition")
            draft.conditions.append(Condition("exists", table=table, negated=True, item=item))
            draft.entities.remove((item, table, score))
            _then(draft, item, table)
        elif table != head and table not in counted and _required(draft, item) and not _denied(draft, item):
            draft.conditions.append(Condition("exists", table=table, item=item))


def _none_in_a_state(draft: Draft) -> None:
    """ "companies without open tickets": of tickets in that state there are none at all, whatever others there are."""
    for item, table, score in sorted(draft.entities):
        state = next((c for c in draft.conditions if c.item == item - 1 and c.kind in ("value", "missing")), None)
        negation = next((i for i in (item - 2, item - 3) if i > 0 and draft.items[i].tag("neg")), None)
        if state is None or negation is None or state.slot is None or draft.free(negation):
            continue
        if state.kind == "value" and not state.negated:
            continue
        if not any(hit.table == table for hit in state.slot.hits) or not _asked_before(draft, negation, table):
            continue
        state.negated = not state.negated
        state.slot.hits = tuple(hit for hit in state.slot.hits if hit.table == table)
        draft.conditions.append(Condition("exists", table=table, negated=True, item=negation))
        draft.entities.remove((item, table, score))
        return


def _asked_before(draft: Draft, negation: int, table: str) -> bool:
    """Whether something else is asked for before the negation; columns that both tables have are not the second's."""
    if any(item < negation and other != table for item, other, _ in draft.entities):
        return True
    counted = [measure.slot for measure in draft.measures if measure.fn == "count" and measure.slot is not None]
    for slot in [*draft.select, *counted]:
        others = tuple(hit for hit in slot.hits if hit.table != table and hit.score >= slot.hits[0].score)
        if slot.item < negation and others and draft.lexicon.schema.path(table, others[0].table) is not None:
            slot.hits = others
            return True
    return False


def _then(draft: Draft, index: int, table: str) -> None:
    """ "companies without deals in 2026": there were none in that year, whenever the companies came."""
    for condition in draft.conditions:
        if condition.kind == "period" and condition.item > index and condition.slot is not None:
            own = tuple(hit for hit in condition.slot.hits if hit.table == table)
            condition.slot.hits = own or condition.slot.hits


def _told_first(draft: Draft, said: list[tuple[int, str, float]]) -> str | None:
    """The thing said first: one that is asked for, or one by which is asked ("for all clerks who sold no lots")."""
    things = [(item, table) for item, table, _ in said]
    things += [(group.item, group.table) for group in draft.groups if group.table is not None and group.slot is None]
    return min(things)[1] if things else None


def _either(draft: Draft) -> set[str]:
    """ "with a show by Ada or in Oslo": where one of two things is enough, none need have a show."""
    if not any(condition.alternative for condition in draft.conditions):
        return set()
    return {c.slot.hits[0].table for c in draft.conditions if c.slot is not None and c.slot.hits}


def _denied(draft: Draft, index: int) -> bool:
    """ "that hold no show told by Ada", "except those with a show in May": of such things there are none at all."""
    told = any(c.negated and c.item > index for c in draft.conditions)
    for position in range(index - 1, max(-1, index - 6), -1) if told else ():
        if draft.items[position].tag("neg"):
            draft.use(position, role="condition")
            return True
        if draft.items[position].norm in _ENDS:
            return False
    return False


def _nearest_links(draft: Draft) -> None:
    """ "nurses who attend no course": of several tables that the verb may name, the one that ties to the nurses."""
    said = sorted(draft.entities)
    edges = draft.lexicon.schema.edges
    for entry in said[1:]:
        item, table, _ = entry
        beside = {edge.target for edge in edges.get(said[0][1], ())}
        token = draft.items[item].token
        if table in beside or table == said[0][1] or token is None or token.norm.endswith("s"):
            continue
        near = [hit for hit in draft.items[item].tables if hit.table in beside and hit.score >= _PARTLY]
        if near and "VERB" in parts_of_speech(token.norm):
            draft.entities[draft.entities.index(entry)] = (item, near[0].table, near[0].score)


def _asked_by_column(draft: Draft, said: list[tuple[int, str, float]]) -> str | None:
    """ "which town has no theatres": the towns are a column of another table, whose rows the theatres refer to."""
    counted = [measure.slot for measure in draft.measures if measure.fn == "count" and measure.slot is not None]
    slots = [*draft.select, *counted]
    if len(said) != 1 or len(slots) != 1 or len(counted) != len(draft.measures) or draft.groups or draft.sorts:
        return None
    item, table, _ = said[0]
    asked = slots[0]
    denied = _negation(draft, item) is not None or _never_in_period(draft, item) is not None
    if not asked.hits or asked.item > item or not denied:
        return None
    alike = [hit for hit in asked.hits if hit.score >= asked.hits[0].score]  # files that share their accounts
    home = next((hit.table for hit in alike if hit.table != table), table)
    if home == table or draft.column(asked.hits[0]).type != "text":
        return None
    if draft.lexicon.schema.path(table, home) is None:
        return None
    asked.hits = tuple(hit for hit in asked.hits if hit.table != table)
    return home


def _not_among(draft: Draft, item: int, table: str, score: float) -> bool:
    """ "which guests are not members": guests without a table of their own who are not in the table of members."""
    negation = _negation(draft, item)
    asked = draft.select[0] if len(draft.select) == 1 and draft.select[0].item < item else None
    if negation is None or asked is None or draft.measures or draft.groups:
        return False
    schema = draft.lexicon.schema
    others = tuple(hit for hit in asked.hits if hit.table != table and schema.path(hit.table, table) is not None)
    if not others or draft.column(others[0]).role != "id":
        return False
    asked.hits = others
    draft.distinct = True
    draft.use(negation, role="condition")
    draft.conditions.append(Condition("exists", table=table, negated=True, item=item))
    draft.entities.remove((item, table, score))
    return True


def _never_in_period(draft: Draft, index: int) -> Condition | None:
    """ "did not order in 1997": not that orders lie elsewhere, but that there are none in that year."""
    before = [i for i in range(index - 1, max(-1, index - 3), -1) if draft.items[i].tag("neg")]
    told = [c for c in draft.conditions if c.kind == "period" and c.negated and c.item > index]
    return told[0] if before and told and draft.roles.get(before[0]) == "condition" else None


def _never_done(draft: Draft, head: str) -> None:
    """ "customers who never bought anything", "products never sold": no row of what happens refers to them."""
    for index, item in enumerate(draft.items):
        if not draft.free(index) or not (item.norm in _DONE or _is_event(item.norm)):
            continue
        negation = next((i for i in range(index - 1, max(-1, index - 4), -1) if _denies(draft, i)), None)
        table = happenings(draft, index, head) if negation is not None else None
        if negation is None or table is None:
            continue
        others = [item for item, other, _ in draft.entities if other != head]
        if any(negation < item <= index + _NEAR for item in others):
            draft.use(index, role="condition")  # "no guests enrolled", "not enrolled in any course": these are missing
            continue
        draft.use(negation, index, role="condition")
        draft.use(*(i for i in range(index + 1, min(index + 3, len(draft.items))) if draft.items[i].norm in _ANYTHING))
        draft.conditions.append(Condition("exists", table=table, negated=True, item=index))
        return


def _once_done(draft: Draft, head: str) -> None:
    """ "how many customers bought something in 2013": those to whom some row of what happens, then, refers."""
    for index, item in enumerate(draft.items):
        if not draft.free(index) or item.norm not in _DONE_THEN:
            continue
        doer = next((i for i in range(index - 1, max(-1, index - 4), -1) if not draft.is_filler(i)), None)
        if doer is None or not is_buyer(draft, doer) or draft.table_at(doer, _NAMED) != head:
            continue
        if any(condition.kind != "period" for condition in draft.conditions):
            return
        free = [i for i in range(index + 1, len(draft.items)) if draft.free(i)]
        if not all(draft.items[i].norm in _ANYTHING or draft.is_filler(i) for i in free):
            return
        if any(draft.items[i].tag("neg") for i in free):
            return  # "sold no tickets"
        table = happenings(draft, index, head)
        if table is None:
            return
        draft.use(index, *(i for i in free if draft.items[i].norm in _ANYTHING), role="condition")
        none = any(draft.items[i].norm == "nothing" for i in free)
        if not _when_it_happened(draft, table, head) or none:
            draft.conditions.append(Condition("exists", table=table, negated=none, item=index))
        return


def _when_it_happened(draft: Draft, table: str, head: str) -> bool:
    """Takes the periods said for those of what happens, not of the things' own dates; False where none is said."""
    schema = draft.lexicon.schema
    told = [slot for c in draft.conditions if c.kind == "period" and (slot := c.slot) is not None]
    for slot in told:
        near = [hit for hit in slot.hits if hit.table != head and schema.path(table, hit.table, one=True) is not None]
        slot.hits = tuple(sorted(near, key=lambda hit: schema.distance(table, hit.table))) or slot.hits
    return bool(told)


def _is_event(word: str) -> bool:
    """A participle: "rated", "prescribed"."""
    return word.endswith(("ed", "en", "wn", "ght")) and "VERB" in parts_of_speech(word) and word not in verb_forms(word)


def _denies(draft: Draft, index: int) -> bool:
    return draft.tagged_as(index, "neg") or (draft.free(index) and draft.items[index].norm in _NOBODY)


def _negation(draft: Draft, index: int) -> int | None:
    for position in range(index - 1, max(-1, index - 7), -1):
        item = draft.items[position]
        if item.tag("neg") and draft.free(position):
            return position
        if item.norm in _ENDS or item.tag("by", "sup"):
            return None
        if (
            position != index - 1
            and draft.table_at(position, 0.9)
            and item.token is not None
            and not item.token.norm.endswith("ed")
        ):
            return None
    return None


def _required(draft: Draft, index: int) -> bool:
    """ "... that have some students", "who placed orders", "bills that were paid": a relative clause or verb links the
    thing."""
    if index > 0 and draft.items[index].norm in _DONE and draft.items[index - 1].norm in _BEING:
        return True
    for position in range(index - 1, max(-1, index - 6), -1):
        norm = draft.items[position].norm
        if norm in ("who", "that", "which", "have", "has", "having", "with", "had", "whose"):
            return True
        if norm in _ENDS:
            return False
    return False
