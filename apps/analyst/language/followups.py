"""Questions that go on from the one before: "now by region", "only 2017", "make it a pie chart", "color by origin".

An elliptical question is read together with the ones it goes on from, as one text; what it names anew takes the place
of
what was said before.
"""

from __future__ import annotations

import re
from dataclasses import replace

from apps.analyst.types import Question

_OPENERS = re.compile(
    r"^\s*(?:and |but |now |then |also |so |ok(?:ay)?,? )*"
    r"(?:and|but|now|then|also|only|just|instead|facet|colou?r|group|stack|split|break|sort|order|rank|filter|exclude|include|without|add|remove|slice|segregate|separate|divide|"
    r"make (?:it|that|this|them)|turn (?:it|that)|show (?:it|that|this|them)|use|set|by|per|for|in|what about|how "
    r"about|same|do the same|"
    r"limit|compare|with|the same|instead of|as an?|plot (?:it|that|them)|draw "
    r"(?:it|that|them)|change|bin|aggregate|extend|do not|don't|"
    r"label|display (?:it|them)|that|those|these|them)\b",
    re.IGNORECASE,
)
_WAITS = re.compile(
    r"^\s*(?:(?:please|show|draw|plot|make|create|give|use|i want|let's see)\s+)*(?:me\s+)?(?:an?\s+|the\s+|some\s+)?"
    r"(?:(?:bar|line|pie|scatter|column)s?(?:\s?(?:chart|graph|plot)s?)?|histograms?)\s*[.:]?\s*$"
    r"|^\s*(?:group|facet|colou?r|split)(?:\s+(?:it|them|everything))?\s+by\s+[\w ]+[.:]?\s*$",
    re.IGNORECASE,
)
"""A beginning that names no more than a chart or a dimension: what is to be shown comes next."""
_REPLACES = re.compile(r"\b(?:now|instead|rather|what about|how about)\b", re.IGNORECASE)
_BY = re.compile(
    r"\b(?:broken down |grouped |split )?(?:by|per|for each)\s+(?:the\s+)?[\w]+(?:\s+and\s+[\w]+)?", re.IGNORECASE
)
_CHART = re.compile(
    r"\b(?:(?:as|in|using) )?(?:an? )?(?:\w+ )?(?:bar|line|pie|doughnut|scatter|radar|column) (?:chart|graph|plot)\b",
    re.IGNORECASE,
)
_YEAR = re.compile(r"\b(?:in |for |during |since )?(?:19|20)\d\d\b")
_MOST_TURNS = 4
_LONGEST = 16
"""Words: a longer question stands on its own."""


def waits(text: str) -> bool:
    """True for a beginning that names no more than a chart or a dimension: "draw bars"."""
    return bool(_WAITS.match(text))


def is_elliptical(text: str) -> bool:
    """True for a question that says only what should be otherwise."""
    words = text.split()
    return len(words) <= _LONGEST and (bool(_OPENERS.match(text)) or len(words) <= 2)


def whole(question: Question) -> Question | None:
    """The question with what it goes on from written out; None where it stands on its own."""
    waits = _goes_on(question)
    if not question.turns or not (waits or is_elliptical(question.text)):
        return None
    said = [question.text]
    for turn in reversed(question.turns[-_MOST_TURNS:]):
        said.insert(0, turn.question)
        if not waits and not is_elliptical(turn.question):
            break
    text = said[0]
    for addition in said[1:]:
        text = f"{_without_replaced(text, addition).rstrip(' .?!')}, {addition.strip()}"
    return replace(question, text=text, turns=())


def _goes_on(question: Question) -> bool:
    """ "Draw bars", and then "show the categories": what was begun waits for what is to be shown."""
    begun = question.turns[0].question if 0 < len(question.turns) <= _MOST_TURNS else ""
    return waits(begun) and len(question.text.split()) <= _LONGEST


def _without_replaced(text: str, addition: str) -> str:
    """What the addition says anew is dropped from the text: its dimension, its chart, its year."""
    if _REPLACES.search(addition) and _BY.search(addition):
        text = _BY.sub("", text)
    if _CHART.search(addition):
        text = _CHART.sub("", text)
    if _YEAR.search(addition) and not re.search(r"\bcompare|\bversus|\bvs\b|\band\b", addition):
        text = _YEAR.sub("", text)
    return text
