"""What happens to things: "the most frequently ordered product", "the least booked room", "the most rented film".

The happenings are the rows that refer to the thing: lines of orders to products, bookings to rooms.
"""

from __future__ import annotations

from apps.analyst.language.concepts import REVENUE
from apps.analyst.language.figures import additive
from apps.analyst.language.morphology import parts_of_speech, verb_forms, words
from apps.analyst.language.parse.draft import Draft, Group, Measure, Slot, Sort
from apps.analyst.language.parse.extremes import count_before, head_noun
from apps.analyst.language.parse.quantities import columns_named
from apps.analyst.language.tagging import ColumnHit
from apps.analyst.language.vocabulary import vocabulary

_NAMED = 0.9
_ALIKE = 0.3
"""How well a participle's word must name a table to choose it among those that refer to the thing."""
_REPEATED = 0.7
_ROOT = 4
"""A verb and a table speak of one thing where they begin alike by so many letters ("rented", "rental")."""
_SOLD = words("sold ordered purchased bought rented borrowed")
_DONE = words("ordered purchased bought rented borrowed booked hired used visited delivered shipped reserved")
_BEING = words("were was are is have has had been being got")
_AGAIN = ("frequently", "often", "commonly", "popularly", "regularly")


def read_events(draft: Draft) -> None:
    """Reads "most (often) ...ed things" into a ranking by the rows that refer to the thing."""
    for index, item in enumerate(draft.items):
        tag = item.tag("sup", "common") if draft.free(index) else None
        much = {"most", "least"} & set(item.norm.split())
        if tag is not None and much and _is_participle(draft, index + 1):
            thing = head_noun(draft, draft.next_named(index + 1, reach=1, stop=("cmp", "by", "neg", "sup", "and")))
            if thing is not None:
                _ranked(draft, index, index + 1, thing, descending=tag.value == "desc")
        elif tag is not None and much and draft.free(index - 1) and _happens(draft, index - 1):
            thing = _asked(draft, index - 1)
            if thing is not None:
                _ranked(draft, index, index - 1, thing, descending=tag.value == "desc")
        elif item.tag("count") and draft.free(index):
            _how_many(draft, index)


def _how_many(draft: Draft, index: int) -> None:
    """ "how many books were sold": the pieces of all sales, else the rows that refer to the thing."""
    thing = head_noun(draft, draft.next_named(index, reach=1, stop=("cmp", "by", "neg", "sup", "and", "distinct")))
    own = draft.table_at(thing, 0.6) if thing is not None else None
    if thing is None or own is None or "different" in draft.items[index].norm:
        return
    verb = thing + 1
    while verb < len(draft.items) and draft.items[verb].norm in _BEING:
        verb += 1
    if verb >= len(draft.items) or draft.items[verb].norm not in _SOLD or not draft.free(verb):
        return
    if verb == thing + 1 and is_buyer(draft, thing):
        return
    table = happenings(draft, verb, own)
    if table is None:
        return
    pieces = _pieces(draft, table)
    draft.use(index, thing, verb, role="measure")
    if pieces:
        draft.measures.append(Measure("sum", Slot(thing, pieces), item=index, said=False))
    else:
        draft.measures.append(Measure("count", table=table, item=index))


def is_buyer(draft: Draft, index: int) -> bool:
    """True for "customers" and the like: what they bought is not how many of them were bought."""
    token = draft.items[index].token
    return token is not None and bool(token.keys & vocabulary().buyers)


def _is_participle(draft: Draft, index: int) -> bool:
    """ "ordered" and the like; a word that is an adjective besides ("experienced") says how things are."""
    token = draft.items[index].token if draft.free(index) else None
    if token is None:
        return False
    word = token.norm
    plain = word.endswith(("ed", "en", "wn", "ld", "ght", "nt", "ad")) and word not in verb_forms(word)
    return plain and "VERB" in parts_of_speech(word) and vocabulary().adjective(token.keys) is None


def _happens(draft: Draft, index: int) -> bool:
    """ "was prescribed most often": a verb of trade, or another one behind whose "most" nothing is named."""
    if draft.items[index].norm in _DONE:
        return True
    named = index + 2 < len(draft.items) and draft.items[index + 2].names
    return _is_participle(draft, index) and not draft.items[index].columns and not named


def _asked(draft: Draft, verb: int) -> int | None:
    """ "which product was ordered the most": the thing before the verb."""
    position = verb - 1
    while position > 0 and draft.items[position].norm in _BEING:
        position -= 1
    asked = position > 0 and draft.items[position - 1].tag("wh") and draft.free(position)
    return position if asked and draft.items[position].names else None


def _ranked(draft: Draft, index: int, verb: int, thing: int, *, descending: bool) -> None:
    again = draft.items[index].norm.split()[-1] in _AGAIN
    measured = [hit for hit in draft.numeric(verb, 0.7) if draft.column(hit).role == "measure"]
    own = draft.table_at(thing, _NAMED)
    table = happenings(draft, verb, own) if own is not None else _repeating(draft, thing)
    if table is None or (measured and not again and any(hit.table in (own, table) for hit in measured)):
        return
    limit, items = count_before(draft, index)
    items += [place - 1 for place in items if draft.tagged_as(place - 1, "top")]
    figure = told_by(draft, thing)
    if figure is not None:
        by, slot = figure
        draft.use(index, verb, *items, by, slot.item, role="sup")
        measure = Measure("sum", slot, item=verb)
        draft.sorts.append(Sort(descending, measure=measure, limit=limit, superlative=True, item=index))
        return
    pieces = () if again else _pieces(draft, table)
    measure = (
        Measure("sum", Slot(verb, pieces), item=verb, said=False)
        if pieces
        else Measure("count", table=table, item=verb)
    )
    draft.use(index, verb, *items, role="sup")
    draft.sorts.append(Sort(descending, measure=measure, limit=limit, superlative=True, item=index))
    if pieces:
        word = draft.items[verb].text
        draft.assumptions.append(f"“Most {word}” is measured by how many pieces were {word}, not by how often")
    if not any(other.tag("by") for other in draft.items):
        draft.groups.append(Group(None if own else Slot(thing, draft.items[thing].columns), table=own, item=thing))
        draft.use(thing, role="group")


def told_by(draft: Draft, thing: int) -> tuple[int, Slot] | None:
    """ "the most ordered dishes based on revenue": the figure that measures it."""
    for by in range(thing + 1, len(draft.items) - 1):
        named = draft.next_named(by, reach=1) if draft.tagged_as(by, "by") else None
        hits = tuple(hit for hit in draft.numeric(named, 0.6) if additive(draft, hit)) if named is not None else ()
        if named is not None and hits:
            return by, Slot(named, hits)
    return None


def happenings(draft: Draft, verb: int, thing: str) -> str | None:
    """The table whose rows refer to the thing, as the verb names it, else the one nothing else refers to."""
    schema = draft.lexicon.schema
    near = [t for t in schema.tables if t != thing and schema.path(t, thing, one=True) is not None]
    said = {hit.table: hit.score for hit in draft.items[verb].tables if hit.table in near and hit.score >= _ALIKE}
    said |= {hit.table: hit.score for hit in draft.items[verb].columns if hit.table in near and hit.score >= _NAMED}
    if said:
        best = [table for table, score in said.items() if score >= max(said.values())]
        return best[0] if len(best) == 1 else None
    token = draft.items[verb].norm
    alike = [t for t in near if any(w[:_ROOT] == token[:_ROOT] for w in schema.tables[t].name.needed)]
    if len(token) > _ROOT and len(alike) == 1:
        return alike[0]
    if draft.items[verb].norm in _SOLD:
        sales = [t for t in near if (t, REVENUE) in draft.lexicon.concepts]
        if len(sales) == 1:
            return sales[0]
    last = [t for t in near if not any(schema.path(other, t, one=True) is not None for other in near if other != t)]
    return last[0] if len(last) == 1 else None


def _repeating(draft: Draft, thing: int) -> str | None:
    """The table in whose rows a thing without a table of its own stands again and again."""
    hits = draft.items[thing].columns
    if not hits or hits[0].score < _NAMED:
        return None
    table = hits[0].table
    repeats = draft.column(hits[0]).distinct <= _REPEATED * draft.lexicon.schema.tables[table].table.rows
    return table if repeats else happenings(draft, thing - 1, table)


def _pieces(draft: Draft, table: str) -> tuple[ColumnHit, ...]:
    """The quantity of the happenings, where each stands for several pieces."""
    hits = columns_named(draft, ("quantity",))
    return tuple(hit for hit in hits if hit.table == table and draft.column(hit).role == "measure")[:1]


def happening(draft: Draft, thing: int) -> str | None:
    """ "the most common size ordered": the rows of what the participle behind says."""
    if thing + 1 >= len(draft.items) or draft.items[thing + 1].norm not in _SOLD or not draft.free(thing + 1):
        return None
    item = draft.items[thing]
    tables = [*(hit.table for hit in item.columns[:1]), *(hit.table for hit in item.tables[:1])]
    table = happenings(draft, thing + 1, tables[0]) if tables else None
    if table is not None:
        draft.use(thing + 1, role="sup")
    return table
