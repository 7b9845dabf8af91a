"""Walking and rewriting plan trees without knowing every node: children of a node, search, substitution."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, datetime
from decimal import Decimal
from typing import TypeVar

from apps.analyst.plan import (
    Aggregate,
    ColumnRef,
    Combine,
    Comparison,
    InQuery,
    Node,
    Query,
    ScalarQuery,
    SetOperation,
    Statistic,
    Window,
)

N = TypeVar("N", bound=Node)
_QUERIES = (Query, SetOperation)
_BARE = frozenset({str, int, float, bool, type(None), Decimal, date, datetime})
"""Types of values that hold no node: told by their type alone, as walks are most of what validating costs."""


def children(node: Node) -> list[Node]:
    """The nodes directly inside `node`, those of inner queries left out: they have names of their own."""
    found: list[Node] = []
    for value in node.__dict__.values():
        if type(value) in _BARE:
            continue
        if type(value) is tuple:
            found += [item for item in value if isinstance(item, Node)]
        elif isinstance(value, Node) and not isinstance(value, _QUERIES):
            found.append(value)
    return found


def within(node: Node) -> Iterator[Node]:
    """`node` and all nodes below it, inner queries left out; each before those inside it."""
    waiting = [node]
    while waiting:
        item = waiting.pop()
        yield item
        waiting += reversed(children(item))


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
    for name, value in node.__dict__.items():
        if type(value) in _BARE:
            continue
        if type(value) is tuple:
            new = tuple(rewrite(item, change) if isinstance(item, Node) else item for item in value)
            if any(a is not b for a, b in zip(new, value, strict=True)):
                updates[name] = new
        elif isinstance(value, Node) and not isinstance(value, _QUERIES):
            part = rewrite(value, change)
            if part is not value:
                updates[name] = part
    return node.model_copy(update=updates) if updates else node


def with_queries(plan: N, change: Callable[[Query], Query]) -> N:
    """The plan with each query changed that stands in it by itself; those inside a query are its own."""
    match plan:
        case Query():
            return change(plan)  # type: ignore[return-value]
        case SetOperation():
            return plan.model_copy(update={"left": change(plan.left), "right": change(plan.right)})
        case Comparison() | Statistic():
            return plan.model_copy(update={"query": change(plan.query)})  # type: ignore[return-value]
        case Combine():
            parts = tuple(part.model_copy(update={"query": change(part.query)}) for part in plan.parts)
            return plan.model_copy(update={"parts": parts})
        case _:
            return plan
