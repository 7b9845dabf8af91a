"""The reviewed word lists of `lexicon.yaml`, read once, looked up by word forms."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import yaml

from apps.analyst.language.morphology import fold, keys, stem

Direction = Literal["asc", "desc"]


@dataclass(frozen=True, slots=True)
class Adjective:
    """What a comparing adjective measures: column words, best first, and where its superlative lies."""

    of: tuple[str, ...]
    best: Direction
    time: Direction | None
    """The direction where the quantity is a moment ("oldest" is the earliest birth date)."""
    prefer: tuple[tuple[str, Direction], ...]

    def direction(self, word: str, *, moment: bool) -> Direction:
        """Where the superlative lies on a column that was found by `word`."""
        return dict(self.prefer).get(word) or (self.time if moment and self.time else self.best)


@dataclass(frozen=True, slots=True)
class Codes:
    """What the codes of a kind of column mean ("m" of a marital status: "married")."""

    columns: frozenset[str]
    meanings: dict[str, tuple[str, ...]]
    known: frozenset[str]
    """All values that such a column may hold."""

    def coded(self, said: str) -> tuple[str, ...]:
        """The codes that a word means."""
        return tuple(code for code, words in self.meanings.items() if said in words)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """All lists, keyed by stems."""

    synonyms: dict[str, tuple[str, ...]]
    adjectives: dict[str, Adjective]
    verbs: dict[str, tuple[str, ...]]
    wh: dict[str, tuple[str, ...]]
    people: frozenset[str]
    buyers: frozenset[str]
    values: dict[str, tuple[str, ...]]
    codes: tuple[Codes, ...]
    abbreviations: dict[str, tuple[str, ...]]

    def adjective(self, word_keys: frozenset[str]) -> Adjective | None:
        """The comparing adjective among a word's forms."""
        return next((self.adjectives[key] for key in sorted(word_keys) if key in self.adjectives), None)

    def verb(self, word_keys: frozenset[str]) -> tuple[str, ...]:
        """The column words that a verb points at."""
        return next((self.verbs[key] for key in sorted(word_keys) if key in self.verbs), ())


@lru_cache(maxsize=1)
def vocabulary() -> Vocabulary:
    """The product's vocabulary."""
    data = yaml.safe_load((Path(__file__).parent / "lexicon.yaml").read_text("utf-8"))
    synonyms: dict[str, list[str]] = {}
    for group in data["synonyms"]:
        head, *others = group
        for other in others:
            for one, two in ((head, other), (other, head)):
                synonyms.setdefault(stem(fold(one)), []).append(stem(fold(two)))
    values: dict[str, list[str]] = {}
    for group in data["values"]:
        words = [str(word) for word in group]
        for word in words:
            values.setdefault(word, []).extend(other for other in words if other != word)
    return Vocabulary(
        synonyms={word: tuple(dict.fromkeys(group)) for word, group in synonyms.items()},
        adjectives={stem(word): _adjective(entry) for word, entry in data["adjectives"].items()},
        verbs={stem(word): tuple(columns) for word, columns in data["verbs"].items()},
        wh={word: tuple(columns) for word, columns in data["wh"].items()},
        people=frozenset(key for word in data["people"] for key in keys(word)),
        buyers=frozenset(key for word in data["buyers"] for key in keys(word)),
        values={word: tuple(dict.fromkeys(group)) for word, group in values.items()},
        codes=tuple(_codes(entry) for entry in data["codes"]),
        abbreviations={_text(word): tuple(str(full).split()) for word, full in data["abbreviations"].items()},
    )


def _codes(entry: dict[str, Any]) -> Codes:
    meanings = {_text(code): tuple(str(word) for word in words) for code, words in entry["codes"].items()}
    return Codes(
        columns=frozenset(form for word in entry["columns"] for form in keys(str(word))),
        meanings=meanings,
        known=frozenset((*meanings, *(_text(word) for word in entry["also"]))),
    )


def _text(word: object) -> str:
    """YAML reads a bare `no` as False."""
    return "no" if word is False else str(word)


def _adjective(entry: dict[str, object]) -> Adjective:
    prefer = entry.get("prefer") or {}
    of = entry["of"]
    assert isinstance(of, list)
    assert isinstance(prefer, dict)
    return Adjective(
        of=tuple(str(word) for word in of),
        best="desc" if entry["best"] == "desc" else "asc",
        time=None if "time" not in entry else ("desc" if entry["time"] == "desc" else "asc"),
        prefer=tuple((str(word), "desc" if way == "desc" else "asc") for word, way in prefer.items()),
    )
