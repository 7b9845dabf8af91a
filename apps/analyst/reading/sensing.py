"""How near the words of a question lie to what a reading uses, by the network's own senses: states of the question's
words and of names, trained so that a word lies near the column or value that it names and far from all others. Spelled
forms and word lists have no part in it, so that it sees what `features` of linking cannot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from apps.analyst.reading.closeness import content_places
from apps.analyst.reading.linking import Linked
from apps.analyst.reading.network import network
from apps.analyst.reading.vectors import Floats

SENSES = (
    "sense_used", "sense_worst", "sense_lost", "sense_lost_sum", "sense_said", "sense_said_mean", "sense_margin",
    "sense_best", "sense_least",
)  # fmt: skip
COMPARED_SENSES = ("sense_used", "sense_lost", "sense_lost_sum", "sense_said", "sense_margin")


@dataclass(frozen=True)
class Senses:
    """Cosines of the question's words with all there is: tables and columns, then values."""

    near: Floats
    """Words x nodes and listed values."""
    tables: int
    columns: int
    content: list[int]
    """Places of the words that carry content."""


def senses_of(linked: Linked | None) -> Senses | None:
    """The senses of a question; None where it has no word of content."""
    content = content_places(linked) if linked is not None else []
    if linked is None or not content:
        return None
    names, values = network().senses(linked)
    tables = len(linked.index.tables)
    return Senses(np.concatenate([names, values.T], 1), tables, names.shape[1] - tables, content)


def sensed(senses: Senses | None, places: Sequence[int], chosen: Sequence[int]) -> dict[str, float]:
    """The figures of a reading that uses the nodes at `places` and the values `chosen`: how near the words of content
    lie to any of them (mean, least), how much nearer to something else (most, sum), and how near any word lies to each
    column that is used (least, mean), and how much nearer than that word lies to another column (least)."""
    if senses is None:
        return dict.fromkeys(SENSES, 0.0)
    nodes = senses.tables + senses.columns
    own = senses.near[senses.content]
    best = own.max(1)
    values = [nodes + n for n in chosen if nodes + n < own.shape[1]]
    used = own[:, [*places, *values]].max(1) if len(places) or values else np.zeros(len(own), np.float32)
    lost = best - used
    named = [place for place in places if place >= senses.tables]
    said, margin = _said(senses, named)
    return {
        "sense_used": float(used.mean()),
        "sense_worst": float(used.min()),
        "sense_lost": float(lost.max()),
        "sense_lost_sum": float(lost.sum()),
        "sense_said": float(said.min()) if named else 1.0,
        "sense_said_mean": float(said.mean()) if named else 1.0,
        "sense_margin": float(margin.min()) if named else 1.0,
        "sense_best": float(best.mean()),
        "sense_least": float(best.min()),
    }


def _said(senses: Senses, named: Sequence[int]) -> tuple[Floats, Floats]:
    """For each column how near the nearest word lies to it, and how much nearer than to any other column."""
    columns = senses.near[:, senses.tables : senses.tables + senses.columns]
    own = [place - senses.tables for place in named]
    said, words = columns[:, own].max(0), columns[:, own].argmax(0)
    others = columns[words].copy()
    others[np.arange(len(own)), own] = -1.0
    return said, said - others.max(1)
