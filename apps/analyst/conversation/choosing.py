"""Which of the readings that were put a short reply chooses: by its words, its place, or a yes to the only one."""

from __future__ import annotations

from collections.abc import Sequence

from apps.analyst.conversation.words import phrases
from apps.analyst.knowledge.english import english
from apps.analyst.knowledge.folding import folded
from apps.analyst.plan import Option
from apps.analyst.reading.linking import tokens_of

LONGEST = 5
"""Words of a reply that chooses by what only one of the readings says."""


def chosen(text: str, options: Sequence[Option]) -> Option | None:
    """The option that a reply chooses; None where it says something else."""
    said = text.strip(" .!\"'“”").casefold()
    same = next((option for option in options if said == option.label.casefold()), None)
    readings = [one for n, one in enumerate(options) if all(one.plan != other.plan for other in options[:n])]
    return same or _agreed(text, readings) or _placed(text, readings) or _named(text, readings)


def _agreed(text: str, options: Sequence[Option]) -> Option | None:
    agrees = " ".join(tokens_of(text)) in phrases().agreeing
    return options[0] if agrees and len(options) == 1 and not options[0].instead else None


def _placed(text: str, options: Sequence[Option]) -> Option | None:
    """The option of that place: "the second one", "2"."""
    said = [token for token in tokens_of(text) if token not in phrases().placing]
    if len(said) != 1 or len(options) < 2:
        return None
    place = len(options) if said[0] in phrases().ending else english().ordinals.get(said[0], 0)
    place = place or (int(said[0]) if said[0].isdecimal() else 0)
    return options[place - 1] if 0 < place <= len(options) else None


def _named(text: str, options: Sequence[Option]) -> Option | None:
    """The one reading that alone says all of a reply's words: "names", "by owner"."""
    said = {folded(token) for token in tokens_of(text) if token not in english().stopwords}
    if not said or len(tokens_of(text)) > LONGEST or len(options) < 2:
        return None
    held = [option for option in options if said <= set(folded(option.label).split())]
    return held[0] if len(held) == 1 and not held[0].instead else None
