"""Names of columns and tables split into words as they stand, with the units that they state.

What shortened words are short for is the matter of `names`.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from apps.analyst.dictionary.guessing import guesses, is_english
from apps.analyst.knowledge.folding import singular
from apps.analyst.knowledge.loader import knowledge
from apps.analyst.tables.names import priced

LONGEST_NAME = 200
"""Longer names are cut: a header that long is a sentence, and its beginning says what it is about."""
_CURRENCIES = re.compile(r"[$€£¥₹]")
_BRACKETED = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]")
_PLURAL = re.compile(r"(?<=\w)\((?:e?s|n|en)\)")
_CUSTOM = re.compile(r"^(?:\w+?__)?(\w+?)__(?:c|r|pc|pr)$", re.IGNORECASE)
_SIGNS = (
    (re.compile(r"#(?=\s*\d)"), " "),
    (re.compile(r"#"), " number "),
    (re.compile(r"%"), " percent "),
    (re.compile(r"&"), " and "),
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_INITIALS = re.compile(r"(?<=[A-Z])s(?=$|[\s_A-Z])")
_SOLE_LETTER = re.compile(r"(?<![^\W_])([ei])([A-Z])(?=[a-z])")
_TOKEN = re.compile(
    r"[a-z]{1,2}\d+(?![^\W_])|\d+(?:st|nd|rd|th)(?![^\W_])|\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?", re.IGNORECASE
)
_LETTERED = re.compile(r"[^\W_]+")

_SHORTEST_PIECE = 3
_SHORTEST_GLUED = 5
_LONGEST_GLUED = 40
_ENDINGS = frozenset(("id", "no", "nm", "dt", "cd", "yr", "tm", "ty", "by", "at", "on"))
"""Pieces of two letters that end glued names, beside units: `custno`, `hiredt`, `bookedat`, `weightkg`."""
_BEGINNINGS = frozenset(("po", "hr", "is", "no", "on"))
_SHORTEST_BEGINNING = 4
"""Letters of a piece that only begins a word: `exec` of `execname`."""
_WORD_COST, _PAIR_COST, _SHORT_WORD_COST, _SHORTENED_COST, _BEGUN_COST = 1.0, 1.4, 1.4, 1.5, 2.0
_MOST_PIECES_COST = 5.0


@lru_cache(maxsize=32768)
def words_of(name: str) -> tuple[str, ...]:
    """The words and shortened words of a name, lower case, as they stand: `Hire_Date__c` is "hire", "date"."""
    said = _without_unit(priced(name[:LONGEST_NAME].strip()))
    custom = _CUSTOM.match(said)
    if custom:
        said = custom[1]
    for sign, word in _SIGNS:
        said = sign.sub(word, said)
    said = _SOLE_LETTER.sub(lambda letters: letters[1] + letters[2].lower(), said)
    found: list[str] = []
    for part in _LETTERED.findall(said.replace("’", "'").replace("'", "")):
        found.extend(_parted(part))
    return tuple(found)


@lru_cache(maxsize=32768)
def unit_of(name: str) -> str | None:
    """The unit that a name states: "kg" of `Weight (kg)` and of `weight_kg`."""
    said = _PLURAL.sub("", name[:LONGEST_NAME])
    for bracketed in _BRACKETED.finditer(said):
        inner = " ".join((bracketed[1] or bracketed[2] or "").lower().split())
        if inner in knowledge().units.bracketed:
            return inner
    currency = _CURRENCIES.search(said)
    if currency:
        return str(currency[0])
    tokens = _LETTERED.findall(_CAMEL.sub(" ", said).lower().replace("_", " "))
    if len(tokens) > 1 and tokens[-1] in knowledge().units.ending:
        return str(tokens[-1])
    return "%" if "%" in said else None


def _without_unit(name: str) -> str:
    said = _PLURAL.sub("", name)
    said = _BRACKETED.sub(
        lambda inner: " " if _is_unit(inner[1] or inner[2] or "") else f" {inner[1] or inner[2] or ''} ", said
    )
    return _CURRENCIES.sub(" ", said)


def _is_unit(text: str) -> bool:
    return " ".join(text.lower().split()) in knowledge().units.bracketed


def _parted(part: str) -> list[str]:
    """A run of letters and digits, split at changes of case and kind, and where words are glued."""
    if part.lower() in knowledge().abbreviations or part.lower() in knowledge().units.bracketed:
        return [part.lower()]
    found: list[str] = []
    for piece in _CAMEL.sub(" ", _INITIALS.sub("S", part) if _INITIALS.search(part) else part).split():
        lower = piece.lower()
        if lower in knowledge().abbreviations:
            found.append(lower)
            continue
        for token in _TOKEN.findall(lower):
            found.extend(_unglued(token))
    return found


@lru_cache(maxsize=16384)
def _unglued(token: str) -> tuple[str, ...]:
    """Words that are written as one, apart: `hiredate` is "hire", "date". A word that is one stays one."""
    if not _SHORTEST_GLUED <= len(token) <= _LONGEST_GLUED or not token.isalpha() or _is_known(token):
        return (token,)
    size = len(token)
    best: list[tuple[float, int]] = [(0.0, 0)] + [(float("inf"), 0)] * size
    for end in range(2, size + 1):
        for start in range(max(0, end - _longest_word()), end - 1):
            cost = best[start][0] + _piece_cost(token[start:end], start == 0, end == size)
            if cost < best[end][0]:
                best[end] = (cost, start)
    if best[size][0] > _MOST_PIECES_COST or is_english(token):
        return (token,)
    pieces: list[str] = []
    end = size
    while end:
        start = best[end][1]
        pieces.append(token[start:end])
        end = start
    return tuple(reversed(pieces))


def _piece_cost(piece: str, first: bool, last: bool) -> float:
    if len(piece) < _SHORTEST_PIECE:
        ends = piece in _ENDINGS or piece in knowledge().units.ending
        return _PAIR_COST if (last and ends) or (first and piece in _BEGINNINGS) else float("inf")
    if piece in knowledge().vocabulary:
        return _WORD_COST if len(piece) > _SHORTEST_PIECE else _SHORT_WORD_COST
    if piece in knowledge().abbreviations:
        return _SHORTENED_COST
    begins = first and len(piece) >= _SHORTEST_BEGINNING and any(word.startswith(piece) for word, _ in guesses(piece))
    return _BEGUN_COST if begins else float("inf")


def _is_known(token: str) -> bool:
    known = knowledge()
    return token in known.vocabulary or token in known.abbreviations or singular(token) in known.vocabulary


@cache
def _longest_word() -> int:
    known = knowledge()
    return min(max(map(len, (*known.vocabulary, *known.abbreviations))), 18)
