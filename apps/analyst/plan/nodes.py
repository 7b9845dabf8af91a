"""Going through a plan."""

from __future__ import annotations

from collections.abc import Iterator

from apps.analyst.plan.tree import Node


def every(node: Node) -> Iterator[Node]:
    """The node and all below it, those of inner queries included."""
    yield node
    for value in node.__dict__.values():
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, Node):
                yield from every(part)
