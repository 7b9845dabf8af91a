"""How phrases and cells are compared: without case, accents, punctuation and plurals. No meaning belongs here."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_IRREGULAR = {
    "people": "person",
    "men": "man",
    "women": "woman",
    "children": "child",
    "feet": "foot",
    "teeth": "tooth",
    "mice": "mouse",
    "criteria": "criterion",
    "indices": "index",
    "indexes": "index",
    "analyses": "analysis",
    "diagnoses": "diagnosis",
    "shelves": "shelf",
    "knives": "knife",
    "wives": "wife",
    "halves": "half",
    "loaves": "loaf",
    "ids": "id",
    "kgs": "kg",
    "lbs": "lb",
    "hrs": "hr",
    "buses": "bus",
    "gases": "gas",
    "aliases": "alias",
    "uses": "use",
    "movies": "movie",
    "cookies": "cookie",
    "calories": "calorie",
    "ties": "tie",
    "shoes": "shoe",
    "caches": "cache",
    "series": "series",
    "species": "species",
    "news": "news",
    "lens": "lens",
    "always": "always",
    "this": "this",
    "plus": "plus",
    "lots": "lot",
}
_ENDINGS = (
    ("ies", "y"),
    ("sses", "ss"),
    ("xes", "x"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("zzes", "zz"),
    ("oes", "o"),
    ("auses", "ause"),
    ("ouses", "ouse"),
    ("cuses", "cuse"),
    ("fuses", "fuse"),
    ("uses", "us"),
    ("ss", "ss"),
    ("us", "us"),
    ("is", "is"),
    ("s", ""),
)
"""The first that fits is taken."""
_SHORTEST_PLURAL = 4
_APOSTROPHES = re.compile("['’‘`´]")
_SIGNS = (("%", " percent "), ("#", " number "), ("&", " and "))
_BETWEEN = re.compile(r"[\W_]+")
_SMALL = frozenset(
    ("of", "the", "a", "an", "in", "per", "for", "to", "by", "at", "on", "and", "or", "is", "was", "has")
)


_PLURALS = {
    "person": "people", "man": "men", "woman": "women", "child": "children", "foot": "feet", "shelf": "shelves",
    "alumnus": "alumni", "aircraft": "aircraft", "series": "series", "analysis": "analyses",
    "diagnosis": "diagnoses", "index": "indexes", "tech": "techs",
}  # fmt: skip


@lru_cache(maxsize=65536)
def singular(word: str) -> str:
    """A word without its plural ending; also the third person of a verb ("books") loses its s."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) < _SHORTEST_PLURAL or word[-1] != "s":
        return word
    for ending, instead in _ENDINGS:
        if word.endswith(ending):
            return word[: len(word) - len(ending)] + instead
    return word


def plural_word(word: str) -> str:
    """The plural of a noun of one word, in lower case or capitalized: "policies", "people", "techs"."""
    irregular = _PLURALS.get(word.lower())
    if irregular is not None:
        return word[0] + irregular[1:]
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "x", "z", "ch", "sh")) else "s")


@lru_cache(maxsize=65536)
def folded(text: str) -> str:
    """A phrase or a cell as it is compared: lower case, single-spaced, words in the singular, no punctuation."""
    return " ".join(map(singular, plain(text).split()))


def plain(text: str) -> str:
    """A text without case, accents and punctuation; its words keep their endings."""
    said = text.casefold()
    if not said.isascii():
        apart = unicodedata.normalize("NFKD", said)
        said = "".join(letter for letter in apart if not unicodedata.combining(letter))
    for sign, word in _SIGNS:
        if sign in said:
            said = said.replace(sign, word)
    return " ".join(_BETWEEN.sub(" ", _APOSTROPHES.sub("", said)).split())


def content_words(phrase: str) -> list[str]:
    """The words of a folded phrase that tell something; all of them where none does."""
    words = phrase.split()
    return [word for word in words if word not in _SMALL] or words
