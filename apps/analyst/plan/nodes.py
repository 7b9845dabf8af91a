"""Going through a plan."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from apps.analyst.plan.tree import Node, Query

N = TypeVar("N", bound=Node)


def every(node: Node) -> Iterator[Node]:
    """The node and all below it, those of inner queries included; each before those inside it."""
    waiting = [node]
    while waiting:
        item = waiting.pop()
        yield item
        inside: list[Node] = []
        for value in item.__dict__.values():
            if isinstance(value, Node):
                inside.append(value)
            elif type(value) is tuple:
                inside += [part for part in value if isinstance(part, Node)]
        waiting += reversed(inside)


def everywhere(node: N, change: Callable[[Node, str], Node | None], source: str = "") -> N:
    """The node with all that is below it changed, inner queries included; `change` is told whose rows a part reads."""
    if isinstance(node, Query):
        source = node.source if isinstance(node.source, str) else ""
    made = change(node, source) or node
    updates: dict[str, object] = {}
    for name, value in made.__dict__.items():
        if isinstance(value, Node):
            updates[name] = everywhere(value, change, source)
        elif isinstance(value, tuple):
            updates[name] = tuple(everywhere(v, change, source) if isinstance(v, Node) else v for v in value)
    return made.model_copy(update=updates)  # type: ignore[return-value]
