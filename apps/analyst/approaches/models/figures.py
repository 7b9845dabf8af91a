"""The figures of a text, in digits or in words, each as exactly as it is written. Pure.

Nothing that could be read as a figure is passed over: what is glued to letters ("USD5m", "approx.12") is one, digits of
any script are, and signs that hold a fraction cannot be read and make the text unreadable.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from apps.analyst.tables.words import NUMBER_SCALES, NUMBER_WORDS

Kind = Literal["number", "percent", "times"]

_SCALES: dict[str, float] = {
    **NUMBER_SCALES, "dozen": 12, "lakh": 1e5, "crore": 1e7, "trillion": 1e12,
    "k": 1e3, "m": 1e6, "mn": 1e6, "mio": 1e6, "b": 1e9, "bn": 1e9, "tn": 1e12,
}  # fmt: skip
_SCALE = rf"(?:{'|'.join(sorted(_SCALES, key=len, reverse=True))})s?"
_PER_CENT, _TIMES = r"(?P<percent>%|percent\b|per cent\b|pct\b)", r"(?P<times>[\s-]?(?:times|fold|x)\b|×)"
_DIGITS = re.compile(
    r"(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
    rf"(?:[\s-]?(?P<scale>{_SCALE})\b)?(?:\s?{_PER_CENT}|{_TIMES})?",
    re.IGNORECASE,
)
_NUMERAL = "|".join(NUMBER_WORDS)
_ONE_MORE = rf"[\s-]+(?:and[\s-]+)?(?:{_NUMERAL}|{_SCALE})"
_WORDS = re.compile(
    rf"\b(?P<said>(?:(?:a|an)[\s-]+)?(?:{_NUMERAL}|{_SCALE})(?:{_ONE_MORE})*)\b(?:\s?{_PER_CENT}|{_TIMES})?",
    re.IGNORECASE,
)
_RATIOS = re.compile(
    r"\b(?:(?P<two>twice|doubl(?:e[sd]?|ing))|(?P<three>thrice|tripl(?:e[sd]?|ing))"
    r"|(?P<half>halves|halved|halving|half (?:of|as|the)))\b",
    re.IGNORECASE,
)
_NAMES_OF_ONE = frozenset(("one", "a", "an", "m", "b", "k"))
"""Words that stand alone for no figure: "one of them", the letters of a scale."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure with half of its last digit's step, and as what it is said: so much, so many per cent, so many times."""

    value: float
    half: float
    kind: Kind = "number"
    start: int = 0
    """Its place in the text."""


def figures(text: str) -> Iterator[Figure]:
    """Each figure of a text, those in digits first."""
    rest = list(text)
    for match in _DIGITS.finditer(text):
        yield _in_digits(match)
        rest[match.start() : match.end()] = " " * (match.end() - match.start())
    words = "".join(rest)
    for match in _WORDS.finditer(words):
        found = _in_words(match)
        if found is not None:
            yield found
    for match in _RATIOS.finditer(words):
        if match["half"]:
            yield Figure(50.0, 5.0, "percent", match.start())
        else:
            yield Figure(2.0 if match["two"] else 3.0, 0.5, "times", match.start())


def unreadable(text: str) -> frozenset[str]:
    """Signs that hold a number which is not made of digits: ½, ², Ⅳ."""
    return frozenset(sign for sign in text if unicodedata.category(sign) in ("No", "Nl"))


def _in_digits(match: re.Match[str]) -> Figure:
    number = re.sub(r"[, \u00a0\u202f]", "", match["number"])
    scale = _scale(match["scale"])
    places = len(number.partition(".")[2])
    return Figure(float(number) * scale, 0.5 * 10**-places * scale, _kind(match), match.start())


def _scale(word: str | None) -> float:
    if not word:
        return 1.0
    word = word.lower()
    return _SCALES.get(word) or _SCALES[word.removesuffix("s")]


def _kind(match: re.Match[str]) -> Kind:
    return "percent" if match["percent"] else "times" if match["times"] else "number"


def _in_words(match: re.Match[str]) -> Figure | None:
    """ "Two hundred and forty", "twelve thousand", "a dozen"; None for words that stand for no figure alone."""
    words = [word for word in re.split(r"[\s-]+", match["said"].lower()) if word != "and"]
    if len(words) == 1 and words[0] in _NAMES_OF_ONE:
        return None
    total = part = 0.0
    step = 1.0
    for word in words:
        if word in ("a", "an"):
            part = 1.0
        elif word in NUMBER_WORDS:
            part += NUMBER_WORDS[word]
            step = 1.0
        else:
            step = _scale(word)
            part = (part or 1.0) * step
            if step >= 1e3:
                total, part = total + part, 0.0
    return Figure(total + part, 0.5 * step, _kind(match), match.start())
