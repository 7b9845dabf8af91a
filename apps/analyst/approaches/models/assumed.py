"""How a model says that it read a question: its short phrases as parts of "Read as", and its question back. Pure.

These are words of a model that no figure proves, so little of them is shown: short ones that lead nowhere, ask nothing
of their reader, and hold no figure that neither the question nor the query has.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from apps.analyst.approaches.models.prose import harmless
from apps.analyst.approaches.models.replies import AskedBack
from apps.analyst.errors import Unclear
from apps.analyst.types import Answer, Chip, Choice, ReadAs

MOST_PHRASES, MOST_PHRASE = 3, 60
FEWEST_CHOICES, MOST_CHOICES, MOST_QUESTION = 2, 4, 200
_DIGITS = re.compile(r"\d+")


def with_phrases(answer: Answer, read: Sequence[str], known: str) -> Answer:
    """The answer with the model's phrases among the parts of its reading. `known` holds the figures they may name."""
    phrases = [phrase for one in read if (phrase := _shown(one, known, MOST_PHRASE))]
    said = tuple(
        Chip(f"model:{place}", "definition", phrase)
        for place, phrase in enumerate(dict.fromkeys(phrases[:MOST_PHRASES]))
    )
    if not said:
        return answer
    parts = answer.read_as or ReadAs()
    return replace(answer, read_as=replace(parts, chips=(*parts.chips, *said)))


def question_back(asked: AskedBack, known: str) -> Answer:
    """The question back as an answer to choose from. Raises Unclear where too little of it may be shown."""
    text = _shown(asked.message, known, MOST_QUESTION)
    shown = [choice for one in asked.choices if (choice := _shown(one, known, MOST_QUESTION))]
    choices = list(dict.fromkeys(shown))[:MOST_CHOICES]
    if not text or len(choices) < FEWEST_CHOICES:
        raise Unclear("The model asked back without choices that could be shown.")
    return Answer("clarify", text, choices=tuple(Choice(choice, choice) for choice in choices))


def _shown(text: str, known: str, most: int) -> str:
    """The text on one line; "" where it may not be shown."""
    line = " ".join(text.split())
    figures = set(_DIGITS.findall(line)) - set(_DIGITS.findall(known))
    return line if line and len(line) <= most and not figures and harmless(line) else ""
