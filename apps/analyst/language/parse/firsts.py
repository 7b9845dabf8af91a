"""What "first" says besides the row that comes first: an order ("longest first") or a part of a name."""

from __future__ import annotations

from apps.analyst.language.parse.draft import Draft, Slot, Sort, is_number, is_time
from apps.analyst.language.parse.extremes import est
from apps.analyst.language.parse.quantities import columns_named
from apps.analyst.language.vocabulary import Adjective, vocabulary

_WHOLE_NAME = 0.95


def order_at_the_end(draft: Draft) -> None:
    """ "by doctor, longest first", "the cheapest ones first": an order of all, not the first row."""
    last = len(draft.items) - 1
    while last > 0 and draft.items[last].norm in (".", "?", "!", ")"):
        last -= 1
    if last < 1 or draft.items[last].norm != "first" or not draft.free(last):
        return
    at = last - 1
    while at > 0 and draft.items[at].norm in ("one", "ones", "the"):
        at -= 1
    adjective, degree = _degree_at(draft, at)
    if adjective is None or not draft.free(at):
        return
    used = [at, *range(at + 1, last + 1)] + ([at - 1] if degree is not None else [])
    used += [i for i in (min(used) - 1,) if draft.items[i].norm in (",", "the", "with the")]
    most = degree is None or degree
    draft.use(*used, role="sort")
    descending = (adjective.best == "desc") == most
    if any(item.tag("agg", "count") for item in draft.items[:at]):
        draft.sorts.append(Sort(descending, axis="y", item=last))
        return
    hits = tuple(
        h for h in columns_named(draft, adjective.of) if is_number(draft.column(h)) or is_time(draft.column(h))
    )
    if hits:
        moment = is_time(draft.column(hits[0]))
        word = next((word for word in adjective.of if word in draft.named(hits[0]).name.words), "")
        descending = (adjective.direction(word, moment=moment) == "desc") == most
        draft.sorts.append(Sort(descending, Slot(at, hits), item=last))


def _degree_at(draft: Draft, at: int) -> tuple[Adjective | None, bool | None]:
    """The adjective of "longest" or "most expensive", with whether "most" (not "least") stands before it."""
    single = est(draft.items[at])
    token = draft.items[at].token
    if single is not None:
        return single, None
    if token is None or at == 0:
        return None, None
    tag = draft.items[at - 1].tag("sup") if draft.free(at - 1) else None
    said = draft.items[at - 1].norm.split()[-1] if tag is not None else ""
    return (vocabulary().adjective(token.keys), said == "most") if said in ("most", "least") else (None, None)


def part_of_name(draft: Draft, index: int) -> bool:
    """ "the first and last names of the nurses": two columns, and no row that comes first."""
    behind = index + 1
    while behind < len(draft.items) and (draft.items[behind].tag("and") or draft.items[behind].norm in ("middle", ",")):
        behind += 1
    if draft.items[index].norm != "first" or behind == index + 1 or behind >= len(draft.items):
        return False
    last = draft.items[behind].columns[:1] if draft.items[behind].norm.startswith("last name") else ()
    own = tuple(h for h in draft.items[index].columns if last and last[0].score >= _WHOLE_NAME)
    if not own:
        return False
    alike = {hit.table for hit in draft.items[behind].columns}
    draft.use(index, role="select")
    draft.select.append(Slot(index, tuple(hit for hit in own if hit.table in alike) or own))
    return True
