"""A goal, what was found out about it, and the words for it in the table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from benches.prove.devices import Devices


@dataclass(frozen=True)
class Finding:
    """What a measurement gave. `met` is None where it does not prove the goal, and `why` says what is missing."""

    figure: str
    met: bool | None
    why: str = ""


@dataclass(frozen=True)
class Goal:
    """One of R1 to R28. `scales` is false where the measurement is of the goal's own size at every scale."""

    name: str
    what: str
    aim: str
    measure: Callable[[Devices], Finding]
    scales: bool = True


def verdict(goal: Goal, finding: Finding, scale: float) -> str:
    """One of: met, held at a part of the size, NOT met, not proved with the reason."""
    if finding.met is None:
        return f"not proved: {finding.why}"
    if not finding.met:
        return f"**not met**{': ' + finding.why if finding.why else ''}"
    return "met" if scale >= 1 or not goal.scales else f"held at {scale:g} of the size"
