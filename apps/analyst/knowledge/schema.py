"""What a knowledge file may say and must not: each alone, and all of them together. Only tests and editors need it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, RootModel

from apps.analyst.knowledge.entries import Direction, Kind, State, Unit
from apps.analyst.knowledge.folding import folded


def _lower(text: str) -> str:
    if text != text.lower() or text != " ".join(text.split()):
        raise ValueError(f"{text!r} must be lower case and single-spaced")
    return text


def _once(texts: Sequence[str]) -> Sequence[str]:
    twice = [text for text, times in Counter(texts).items() if times > 1]
    if twice:
        raise ValueError(f"twice in one list: {', '.join(twice)}")
    return texts


Phrase = Annotated[str, Field(min_length=1, max_length=120), AfterValidator(_lower)]
Phrases = Annotated[list[Phrase], AfterValidator(_once)]
SomePhrases = Annotated[list[Phrase], Field(min_length=1), AfterValidator(_once)]
Token = Annotated[str, Field(pattern=r"^[a-z0-9]+$")]


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class ConceptEntry(_Entry):
    id: Annotated[str, Field(pattern=r"^[a-z_]+\.[a-z0-9_]+$")]
    kind: Kind
    label: Phrase
    columns: Phrases = []
    headers: Phrases = []
    words: Phrases = []
    called: Phrases = []


class VerbEntry(_Entry):
    words: SomePhrases
    event: Phrase
    subject: Phrase | None = None
    object: Phrase | None = None
    date: Phrase | None = None
    amount: Phrase | None = None


class AdjectiveEntry(_Entry):
    words: SomePhrases
    of: Phrase
    direction: Direction


class StateEntry(_Entry):
    words: SomePhrases
    of: Phrase
    values: Phrases = []
    flags: Phrases = []
    opposites: Phrases = Field(default=[], alias="not")
    missing: Phrases = []
    present: Phrases = []


class CodesEntry(_Entry):
    of: Phrase
    values: Annotated[dict[str, Phrase], Field(min_length=1)]


class PeriodsEntry(_Entry):
    of: Phrase
    months: Annotated[dict[Phrase, Annotated[str, Field(pattern=r"^\d+(\.\d+)?$")]], Field(min_length=1)]


class DerivedEntry(_Entry):
    words: SomePhrases
    formula: Annotated[str, Field(min_length=1)]
    unit: Unit
    less: str = ""
    whole: str = ""


class Domain(_Entry):
    """One file of `concepts/`."""

    domain: Annotated[str, Field(pattern=r"^[a-z_]+$")]
    concepts: list[ConceptEntry] = []
    verbs: list[VerbEntry] = []
    adjectives: list[AdjectiveEntry] = []
    states: list[StateEntry] = []
    codes: list[CodesEntry] = []
    periods: list[PeriodsEntry] = []
    derived: list[DerivedEntry] = []


class Abbreviations(RootModel[dict[Token, SomePhrases]]):
    """The file of the abbreviations."""


class UnitLists(_Entry):
    """The file of the units."""

    bracketed: SomePhrases
    ending: SomePhrases


def faults_of_file(path: Path, entries: Any) -> Iterator[str]:
    """What a domain's file says against the rules that a model of its shape cannot hold."""
    domain = Domain.model_validate(entries)
    if domain.domain != path.stem:
        yield f"{path.name} says that it is {domain.domain}"
    for concept in domain.concepts:
        if concept.id.partition(".")[0] != domain.domain:
            yield f"{concept.id} stands in {path.name}"
    for codes in domain.codes:
        yield from (f"the code {code} of {codes.of} twice" for code in _twice(code.casefold() for code in codes.values))
    yield from (f"the key {key!r} twice in {path.name}" for key in keys_twice(path))


def keys_twice(path: Path) -> Iterator[str]:
    """Keys that a mapping of a YAML file has twice: a parser keeps the last in silence."""

    def inside(node: yaml.Node | None) -> Iterator[str]:
        if isinstance(node, yaml.MappingNode):
            yield from _twice(str(key.value) for key, _ in node.value)
            for _, value in node.value:
                yield from inside(value)
        elif isinstance(node, yaml.SequenceNode):
            for item in node.value:
                yield from inside(item)

    return inside(yaml.compose(path.read_text("utf-8"), Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader)))


def faults_between(domains: Sequence[Domain]) -> Iterator[str]:
    """What the files say against each other."""
    yield from (f"the concept {id} twice" for id in _twice(one.id for domain in domains for one in domain.concepts))
    directions: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for adjective in chain.from_iterable(domain.adjectives for domain in domains):
        for word in adjective.words:
            directions[folded(word), folded(adjective.of)].add(adjective.direction)
    yield from (f"{word} {of} is high and low" for (word, of), ways in directions.items() if len(ways) > 1)
    yield from opposite_states(
        State("", tuple(one.words), one.of, tuple(one.values), opposites=tuple(one.opposites))
        for domain in domains
        for one in domain.states
    )


def opposite_states(states: Iterable[State]) -> Iterator[str]:
    """Phrases that mean a state and its opposite of the same thing: each denies what the other's cells say."""
    said: defaultdict[tuple[str, str], list[State]] = defaultdict(list)
    for state in states:
        for word in dict.fromkeys(map(folded, state.words)):
            said[word, folded(state.of)].append(state)
    for (word, of), both in said.items():
        for position, one in enumerate(both):
            for other in both[position + 1 :]:
                if _denies(one, other) and _denies(other, one):
                    yield f"{of} {word!r} is {one.words[0]!r} and {other.words[0]!r}"


def itself(abbreviations: Mapping[str, Sequence[str]]) -> list[str]:
    """Abbreviations that are spelled out as themselves."""
    return [token for token, full in abbreviations.items() if token in full]


def _denies(one: State, other: State) -> bool:
    return not set(map(folded, one.values)).isdisjoint(map(folded, other.opposites))


def _twice(texts: Iterable[str]) -> list[str]:
    return [text for text, times in Counter(texts).items() if times > 1]
