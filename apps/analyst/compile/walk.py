"""Walking and rewriting plan trees without knowing every node: children of a node, search, substitution."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from apps.analyst.plan import Aggregate, ColumnRef, InQuery, Node, Query, ScalarQuery, SetOperation, Window

N = TypeVar("N", bound=Node)
_QUERIES = (Query, SetOperation)


def children(node: Node) -> Iterator[Node]:
    """The nodes directly inside `node`, those of inner queries left out: they have names of their own."""
    for name in type(node).model_fields:
        value = getattr(node, name)
        if isinstance(value, _QUERIES):
            continue
        if isinstance(value, Node):
            yield value
        elif isinstance(value, tuple):
            yield from (item for item in value if isinstance(item, Node))


def within(node: Node) -> Iterator[Node]:
    """`node` and all nodes below it, inner queries left out."""
    yield node
    for child in children(node):
        yield from within(child)


def has(node: Node | None, kind: type[Node] | tuple[type[Node], ...]) -> bool:
    """True where a node of that kind stands in `node`, inner queries left out."""
    return node is not None and any(isinstance(item, kind) for item in within(node))


def references(node: Node) -> Iterator[ColumnRef]:
    """Every column that `node` reads."""
    return (item for item in within(node) if isinstance(item, ColumnRef))


def aggregated(node: Node | None) -> bool:
    """True where `node` holds an aggregate."""
    return has(node, Aggregate)


def windowed(node: Node | None) -> bool:
    """True where `node` holds a window."""
    return has(node, Window)


def inner_queries(node: Node) -> Iterator[Query]:
    """The queries used as values or sets inside an expression or predicate."""
    for item in within(node):
        if isinstance(item, ScalarQuery | InQuery):
            yield item.query


def rewrite(node: N, change: Callable[[Node], Node | None]) -> N:
    """`node` with every part replaced that `change` gives a new node for; replaced parts are not walked again."""
    replaced = change(node)
    if replaced is not None:
        return replaced  # type: ignore[return-value]
    updates: dict[str, object] = {}
    for name in type(node).model_fields:
        value = getattr(node, name)
        if isinstance(value, _QUERIES):
            continue
        if isinstance(value, Node):
            new: object = rewrite(value, change)
        elif isinstance(value, tuple) and any(isinstance(item, Node) for item in value):
            new = tuple(rewrite(item, change) if isinstance(item, Node) else item for item in value)
        else:
            continue
        if new != value:
            updates[name] = new
    return node.model_copy(update=updates) if updates else node
