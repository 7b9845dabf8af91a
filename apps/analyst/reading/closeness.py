"""How near the words of a question lie to anything in the data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from apps.analyst.knowledge.english import english
from apps.analyst.knowledge.folding import singular
from apps.analyst.knowledge.loader import knowledge
from apps.analyst.reading.linking import NAMING, Linked

STRANGE = 0.3
"""A word that fits nothing better, and that is no word of any trade, is one that nobody here knows."""


def closest(linked: Linked, channels: Sequence[int] = NAMING) -> Any:
    """How well each token fits the best column, table or value there is."""
    best = linked.channels[:, :, list(channels)].max((1, 2))
    return best if not len(linked.items) else larger(best, linked.item_tokens.max(0))


def larger(a: Any, b: Any) -> Any:
    return (a + b + abs(a - b)) / 2


def content_places(linked: Linked) -> list[int]:
    """Places of the words that carry content and are no number or period."""
    stop = english().stopwords
    return [n for n, word in enumerate(linked.tokens) if word not in stop and not linked.token_features[n, :3].any()]


def content_fits(linked: Linked) -> list[tuple[int, float]]:
    """How well each word of content fits the best column, table or value there is, by its place."""
    fit = closest(linked)
    return [(n, float(fit[n])) for n in content_places(linked)]


def unknown_places(linked: Linked) -> list[int]:
    """Places of the words of content that name nothing in the data and that knowledge does not have either; words that
    ask for a statistic name none."""
    known, plain = knowledge().vocabulary, english().form_words | english().statistic_words
    words = ((place, linked.tokens[place]) for place, fit in content_fits(linked) if fit < STRANGE)
    return [place for place, word in words if not {word, singular(word)} & known and word not in plain]
