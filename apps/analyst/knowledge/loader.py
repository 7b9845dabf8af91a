"""The knowledge files, read and indexed once. What words mean in a catalog is not decided here.

The YAML files are the source. `knowledge.json` holds the same entries, compiled (`python -m apps.analyst.knowledge`),
because YAML takes half a second to parse; where its sources have changed since, it is not used.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache, cached_property
from itertools import chain
from pathlib import Path
from typing import Any, Literal, TypeVar

import yaml

from apps.analyst.knowledge.folding import folded as folded
from apps.analyst.knowledge.folding import plain, singular

Kind = Literal[
    "thing", "name", "id", "amount", "count", "price", "rate", "score", "duration", "date", "time", "flag", "status",
    "category", "place", "text", "stock", "share", "measure",
]  # fmt: skip
Direction = Literal["high", "low"]
Unit = Literal["percent", "ratio", "money", "days", "count"]
Words = tuple[str, ...]

FOLDER = Path(__file__).parent
COMPILED = FOLDER / "knowledge.json"
_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
"""Every scalar is text: `no`, `off`, `1` and `2024-01-01` in a list of words are words."""
_MOST_NAMED = 5
_LEAST_SCORE = 0.3
_NEW_WORD = 0.5
"""The weight of a word that stands in no name."""
_GENERAL = ("general", "time", "money", "people", "sales")
"""The trades that are meant where nothing speaks for another."""
_OTHER_HEAD = 0.45
"""What is left of a score where the last words differ: a room number is no room rate."""
_CODES_FIT = 0.6
_SMALL = frozenset(
    ("of", "the", "a", "an", "in", "per", "for", "to", "by", "at", "on", "and", "or", "is", "was", "has")
)


@dataclass(frozen=True)
class Concept:
    """What a column can be."""

    id: str
    kind: Kind
    label: str
    columns: Words = ()
    words: Words = ()

    @property
    def domain(self) -> str:
        return self.id.partition(".")[0]


@dataclass(frozen=True)
class Verb:
    """What happens, who does it, what it is done to, and the date and the figure that belong to it."""

    domain: str
    words: Words
    event: str
    subject: str = ""
    object: str = ""
    date: str = ""
    amount: str = ""


@dataclass(frozen=True)
class Adjective:
    """A word that ranks by a figure, and which end of it is meant."""

    domain: str
    words: Words
    of: str
    direction: Direction


@dataclass(frozen=True)
class State:
    """A state that a thing is in: how people say it, and how the data write it."""

    domain: str
    words: Words
    of: str
    values: Words = ()
    flags: Words = ()
    opposites: Words = ()
    missing: Words = ()
    present: Words = ()


@dataclass(frozen=True)
class Codes:
    """What the codes of a column stand for."""

    domain: str
    of: str
    values: Mapping[str, str] = field(hash=False)


@dataclass(frozen=True)
class Derived:
    """A figure that is computed from others."""

    domain: str
    words: Words
    formula: str
    unit: Unit


@dataclass(frozen=True)
class Units:
    """The units that names of columns state: in brackets, and as a name's last word."""

    bracketed: frozenset[str]
    ending: frozenset[str]


Positions = Mapping[str, Sequence[int]]


@dataclass(frozen=True)
class Index:
    """Where to find entries: folded phrases with the positions of the entries that have them; compiled with these."""

    said: Positions = field(default_factory=dict)
    verbs: Positions = field(default_factory=dict)
    adjectives: Positions = field(default_factory=dict)
    states: Positions = field(default_factory=dict)
    values: Positions = field(default_factory=dict)
    opposites: Positions = field(default_factory=dict)
    flags: Positions = field(default_factory=dict)
    derived: Positions = field(default_factory=dict)
    names: Sequence[str] = ()
    """The names that a column may have, in content words."""
    named: Sequence[int] = ()
    """For each of the names, the position of its concept."""
    spoken: Sequence[str] = ()
    """The words that people say, as they are written and in the singular."""
    written: Sequence[str] = ()
    """The other words of names and expansions."""


Entry = TypeVar("Entry")


@dataclass(frozen=True)
class Knowledge:
    """Everything that is known, with the indexes to find it by."""

    abbreviations: Mapping[str, Words]
    units: Units
    concepts: Mapping[str, Concept]
    verbs: tuple[Verb, ...]
    adjectives: tuple[Adjective, ...]
    states: tuple[State, ...]
    codes: tuple[Codes, ...]
    derived: tuple[Derived, ...]
    index: Index = field(default_factory=Index)

    def expansions(self, token: str) -> Words:
        """What a token of a column's name may shorten, likeliest first; empty for words and for what is not known."""
        return self.abbreviations.get(token.casefold(), ())

    def said(self, phrase: str) -> tuple[Concept, ...]:
        """The concepts that people call so."""
        return _at(self._concepts, self.index.said, phrase)

    def named(
        self, words: Sequence[str], trades: Mapping[str, float] | None = None
    ) -> tuple[tuple[Concept, float], ...]:
        """The concepts that a column of these words may be, with scores from 0 to 1, best first. Among those that fit
        alike, first those of the trade (where shares are given), then those that are labelled so, then the general."""
        content = tuple(_content(folded(" ".join(words))))
        label = " ".join(content)

        def order(scored: tuple[str, float]) -> tuple[float, float, bool, int, str]:
            concept, score = self.concepts[scored[0]], scored[1]
            trade = trades.get(concept.domain, 0.0) if trades else 0.0
            general = _GENERAL.index(concept.domain) if concept.domain in _GENERAL else len(_GENERAL)
            return -round(score, 2), -trade, self._labels[concept.id] != label, general, concept.id

        best = sorted(self._scores(content).items(), key=order)[:_MOST_NAMED]
        return tuple((self.concepts[concept], round(score, 4)) for concept, score in best)

    def verbs_of(self, phrase: str) -> tuple[Verb, ...]:
        return _at(self.verbs, self.index.verbs, phrase)

    def adjectives_of(self, phrase: str) -> tuple[Adjective, ...]:
        return _at(self.adjectives, self.index.adjectives, phrase)

    def states_of(self, phrase: str) -> tuple[State, ...]:
        """The states that people mean by a phrase."""
        return _at(self.states, self.index.states, phrase)

    def states_said(self, value: str) -> tuple[State, ...]:
        """The states that a cell's text says."""
        return _at(self.states, self.index.values, value)

    def states_denied(self, value: str) -> tuple[State, ...]:
        """The states whose opposite a cell's text says."""
        return _at(self.states, self.index.opposites, value)

    def states_flagged(self, column: str) -> tuple[State, ...]:
        """The states that a flag column of this name says."""
        return _at(self.states, self.index.flags, column)

    def derived_of(self, phrase: str) -> tuple[Derived, ...]:
        return _at(self.derived, self.index.derived, phrase)

    def code(self, value: str, column_words: Sequence[str]) -> str | None:
        """What a code stands for in a column of these words; None where no known column of codes is so named."""
        known = self._codes.get(value.strip().casefold())
        if not known:
            return None
        words = tuple(_content(folded(" ".join(column_words))))
        fits = [(self._code_fit(codes.of, words), meaning) for codes, meaning in known]
        best = max(fit for fit, _ in fits)
        # Where several trades know the code in such a column, most of them are right.
        meanings = Counter(meaning for fit, meaning in fits if fit == best)
        return meanings.most_common(1)[0][0] if best >= _CODES_FIT else None

    @cached_property
    def longest(self) -> int:
        """The number of words of the longest phrase that can be looked up."""
        index = self.index
        phrases = chain(index.said, index.verbs, index.adjectives, index.states, index.derived)
        return max(phrase.count(" ") + 1 for phrase in phrases)

    @cached_property
    def spoken(self) -> frozenset[str]:
        """Every word that people say: of labels, events, states and derived figures."""
        return frozenset(self.index.spoken)

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Every word that is spoken, or that stands in the name of a column or in an expansion."""
        return self.spoken | frozenset(self.index.written)

    @cached_property
    def _concepts(self) -> Sequence[Concept]:
        return tuple(self.concepts.values())

    @cached_property
    def _labels(self) -> Mapping[str, str]:
        """The labels in content words: the first name of each concept in the index."""
        found: dict[str, str] = {}
        for name, position in zip(self.index.names, self.index.named, strict=True):
            found.setdefault(self._concepts[position].id, name)
        return found

    @cached_property
    def _scored(self) -> dict[Words, Mapping[str, float]]:
        return {}

    @cached_property
    def _codes(self) -> Mapping[str, Sequence[tuple[Codes, str]]]:
        found: defaultdict[str, list[tuple[Codes, str]]] = defaultdict(list)
        for codes in self.codes:
            for code, meaning in codes.values.items():
                found[code.strip().casefold()].append((codes, meaning))
        return found

    @cached_property
    def _names_with(self) -> Mapping[str, Sequence[int]]:
        found: defaultdict[str, list[int]] = defaultdict(list)
        for position, name in enumerate(self.index.names):
            for word in dict.fromkeys(name.split()):
                found[word].append(position)
        return found

    @cached_property
    def _weights(self) -> Mapping[str, float]:
        """How much a word tells: "date" stands in a hundred names, "checkout" in three."""
        return {word: 1 / (1 + math.log1p(len(names))) for word, names in self._names_with.items()}

    @cached_property
    def _name_weights(self) -> Sequence[float]:
        return [sum(self._weights[word] for word in dict.fromkeys(name.split())) for name in self.index.names]

    def _code_fit(self, of: str, words: Words) -> float:
        wanted = set(_content(folded(of)))
        if wanted <= set(words):
            return 1 + len(wanted) / 10
        scores = self._scores(words)
        return max((scores.get(concept.id, 0.0) for concept in self.said(of)), default=0.0)

    def _scores(self, words: Words) -> Mapping[str, float]:
        """How well each concept fits a column of these words, by its name that fits best."""
        if words not in self._scored:
            self._scored[words] = self._compared(words)
        return self._scored[words]

    def _compared(self, words: Words) -> Mapping[str, float]:
        own = dict.fromkeys(words)
        whole = sum(self._weights.get(word, _NEW_WORD) for word in own)
        shared: defaultdict[int, float] = defaultdict(float)
        for word in own:
            for position in self._names_with.get(word, ()):
                shared[position] += self._weights[word]
        scores: dict[str, float] = {}
        for position, common in shared.items():
            score = 2 * common / (whole + self._name_weights[position])
            if score < _LEAST_SCORE:
                continue
            name, concept = self.index.names[position].split(), self._concepts[self.index.named[position]].id
            if words[-1] not in name and name[-1] not in own:
                score *= _OTHER_HEAD
            if score >= _LEAST_SCORE and score > scores.get(concept, 0.0):
                scores[concept] = score
        return scores


@cache
def knowledge() -> Knowledge:
    """What is known; the files are read at the first call."""
    return built(_compiled() or compiled())


def sources() -> dict[str, Any]:
    """The entries of the YAML files."""
    abbreviations, units, *domains = map(parsed, files())
    return {"digest": digest(), "abbreviations": abbreviations, "units": units, "domains": domains}


def compiled() -> dict[str, Any]:
    """The entries of the YAML files with their index."""
    entries = sources()
    return {**entries, "index": asdict(indexed(built(entries)))}


def parsed(path: Path) -> Any:
    """What a YAML file holds; every scalar is a text."""
    return yaml.load(path.read_bytes(), Loader=_LOADER)  # noqa: S506 (a base loader makes texts only)


def digest() -> str:
    """A fingerprint of the YAML files, by which a compiled file is known to be current."""
    seen = hashlib.sha256()
    for path in files():
        seen.update(path.name.encode() + b"\0" + path.read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return seen.hexdigest()


def written(entries: Mapping[str, Any]) -> str:
    """The compiled file's text."""
    sections = [f'"digest": "{entries["digest"]}"']
    sections += [f'"{name}": {_one_line(entries[name])}' for name in ("abbreviations", "units")]
    domains = ",\n".join(map(_one_line, entries["domains"]))
    index = ",\n".join(f'"{name}": {_one_line(phrases)}' for name, phrases in entries["index"].items())
    return "{" + ",\n".join(sections) + f',\n"domains": [\n{domains}\n],\n"index": {{\n{index}\n}}}}\n'


def _one_line(entries: Any) -> str:
    return json.dumps(entries, ensure_ascii=False, separators=(",", ":"))


def built(entries: Mapping[str, Any]) -> Knowledge:
    """Knowledge from the entries of the files; without an index nothing is found by its words."""
    domains: Sequence[Mapping[str, Any]] = entries["domains"]

    def of(section: str, made: Callable[[str, Mapping[str, Any]], Entry]) -> tuple[Entry, ...]:
        return tuple(made(domain["domain"], entry) for domain in domains for entry in domain.get(section) or ())

    concepts = of("concepts", lambda domain, entry: Concept(**_tuples(entry)))
    return Knowledge(
        abbreviations={token: tuple(full) for token, full in entries["abbreviations"].items()},
        units=Units(**{where: frozenset(units) for where, units in entries["units"].items()}),
        concepts={concept.id: concept for concept in concepts},
        verbs=of("verbs", lambda domain, entry: Verb(domain, **_tuples(entry))),
        adjectives=of("adjectives", lambda domain, entry: Adjective(domain, **_tuples(entry))),
        states=of("states", lambda domain, entry: State(domain, **_tuples(entry))),
        codes=of("codes", lambda domain, entry: Codes(domain, entry["of"], entry["values"])),
        derived=of("derived", lambda domain, entry: Derived(domain, **_tuples(entry))),
        index=Index(**entries.get("index", {})),
    )


def indexed(known: Knowledge) -> Index:
    """The index of what is known."""
    concepts = tuple(known.concepts.values())
    spoken = chain(
        chain.from_iterable((concept.label, *concept.words) for concept in concepts),
        chain.from_iterable(state.words for state in known.states),
        chain.from_iterable((verb.event, *verb.words) for verb in known.verbs),
        chain.from_iterable(derived.words for derived in known.derived),
    )
    written = chain(
        chain.from_iterable(concept.columns for concept in concepts),
        chain.from_iterable(known.abbreviations.values()),
        chain.from_iterable(state.flags for state in known.states),
    )
    said_words = _words_of(spoken)
    names = {
        (" ".join(_content(folded(phrase))), position): None
        for position, concept in enumerate(concepts)
        for phrase in (concept.label, *concept.columns)
        if folded(phrase)
    }
    return Index(
        said=_indexed(concepts, lambda concept: (concept.label, *concept.words, *concept.columns)),
        verbs=_indexed(known.verbs, lambda verb: verb.words),
        adjectives=_indexed(known.adjectives, lambda adjective: adjective.words),
        states=_indexed(known.states, lambda state: state.words),
        values=_indexed(known.states, lambda state: state.values),
        opposites=_indexed(known.states, lambda state: state.opposites),
        flags=_indexed(known.states, lambda state: state.flags),
        derived=_indexed(known.derived, lambda derived: derived.words),
        names=[name for name, _ in names],
        named=[position for _, position in names],
        spoken=sorted(said_words),
        written=sorted(_words_of(written) - said_words),
    )


def files() -> list[Path]:
    """The YAML files: the abbreviations, the units, and one file for each domain."""
    return [FOLDER / "abbreviations.yaml", FOLDER / "units.yaml", *sorted((FOLDER / "concepts").glob("*.yaml"))]


def _compiled() -> Mapping[str, Any] | None:
    if not COMPILED.is_file():
        return None
    entries: Mapping[str, Any] = json.loads(COMPILED.read_bytes())
    return entries if entries["digest"] == digest() else None


def _tuples(entry: Mapping[str, Any]) -> dict[str, Any]:
    """An entry's fields as the dataclasses have them; `not` is no name in Python."""
    return {
        "opposites" if key == "not" else key: tuple(value) if isinstance(value, list) else value
        for key, value in entry.items()
    }


def _indexed(entries: Iterable[Entry], phrases: Callable[[Entry], Iterable[str]]) -> Positions:
    found: defaultdict[str, list[int]] = defaultdict(list)
    for position, entry in enumerate(entries):
        for phrase in dict.fromkeys(map(folded, phrases(entry))):
            if phrase:
                found[phrase].append(position)
    return dict(found)


def _at(entries: Sequence[Entry], positions: Positions, phrase: str) -> tuple[Entry, ...]:
    return tuple(entries[position] for position in positions.get(folded(phrase), ()))


def _words_of(phrases: Iterable[str]) -> set[str]:
    said = {word for phrase in phrases for word in plain(phrase).split()}
    return said | set(map(singular, said))


def _content(phrase: str) -> list[str]:
    words = phrase.split()
    return [word for word in words if word not in _SMALL] or words
