"""Sums of products as formulas write them: what stands between signs and brackets each kind of formula reads itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Literal, TypeVar, cast

Token = tuple[str, str]
"""A kind ("sign" for signs and brackets, others as a formula has them) and what is written."""
Sign = Literal["+", "-", "*", "/"]
T = TypeVar("T")
Read = tuple[T, Sequence[Token]]
"""What was read, and the tokens behind it."""
Leaf = Callable[[Sequence[Token]], Read[T]]
"""Reads what stands between signs, at least one token. Raises ValueError where that is nothing it knows."""
Join = Callable[[Sign, T, T], T]


def tokens_of(text: str, pattern: re.Pattern[str]) -> list[Token] | None:
    """The tokens of a text, each by the name of the pattern's group that it is; None where something is none."""
    found: list[Token] = []
    place, text = 0, text.rstrip()
    while place < len(text):
        match = pattern.match(text, place)
        if match is None or match.end() == place or match.lastgroup is None:
            return None
        found.append((match.lastgroup, match[match.lastgroup].strip()))
        place = match.end()
    return found


def tree_of(tokens: Sequence[Token], leaf: Leaf[T], join: Join[T]) -> T | None:
    """The tree of tokens, products before sums, each from the left; None where their signs or brackets do not fit."""
    try:
        tree, rest = _sum(tokens, leaf, join)
    except ValueError:
        return None
    return tree if not rest else None


def _sum(tokens: Sequence[Token], leaf: Leaf[T], join: Join[T]) -> Read[T]:
    def product(left: Sequence[Token]) -> Read[T]:
        return _chain(left, "*/", lambda inner: _part(inner, leaf, join), join)

    return _chain(tokens, "+-", product, join)


def _chain(tokens: Sequence[Token], signs: str, part: Leaf[T], join: Join[T]) -> Read[T]:
    left, rest = part(tokens)
    while rest and rest[0][0] == "sign" and rest[0][1] in signs:
        right, after = part(rest[1:])
        left, rest = join(cast(Sign, rest[0][1]), left, right), after
    return left, rest


def _part(tokens: Sequence[Token], leaf: Leaf[T], join: Join[T]) -> Read[T]:
    if not tokens:
        raise ValueError("nothing behind a sign")
    if tokens[0] != ("sign", "("):
        return leaf(tokens)
    inner, rest = _sum(tokens[1:], leaf, join)
    if rest[:1] != [("sign", ")")]:
        raise ValueError("a bracket that is not closed")
    return inner, rest[1:]
