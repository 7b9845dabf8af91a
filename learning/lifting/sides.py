"""Two sides that are held beside each other, within the stretch of time that both are taken from."""

from __future__ import annotations

from datetime import date

from learning.lifting.sketches import Node, conj, unroll


def within(sides: list[Node], pred: Node) -> tuple[list[Node], Node]:
    """Sides that are stretches of a date with the ends that the common condition sets for it, and that condition
    without them; all else as it is."""
    columns = {side[1] for side in sides if side[0] == "dates"}
    if len(columns) != 1 or any(side[0] != "dates" for side in sides):
        return sides, pred
    (column,) = columns
    common = [part for part in unroll(pred) if part[0] == "dates" and part[1] == column]
    if len(common) != 1:
        return sides, pred
    _, _, low, high = common[0]
    cut = [("dates", column, _latest(side[2], low), _earliest(side[3], high)) for side in sides]
    return cut, conj([part for part in unroll(pred) if part is not common[0]])


def _latest(one: date | None, other: date | None) -> date | None:
    return max((day for day in (one, other) if day is not None), default=None)


def _earliest(one: date | None, other: date | None) -> date | None:
    return min((day for day in (one, other) if day is not None), default=None)
