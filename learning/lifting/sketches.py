"""Parts of a sketch with what they name written out: conditions joined, figures wrapped, filler taken out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

Node = tuple[Any, ...]
ANY: Node = ("any",)
"""The condition that says nothing."""
ALL: Node = ("all",)
"""All rows or groups, not only the first."""
NO_HAVING: Node = ("nohaving",)


_OPPOSITES = {
    "is": "isnt",
    "in": "notin",
    "missing": "filled",
    "filled": "missing",
    "member": "nonmember",
    "nonmember": "member",
    "has": "hasnt",
    "gt": "le",
    "lt": "ge",
    "ge": "lt",
    "le": "gt",
    "eq": "ne",
    "isnt": "is",
    "notin": "in",
    "vgt": "vle",
    "vle": "vgt",
    "vlt": "vge",
    "vge": "vlt",
}


class NotLifted(Exception):
    """The query says what the sketch cannot."""


def conj(parts: Sequence[Node]) -> Node:
    """The conditions as one, each said once."""
    flat = list(dict.fromkeys(single for part in parts for single in unroll(part)))
    return chained("and", flat) if flat else ANY


def chained(kind: str, parts: Sequence[Node]) -> Node:
    """The parts as a chain of pairs that closes at the last one."""
    node = parts[-1]
    for other in reversed(parts[:-1]):
        node = (kind, other, node)
    return node


def opposite(pred: Node) -> Node:
    """The condition that holds where the other does not. Raises NotLifted where there is no single one."""
    if pred[0] == "is" and pred[1][3] in ("true", "false"):
        return ("is", (*pred[1][:3], "false" if pred[1][3] == "true" else "true"))
    if pred[0] == "dates" and None in pred[2:]:
        return ("dates", pred[1], pred[3], pred[2])
    if pred[0] not in _OPPOSITES:
        raise NotLifted("not " + pred[0])
    return (_OPPOSITES[pred[0]], *pred[1:])


def unroll(pred: Node) -> list[Node]:
    """The conditions that all have to hold."""
    if pred[0] == "and":
        return [*unroll(pred[1]), *unroll(pred[2])]
    return [] if pred == ANY else [pred]


def given(figure: Node, pred: Node) -> Node:
    """The figure of the rows for which the condition holds."""
    return figure if pred == ANY else ("given", figure, pred)


def percent(part: Node, whole: Node) -> Node:
    """One figure as a share of another."""
    if part[0] == "given" and part[1] == whole and whole[0] == "count":
        return ("rate", whole[1], part[2])
    if whole[0] == "total" and whole[1] == part:
        return ("share", part)
    return ("pct", part, whole)


def strip_filled(pred: Node, column: Node) -> Node:
    """The condition without saying that the column is filled."""
    return conj([p for p in unroll(pred) if p != ("filled", column)])


def drop_filled(pred: Node, value: Node) -> Node:
    """Sorting and grouping leave gaps out by themselves, so that the condition says nothing."""
    columns = list(leaves(value))
    return conj([p for p in unroll(pred) if not (p[0] == "filled" and p[1] in columns)])


def leaves(node: Node) -> Iterator[Node]:
    """The columns below a node."""
    if node[0] == "C":
        yield node
    else:
        for child in node[1:]:
            if isinstance(child, tuple):
                yield from leaves(child)


def first(descending: bool, by: Node, count: int) -> Node:
    """The first rows or groups by something."""
    return ("first", direction(descending), by, how_many(count))


def direction(descending: bool) -> Node:
    """The order of a ranking."""
    return ("desc",) if descending else ("asc",)


def how_many(count: int) -> Node:
    """How many of a ranking are shown."""
    return ("one",) if count == 1 else ("top", ("N", float(count)))
