"""The words of words.yaml, read once. No rule belongs here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

from apps.analyst.knowledge.loader import parsed

Phrases = frozenset[str]


@dataclass(frozen=True, slots=True)
class Words:
    """What the file says, by its headings."""

    counting: Phrases
    typical: Phrases
    lasting: Phrases
    averaged: Phrases
    adding: Phrases
    leaning: Phrases
    dated: Phrases
    events: Mapping[str, str]
    beginning: Phrases
    standing: Phrases
    counterparts: Mapping[str, Sequence[str]]
    secondary: Phrases
    personal: Phrases
    flagging: Phrases
    wrapping: Phrases
    periodic: Mapping[str, str]
    masses: Mapping[str, str]
    lines: Phrases
    parts: Phrases
    recurring: Phrases
    """What a number names that runs again and again."""
    naming: Phrases
    identifying: Phrases
    numbering: Phrases
    places: Phrases
    general: Phrases
    unreal: Phrases
    ending: Phrases
    """What runs until it is cancelled."""


@cache
def words() -> Words:
    """The words, the same object at each call."""
    read: Mapping[str, Any] = parsed(Path(__file__).parent / "words.yaml")
    made: dict[str, Any] = {name: held if isinstance(held, dict) else frozenset(held) for name, held in read.items()}
    return Words(**{heading.name: made[heading.name] for heading in fields(Words)})
