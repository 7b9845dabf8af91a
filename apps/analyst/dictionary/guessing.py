"""What a token that no list has may shorten: words of known names that keep its letters in order (`offcr` of officer,
`hrv` of harvested). A guess is no knowledge: what stands around a name chooses between guesses (`names`)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

from apps.analyst.knowledge.folding import singular
from apps.analyst.knowledge.loader import knowledge

_SHORTEST, _LONGEST = 3, 6
"""Letters of a token that is guessed at: two letters shorten too much."""
_MOST = 4
_RARE = 3
"""Names that have a word at least before it is guessed."""
_VOWELS = frozenset("aeiou")
_ENDINGS = ("ed", "ing", "s")


@lru_cache(maxsize=16384)
def guesses(token: str) -> tuple[tuple[str, bool], ...]:
    """The words that a token may shorten, likeliest first: those that it begins, or whose consonants it begins (True),
    before those that have its letters anywhere; then by how many names have them."""
    if not _SHORTEST <= len(token) <= _LONGEST or not token.isalpha():
        return ()
    if len(token) > _SHORTEST and is_english(token):  # a cove is no coverage
        return ()
    found = [(place, -count, word) for word, count in _words().get(token[0], ()) if (place := _place(token, word))]
    return tuple((word, place == 1) for place, _, word in sorted(found)[:_MOST])


@lru_cache(maxsize=4096)
def is_english(token: str) -> bool:
    """Whether a token is an English word as it stands."""
    # Imported here: the dictionary takes a moment to load, and few names hold words that are not known.
    from lemminflect import getAllLemmas

    return bool(getAllLemmas(token))


def shortens(code: str, word: str) -> bool:
    """Whether a stored code is short for a word (both lower case): CSH for cash, SPRK for sparkling, MGR for manager. A
    code of a column is one of few, so that one letter left out is enough."""
    if word[:1] != code[:1] or not code.isalpha() or not 2 <= len(code) <= _LONGEST or is_english(code):
        return False
    forms = (word, *(word.removesuffix(end) for end in _ENDINGS if word.endswith(end)))
    if len(code) < _SHORTEST:  # two letters shorten too much: these have to be the first consonants
        return _VOWELS.isdisjoint(code) and any(_place(code, form) == 1 for form in forms)
    return any(_place(code, form, 1) for form in forms)


def _place(token: str, word: str, least: int = 2) -> int:
    """1 where the token begins the word or its consonants, 2 where it ends as the word does and keeps its letters in
    order, 0 where it is no shortening of it. What leaves out fewer than `least` letters shortens nothing."""
    if len(word) < len(token) + least:
        return 0
    bare = word[0] + "".join(letter for letter in word[1:] if letter not in _VOWELS)
    if word.startswith(token) or bare.startswith(token):
        return 1
    return 2 if bare[-1] == token[-1] and _keeps(token, bare) else 0


def _keeps(token: str, word: Sequence[str]) -> bool:
    """Whether the letters of the token stand in the word in this order."""
    left = iter(word)
    return all(letter in left for letter in token)


@cache
def _words() -> Mapping[str, list[tuple[str, int]]]:
    """The words of known names by their first letter, with how many names have them; of one word and its plural the
    commoner."""
    counts = Counter(word for name in knowledge().index.names for word in set(name.split()) if word.isalpha())
    found: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
    for word, count in counts.items():
        if count >= _RARE and (singular(word) == word or counts[singular(word)] < count):
            found[word[0]].append((word, count))
    return found
