"""What was earned, asked for by its verb alone: "what did we sell in 2020", "what did each shop bring in"."""

from __future__ import annotations

from apps.analyst.language.concepts import plain_name
from apps.analyst.language.figures import additive
from apps.analyst.language.morphology import words
from apps.analyst.language.parse.draft import Draft, Measure, Slot
from apps.analyst.language.parse.quantities import columns_named
from apps.analyst.language.parse.sizes import MONEY
from apps.analyst.telling.formats import spoken

_EARNED = words(
    "sell sold earn earned make made gross grossed turn bring brought take took invoice invoiced bill billed"
)
_HELPS, _BEHIND = words("did have has do does"), words("in over")
_LONGEST = 8


def read_earned(draft: Draft) -> None:
    """Reads "what did ... <verb of earning>" without an object into the money that the data know."""
    if len(draft.items) < 4 or draft.items[0].norm != "what" or draft.items[1].norm not in _HELPS:
        return
    for verb in range(2, min(_LONGEST, len(draft.items))):
        if draft.items[verb].norm not in _EARNED or not draft.free(verb):
            continue
        behind = verb + 1 if verb + 1 < len(draft.items) and draft.items[verb + 1].norm in _BEHIND else verb
        hits = tuple(hit for hit in columns_named(draft, MONEY) if additive(draft, hit))
        if not hits or _has_object(draft, behind + 1):
            return
        draft.use(0, 1, verb, role="measure")
        draft.measures.append(Measure("sum", Slot(verb, hits), item=verb, said=False))
        draft.assumptions.append(f"Measured by the total of {spoken(plain_name(hits[0].column))}")
        return


def _has_object(draft: Draft, index: int) -> bool:
    """ "what did we sell Anna": something named right behind the verb, and no time, place or dimension."""
    if not draft.free(index) or draft.items[index].tag("of", "by", "pos"):
        return False
    item = draft.items[index]
    return bool(item.names or item.values or item.tag("sup", "count", "agg"))
