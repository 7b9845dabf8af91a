"""Is a text about a result made only of words that it may have? Pure, and linear in the text's length.

They are those of the question, of columns and files, whole values of the result as they stand in a cell, and of
vocabulary.yaml. A value is told as a value: its words count only where all of it stands there, and one that could ask
for something only between quotation marks. No sentence asks its reader for anything or puts a question to them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from apps.analyst.approaches.models.statements import Item, Kind, signs, states
from apps.analyst.approaches.models.vocabulary import vocabulary
from apps.analyst.knowledge.folding import singular
from apps.analyst.language.morphology import stem

MOST_BARE = 5
"""A value of more words stands between quotation marks: a name is seldom as long, a sentence is."""
MOST_NAME = 6
"""The words of a longer name of a column or file count together only."""
MOST_ASKING_NAME = 3
MOST_ASKING = 2
"""A value that could ask for something and has no more words may stand where a sentence says something of it."""
MOST_CELL, MOST_WORDS = 300, 30
"""A cell of more signs or words is nothing to be told in a sentence."""
_TOKEN = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
_PARTS = re.compile(r"\d+|[^\W\d_]+")
_END = re.compile(r"[.!?][\"'\u2019\u201d)\]*_]*(?:\s|$)|\n")
_OPENING, _CLOSING = "\"'`\u201c\u2018\u00ab", "\"'`\u201d\u2019\u00bb"
_PICTURES = frozenset(("So", "Co", "Cn", "Cs"))


@dataclass(frozen=True, slots=True)
class _Token:
    """A word as it is compared, and the signs between it and the next one."""

    word: str
    start: int
    end: int
    gap: str

    @property
    def apart(self) -> str:
        """The signs behind it without spaces and marks of Markdown."""
        return signs(self.gap)


@dataclass(slots=True)
class _Name:
    """What counts only where all of it stands there."""

    kind: Kind
    quoted: bool
    cells: set[tuple[int, int]] = field(default_factory=set)


@dataclass(slots=True)
class _Branch:
    """What names go on with behind the words so far, and the name that ends here."""

    onward: dict[str, _Branch] = field(default_factory=dict)
    name: _Name | None = None


_Key = tuple[str, ...]


class Sayable:
    """What may be said about one result. All texts are as their reader sees them (prose.as_seen)."""

    def __init__(self, rows: Sequence[Sequence[str | None]], asked: str, names: Iterable[str], told: str = "") -> None:
        """`rows` hold the cells that are texts, `names` what columns and files are called, `told` are our own words."""
        self._known = vocabulary()
        self._sayable_words = self._known.words | self._known.persons
        self._told = _plain(told)
        self._names = _Branch()
        self._begun: set[_Key] = set()
        self._loose: set[str] = set()
        said = [token.word for token in _tokens(asked)]
        self._add_loose(word for word in said if word not in self._known.persons)
        if not {"our", "we", "my", "i"}.isdisjoint(said):
            self._loose.add("our")
        english = self._known.words
        self._abroad = [words for words in self._known.abroad if any(w in words and w not in english for w in said)]
        for name in names:
            self._add_name(name)
        for place, row in enumerate(rows):
            for column, cell in enumerate(row):
                if cell and len(cell) <= MOST_CELL:
                    self._add_value(cell, (place, column))
        for wording in self._known.wordings:
            for gap in ("", "."):
                self._keep(_key(wording, [gap] * len(wording)), _Name("wording", False))

    def allows(self, text: str) -> bool:
        """Whether the text has only words that it may have, and asks for nothing."""
        plain = _plain(text)
        if self._told:
            plain = plain.replace(self._told, "\n")
        if any(unicodedata.category(sign) in _PICTURES for sign in plain):
            return False
        return all(states(sentence) for sentence in self._sentences(plain))

    def ends_within_a_name(self, text: str) -> bool:
        """Whether a growing text stops at a sign that a value has inside ("Dr. Lee")."""
        tokens = _tokens(_plain(text))[-MOST_WORDS:]
        return any(_begun(tokens[at:]) in self._begun for at in range(len(tokens)))

    def _add_loose(self, words: Iterable[str]) -> None:
        for word in words:
            self._loose |= {word, singular(word), stem(word)}

    def _add_name(self, name: str) -> None:
        words = [token.word for token in _tokens(name)]
        asks = len(words) > 1 and not self._known.asking.isdisjoint(words)
        if len(words) <= MOST_NAME:
            kept = self._known.persons | (self._known.asking if asks else frozenset())
            self._add_loose(word for word in words if word not in kept)
        if asks or len(words) > MOST_NAME:
            short = len(words) <= MOST_ASKING_NAME and not any(word.isdigit() for word in words)
            self._add(name, _Name("name", not short))

    def _add_value(self, cell: str, place: tuple[int, int]) -> None:
        words = [token.word for token in _tokens(cell)]
        asks = len(words) > 1 and not self._known.asking.isdisjoint(words)
        self._add(cell, _Name("value", len(words) > (MOST_ASKING if asks else MOST_BARE))).cells.add(place)

    def _add(self, text: str, name: _Name) -> _Name:
        tokens = _tokens(_plain(text))
        if not 0 < len(tokens) <= MOST_WORDS:
            return name
        for at, token in enumerate(tokens[:-1]):
            if _END.search(token.gap):
                self._begun.add(_begun(tokens[: at + 1]))
        return self._keep(_begun(tokens), name)

    def _keep(self, key: _Key, name: _Name) -> _Name:
        branch = self._names
        for part in key:
            branch = branch.onward.setdefault(part, _Branch())
        branch.name = branch.name or name
        return branch.name

    def _sentences(self, text: str) -> Iterator[list[Item]]:
        tokens = _tokens(text)
        made: list[Item] = []
        at = 0
        while at < len(tokens):
            item, taken = self._item(text, tokens, at)
            made.append(item)
            at += taken
            if _END.search(item.gap):
                yield made
                made = []
        if made:
            yield made

    def _item(self, text: str, tokens: Sequence[_Token], at: int) -> tuple[Item, int]:
        """The longest name that begins here, else the word."""
        found: tuple[Item, int] | None = None
        branch: _Branch | None = self._names
        for length, token in enumerate(tokens[at : at + MOST_WORDS], 1):
            branch = branch.onward.get(_folded(token.word)) if branch else None
            if branch is None:
                break
            name = branch.name
            quoted = name is not None and _is_quoted(text, tokens[at].start, token.end)
            if name is not None and (quoted or not name.quoted):
                word = " ".join(token.word for token in tokens[at : at + length])
                found = Item(word, name.kind, token.gap, frozenset(name.cells), quoted), length
            branch = branch.onward.get(token.apart)
        if found is not None:
            return found
        token = tokens[at]
        near = [tokens[i].word[:1].isdigit() for i in (at - 1, at + 1) if 0 <= i < len(tokens)]
        return Item(token.word, self._kind(token.word, any(near)), token.gap), 1

    def _kind(self, word: str, beside_a_figure: bool) -> Kind:
        bare = _bare(word)
        if (
            not {bare, singular(bare), stem(bare), stem(bare.removesuffix("ership"))}.isdisjoint(self._loose)
            and bare not in self._known.persons
        ):
            return "asked"
        if any(sign.isdigit() for sign in word):
            return "figure" if self._is_figure(word) else "unknown"
        if len(bare) == 1 and bare != "a" and not beside_a_figure:
            return "unknown"
        own = not {word, bare}.isdisjoint(self._sayable_words)
        return "own" if own or word == "your" or any(bare in words for words in self._abroad) else "unknown"

    def _is_figure(self, word: str) -> bool:
        """Whether a word with digits is a figure with its unit or a period ("5th", "Q3", "USD5m")."""
        letters = [part for part in _PARTS.findall(word) if not part.isdigit()]
        return all(part in self._known.words or part in self._loose for part in letters)


def _tokens(text: str) -> list[_Token]:
    found = list(_TOKEN.finditer(text))
    ends = [*(match.start() for match in found[1:]), len(text)][: len(found)]
    return [
        _Token(match.group().casefold().replace("\u2019", "'"), match.start(), match.end(), text[match.end() : end])
        for match, end in zip(found, ends, strict=True)
    ]


def _plain(text: str) -> str:
    """A text without emphasis."""
    return text.replace("**", "").replace("__", "").strip()


def _bare(word: str) -> str:
    """A word without its possessive ending."""
    return word.removesuffix("'s")


def _folded(word: str) -> str:
    return singular(_bare(word))


def _key(words: Sequence[str], gaps: Sequence[str]) -> _Key:
    """A name as it is found again: its words in the singular, with the signs between them."""
    made = [_folded(words[0])]
    for word, gap in zip(words[1:], gaps, strict=False):
        made += [gap, _folded(word)]
    return tuple(made)


def _begun(tokens: Sequence[_Token]) -> _Key:
    """The beginning of a name up to a sign that could end a sentence."""
    return _key([token.word for token in tokens], [token.apart for token in tokens])


def _is_quoted(text: str, start: int, end: int) -> bool:
    before, after = text[max(0, start - 4) : start].rstrip("*_"), text[end : end + 4].lstrip("*_.,!?")
    return before[-1:] in _OPENING and before != "" and after[:1] in _CLOSING and after != ""
