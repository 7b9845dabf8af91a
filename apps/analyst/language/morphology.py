"""Word forms: what two words have in common although one is plural, past tense or a noun made of the other.

A word's *keys* are short strings; two words are forms of one another where their keys meet.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import lru_cache

_IRREGULAR = {
    "people": "person",
    "persons": "person",
    "men": "man",
    "women": "woman",
    "children": "child",
    "data": "data",
    "media": "medium",
    "staff": "staff",
    "series": "series",
    "species": "species",
    "feet": "foot",
    "criteria": "criterion",
}
_SUFFIXES = (
    ("ization", "ize"),
    ("ations", "at"),
    ("ation", "at"),
    ("ments", ""),
    ("ment", ""),
    ("ities", ""),
    ("ity", ""),
    ("ings", ""),
    ("ing", ""),
    ("ers", "er"),
    ("edly", ""),
    ("ed", ""),
    ("ies", "y"),
    ("ses", "s"),
    ("xes", "x"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("es", "e"),
    ("s", ""),
    ("ly", ""),
)
_KEEP_S = ("ss", "us", "is")
_AT_LEAST = {"ly": 4, "ation": 5, "ations": 5}
"""Letters that such an ending leaves of a word, else it is none: a "reply" is no rep, a "station" no state."""


def words(text: str) -> frozenset[str]:
    """The words of a list that is written as one text."""
    return frozenset(text.split())


@lru_cache(maxsize=65536)
def fold(text: str) -> str:
    """Text without case, accents and typographic quotes, single-spaced: how stored values and words are compared."""
    plain = unicodedata.normalize("NFKD", text.replace("\u2019", "'").replace("\u2018", "'"))
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    return " ".join(plain.casefold().split())


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A light suffix stripper: "released", "releases" and "release" meet, "address" stays."""
    if len(word) <= 3 or not word.isalpha():
        return word
    word = word.replace("isation", "ization")
    for suffix, replacement in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) + len(replacement) >= _AT_LEAST.get(suffix, 3):
            if suffix in ("s", "es") and word.endswith(_KEEP_S):
                break
            word = word[: -len(suffix)] + replacement
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
        word = word[:-1]
    if len(word) > 3 and word.endswith("e"):
        word = word[:-1]
    if len(word) > 3 and word.endswith("y"):
        word = word[:-1] + "i"
    return word


@lru_cache(maxsize=65536)
def _in_dictionary(word: str) -> Mapping[str, tuple[str, ...]]:
    """The dictionary forms of a folded word by part of speech; empty for words the dictionary does not know."""
    from lemminflect import getAllLemmas  # its tables take a quarter of a second: only once a question is read

    found: dict[str, tuple[str, ...]] = getAllLemmas(word)
    return found


@lru_cache(maxsize=65536)
def lemmas(word: str) -> frozenset[str]:
    """Dictionary forms of a folded word over all parts of speech; the word itself where none is known."""
    if word in _IRREGULAR:
        return frozenset((_IRREGULAR[word],))
    if not word.isalpha() or len(word) < 3:
        return frozenset((word,))
    return frozenset(lemma for forms in _in_dictionary(word).values() for lemma in forms) or frozenset((word,))


def is_word(word: str) -> bool:
    """True where the dictionary knows a folded word or a form of it."""
    return bool(_in_dictionary(word)) or lemmas(word) != frozenset((word,))


@lru_cache(maxsize=65536)
def keys(word: str) -> frozenset[str]:
    """The keys of a folded word: it and its dictionary forms, each stemmed."""
    return frozenset(stem(form) for form in (word, *lemmas(word)))


def noun(word: str) -> str:
    """The singular of a folded word, else the word."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if not word.isalpha() or len(word) < 4:
        return word
    return _in_dictionary(word).get("NOUN", (word,))[0]


def parts_of_speech(word: str) -> frozenset[str]:
    """What a folded word can be: "NOUN", "VERB", "ADJ", "ADV"; empty for words the dictionary does not know."""
    return frozenset(_in_dictionary(word))


def verb_forms(word: str) -> tuple[str, ...]:
    """The verbs that a folded word may be a form of; empty where it is none."""
    return tuple(_in_dictionary(word).get("VERB", ()))
