"""One piece of a short message: words that have a meaning, and what they name."""

from __future__ import annotations

from dataclasses import dataclass

from apps.analyst.reading.calendars import Range


@dataclass(frozen=True, slots=True)
class Named:
    """A stored value of a column, or a stretch of text inside its values; `whole` where the value was said whole."""

    table: str
    column: str
    value: str
    whole: bool = True
    partial: bool = False
    said: bool = True
    """Whether it was said as it stands in the data, not by another word for it."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Words [start, end) of a message. `value` is what the phrase says of its kind; the others what it names."""

    kind: str
    start: int
    end: int
    value: str = ""
    values: tuple[Named, ...] = ()
    columns: tuple[tuple[str, str], ...] = ()
    number: float = 0.0
    ranges: tuple[Range, ...] = ()
    also: tuple[str, ...] = ()
    """The other kinds that the phrase may be, as "kind:value"."""

    def may_be(self, kind: str) -> str | None:
        """What the phrase says where it is of that kind; None where it cannot be."""
        if self.kind == kind:
            return self.value
        found = next((other for other in self.also if other.startswith(f"{kind}:")), None)
        return found.removeprefix(f"{kind}:") if found is not None else None
