"""The phrases of words.yaml, read once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import cast

import yaml

from apps.analyst.plan import Grain
from apps.analyst.reading.linking import tokens_of
from apps.analyst.types import ChartType

_WORD = re.compile(r"\w+(?:['’]\w+)?")
Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Phrases:
    """What people say to change an answer: kinds with their values by the tokens of a phrase."""

    by_words: Mapping[Words, tuple[tuple[str, str], ...]]
    longest: int
    marks: Mapping[Words, ChartType]
    grains: Mapping[str, Grain]
    asking: frozenset[str]
    """How a sentence begins that asks."""
    leading: frozenset[str]
    """What may stand before the word that asks."""
    being: frozenset[str]
    """What stands before what is done to something."""
    doing: frozenset[str]
    """What somebody or something does."""
    dividing: frozenset[str]
    """What stands between two figures of which one is divided by the other."""
    pointing: frozenset[str]
    """What stands for what was told."""
    back: frozenset[str]
    """What can stand for nothing else."""
    somebody: frozenset[str]
    """What stands for who was told alone."""
    generic: frozenset[str]
    """What says nothing beside what is named."""
    timing: frozenset[str]
    """What says how long something takes."""
    often: frozenset[str]
    """What makes an end one of how many times something is."""
    against: frozenset[str]
    """What holds two periods against each other."""
    amid: frozenset[str]
    """What may stand before two periods that are held so."""
    agreeing: frozenset[str]
    """What says yes to what was put."""
    placing: frozenset[str]
    """What may stand beside the place of something that was put."""
    ending: frozenset[str]
    """Words for the last place."""
    unwanted: frozenset[str]
    """States that nobody wants a thing to be in."""
    drawn_together: Mapping[str, str]
    """Words that are drawn together, with what they are written out."""

    def at(self, tokens: list[str], place: int) -> tuple[int, tuple[tuple[str, str], ...]]:
        """The longest phrase that begins at a place: its end and what it may be; the place itself where none does."""
        for end in range(min(len(tokens), place + self.longest), place, -1):
            found = self.by_words.get(tuple(tokens[place:end]))
            if found:
                return end, found
        return place, ()


def written_out(text: str) -> str:
    """A message with the words that are drawn together written out: "who's" as "who is"."""
    return _apart(text, phrases().drawn_together)


def _apart(text: str, drawn: Mapping[str, str]) -> str:
    return _WORD.sub(lambda word: drawn.get(word[0].casefold().replace("’", "'"), word[0]), text)


@cache
def phrases() -> Phrases:
    """The phrases, the same object at each call."""
    raw = yaml.safe_load((Path(__file__).parent / "words.yaml").read_text(encoding="utf-8"))
    found: dict[Words, list[tuple[str, str]]] = {}
    for kind, values in raw["phrases"].items():
        for value, said in values.items():
            for phrase in said:
                kinds = found.setdefault(tuple(tokens_of(_apart(str(phrase), raw["drawn_together"]))), [])
                if (kind, value) not in kinds:
                    kinds.append((kind, value))
    marks = {tuple(tokens_of(said)): cast(ChartType, mark) for mark, listed in raw["marks"].items() for said in listed}
    sets = (known.name for known in fields(Phrases) if known.type == "frozenset[str]")
    return Phrases(
        by_words={words: tuple(kinds) for words, kinds in found.items()},
        longest=max(map(len, (*found, *marks))),
        marks=marks,
        grains=raw["grains"],
        drawn_together=raw["drawn_together"],
        **{name: frozenset(raw[name]) for name in sets},
    )
