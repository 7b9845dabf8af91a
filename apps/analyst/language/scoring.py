"""How sure a reading is: what share of the question's content found a place, and how well it fits the data."""

from __future__ import annotations

from apps.analyst.language.building.built import Built
from apps.analyst.language.morphology import words
from apps.analyst.language.parse.draft import Draft
from apps.analyst.language.phrases import FILLERS, STOPWORDS

_NEGATIONS = frozenset(("not", "never", "except", "excluding", "without", "no"))
"""Passed over, they turn an answer round."""
_BETWEEN_THINGS = words(
    "place placed make made buy bought purchase purchased order ordered sell sold handle handled supply supplied "
    "process processed serve served take took manage managed work works worked assign assigned belong belongs rent "
    "rented book booked"
)
"""Verbs that tie a thing to what happened with it: "customers who *placed* orders"."""
_HAPPENED = words("placed made")
"""Said of things that exist because of it: "orders *placed*"."""
_LOST = 0.4
"""Taken off for each restriction that was read and cannot be applied: the figure would be about other rows."""


def unused_words(draft: Draft, tables: int = 1) -> tuple[str, ...]:
    """Content words that found no place; over several tables the verbs between things are what joins them."""
    found = []
    small = FILLERS | STOPWORDS | (_BETWEEN_THINGS if tables > 1 else _HAPPENED)
    for index, item in enumerate(draft.items):
        if not draft.free(index):
            continue
        if item.tag("neg") and item.norm in _NEGATIONS:
            found.append(item.text)
            continue
        for token in draft.tagged.tokens[item.start : item.end]:
            if token.is_word and token.norm not in small and len(token.norm) > 1:
                found.append(token.text)
    return tuple(found)


def score(draft: Draft, built: Built, unused: tuple[str, ...]) -> float:
    """0 to 1: see `choose.ANSWER_THRESHOLD`."""
    used = sum(1 for index, item in enumerate(draft.items) if not draft.free(index) and not draft.is_filler(index))
    content = used + len(unused)
    covered = used / content if content else 0.0
    hits = [slot.best.score for slot in draft.select if slot.hits]
    hits += [m.slot.best.score for m in draft.measures if m.slot and m.slot.hits]
    hits += [c.slot.best.score for c in draft.conditions if c.slot and c.slot.hits and c.kind != "period"]
    fit = sum(min(1.0, hit) for hit in hits) / len(hits) if hits else 0.8
    value = 0.1 + 0.68 * covered + 0.2 * fit - _LOST * built.lost - 0.08 * built.multiplied
    return max(0.05, min(0.98, value))
