"""Proven questions: a question asked before whose plan people found right is answered by that plan again.

Two questions are the same here where they hold the same words that carry meaning, numbers included: a plan for 2023 is
none for 2024. Questions about moving times ("last quarter") are never kept, because their plans name fixed days.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from apps.analyst.errors import AnalystError
from apps.analyst.language import Reading
from apps.analyst.language.followups import is_elliptical
from apps.analyst.language.morphology import fold, stem, words
from apps.analyst.plan.validate import validate
from apps.analyst.ports import Catalog
from apps.analyst.types import Proven, Question

STEP = "Searching relevant historical queries"
KEPT = "Kept for this question."
"""What it comes to that a question is kept with its plan, for the person who decides it."""
_MOVING = re.compile(
    r"\b(?:last|this|previous|current|past|next|coming|recent(?:ly)?|latest|today|yesterday|tomorrow|now|ago|ytd|mtd|qtd|"
    r"to date|so far|overdue|year[- ]over[- ]year|yoy|qoq|mom)\b",
    re.IGNORECASE,
)
_EMPTY = words(
    "a an the of in on at for to is are was were be do does did what which how me us our we i you your please show "
    "give tell list can could would there have has and it"
)
_WORD = re.compile(r"[^\W_]+|[%$€£]")


def key_of(text: str) -> str:
    """What tells questions apart: their words that carry meaning, in any order; "" where a question is not kept."""
    if _MOVING.search(text) or is_elliptical(text):
        return ""
    said = words_said(text)
    return " ".join(sorted(said)) if len(said) > 1 else ""


def words_said(text: str) -> list[str]:
    """The words of a question that carry meaning, each as all its forms are kept."""
    return [stem(word) for word in _WORD.findall(fold(text)) if word not in _EMPTY]


def is_kept(question: Question) -> bool:
    """Whether a question that was asked by itself, of all files, can be kept with its plan."""
    return question.files is None and not question.turns and bool(key_of(question.text))


def recalled(question: Question, catalog: Catalog) -> Proven | None:
    """The proven question that asks the same, where its plan still holds over the catalog."""
    key = key_of(question.text)
    for proven in question.proven if key else ():
        if key_of(proven.question) != key:
            continue
        try:
            validate(proven.plan, catalog)
        except AnalystError:
            continue
        return proven
    return None


def with_proven(question: Question, readings: Sequence[Reading], proven: Proven | None) -> list[Reading]:
    """The readings with the proven one first. A reading that makes the same plan keeps what else it understood."""
    if proven is None:
        return list(readings)
    same = next((reading for reading in readings if reading.plan == proven.plan), None)
    understood = (f"the proven question “{proven.question}”",)
    taken = same or Reading(plan=proven.plan, score=1.0, reader="memory", wording=question.text)
    return [replace(taken, score=1.0, understood=(*understood, *taken.understood)), *readings]


def told(proven: Proven) -> str:
    """The sentence that an answer says of the proven question it stands on."""
    return f"Answered as the proven question “{proven.question}” ({proven.why})."
