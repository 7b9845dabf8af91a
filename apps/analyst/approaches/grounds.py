"""What a check found out about one answer, told apart: how its figures were computed again, how its question was read
again, and what speaks against trusting the reading at all.

"Confirmed" means: at least two readings that were made independently come to this result, none of weight to another,
at least one other way of computing gives the same figures and none others, no word of the question is unread, and the
reading is as likely as one that is told without a word of doubt. It is a reason to trust, not a proof.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from apps.analyst.telling.formats import listed

State = Literal["confirmed", "unconfirmed", "doubted", "disputed"]
MOST_WORDS = 4
"""Unread words that are named."""


@dataclass(frozen=True, slots=True)
class Grounds:
    """Counts of ways and readings that come to the answer's result, and to another."""

    computed_same: int = 0
    computed_other: int = 0
    read_same: int = 0
    """Independent readings, the answer's own among them where a reader or a model made it."""
    read_other: int = 0
    unread: tuple[str, ...] = ()
    """Words of the question that found no place in the answer."""
    chance: float | None = None
    """How likely the reading is right, where it is less likely than what is told without doubt."""
    one_figure: bool = False

    @property
    def state(self) -> State:
        """Disputed, doubted, unconfirmed or confirmed: the first that holds."""
        if self.computed_other or self.read_other:
            return "disputed"
        if self.unread or self.chance is not None:
            return "doubted"
        return "confirmed" if self.computed_same and self.read_same > 1 else "unconfirmed"

    @property
    def doubts(self) -> tuple[str, ...]:
        """What is said before everything else."""
        return tuple(doubt for doubt in (self._unread(), self._unlikely()) if doubt)

    @property
    def recomputed(self) -> str:
        """How the figures stand."""
        same, other = self.computed_same, self.computed_other
        alike, different = ("same figure", "another figure") if self.one_figure else ("same figures", "other figures")
        ways = _count(same + other, "other way")
        if not same and not other:
            return "Recomputed in no other way."
        if same and other:
            return f"Recomputed in {ways}: {same} with the {alike}, {other} with {different}."
        return f"Recomputed in {ways}: {alike if same else different}."

    @property
    def read(self) -> str:
        """How the reading of the question stands."""
        same, other = self.read_same, self.read_other
        ways = _count(same + other, "way")
        if not other and same > 1:
            return f"Read in {ways} that know nothing of each other: they agree."
        if not other:
            return f"Read in {ways if same else 'no other way'}: nothing disagrees, nothing confirms."
        if not same:
            return f"Read again in {ways}: {'it gives' if other == 1 else 'they give'} another result."
        return f"Read in {ways}: {same} with this result, {other} with another."

    def _unread(self) -> str:
        words = [f"“{word}”" for word in self.unread]
        named = listed(words, most=MOST_WORDS)
        return f"The {'word' if len(words) == 1 else 'words'} {named} found no place in this answer." if words else ""

    def _unlikely(self) -> str:
        if self.chance is None:
            return ""
        tenths = round(self.chance * 10)
        share = f"about {tenths} are" if tenths > 1 else "1 or none is"
        return f"How the question was read is not certain: of 10 readings like this one, {share} right."


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
