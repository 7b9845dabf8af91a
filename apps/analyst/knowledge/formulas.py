"""The formulas of derived figures as trees: what is added up or counted, in which state, and what is made of that."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

Token = tuple[str, str]
Sign = Literal["+", "-", "*", "/"]
_TOKEN = re.compile(
    r"\s*(?:(?P<state>\[[^\]]+\])|(?P<sign>[()+*/,]|(?<=\s)-(?=\s))|(?P<number>\d+(?:\.\d+)?)(?![\w])"
    r"|(?P<word>[^\W\d][^()+*/,\[\]]*?)(?=\s+-\s|\s*[()+*/,\[]|\s*$))"
)
FUNCTIONS = ("sum", "count", "average", "total")
MONTHS = "months"
"""The function that says by how many months a period lasts what an amount is per: `amount / months(billing period)`."""


@dataclass(frozen=True, slots=True)
class Part:
    """What a function is applied to: a figure or a thing, in which state, and the period that the figure is per."""

    name: str
    state: str = ""
    per: str = ""


@dataclass(frozen=True, slots=True)
class Figure:
    """Figures added up, averaged or counted; `of` has several parts only for counts ("won or lost")."""

    fn: str
    of: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Made:
    """Two trees with a sign between them."""

    sign: Sign
    left: Tree
    right: Tree


Tree = Figure | Made | float


def tree_of(formula: str) -> Tree | None:
    """The tree of a formula; None for one that says more than this grammar has."""
    tokens: list[Token] = []
    place, text = 0, formula.strip()
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None or match.lastgroup is None:
            return None
        tokens.append((match.lastgroup, match[match.lastgroup].strip()))
        place = match.end()
    tree, rest = _sum(tokens)
    return tree if not rest else None


def figures(tree: Tree) -> Iterator[Figure]:
    """The figures of a tree, from left to right."""
    if isinstance(tree, Made):
        yield from figures(tree.left)
        yield from figures(tree.right)
    elif isinstance(tree, Figure):
        yield tree


_Read = tuple[Tree | None, Sequence[Token]]


def _sum(tokens: Sequence[Token]) -> _Read:
    return _chain(tokens, "+-", _product)


def _product(tokens: Sequence[Token]) -> _Read:
    return _chain(tokens, "*/", _atom)


def _chain(tokens: Sequence[Token], signs: str, part: Callable[[Sequence[Token]], _Read]) -> _Read:
    left, rest = part(tokens)
    while left is not None and rest and rest[0][0] == "sign" and rest[0][1] in signs:
        right, after = part(rest[1:])
        if right is None:
            return None, rest
        left, rest = Made(rest[0][1], left, right), after  # type: ignore[arg-type]
    return left, rest


def _atom(tokens: Sequence[Token]) -> _Read:
    if not tokens:
        return None, tokens
    (kind, said), rest = tokens[0], tokens[1:]
    if kind == "number":
        return float(said), rest
    if (kind, said) == ("sign", "("):
        inner, rest = _sum(rest)
        return (inner, rest[1:]) if inner is not None and rest[:1] == [("sign", ")")] else (None, tokens)
    if kind != "word":
        return None, tokens
    if rest[:1] == [("sign", "(")]:
        parts, after = _parts(rest[1:])
        known = said in FUNCTIONS and parts and after[:1] == [("sign", ")")]
        return (Figure("sum" if said == "total" else said, parts), after[1:]) if known else (None, tokens)
    part, rest = _part(tokens)
    return (Figure("", (part,)) if part is not None else None), rest


def _parts(tokens: Sequence[Token]) -> tuple[tuple[Part, ...], Sequence[Token]]:
    parts: list[Part] = []
    rest = tokens
    while True:
        part, rest = _part(rest, inside=True)
        if part is None:
            return (), rest
        parts.append(part)
        if rest[:1] != [("sign", ",")]:
            return tuple(parts), rest
        rest = rest[1:]


def _part(tokens: Sequence[Token], *, inside: bool = False) -> tuple[Part | None, Sequence[Token]]:
    if not tokens or tokens[0][0] != "word":
        return None, tokens
    name, rest, per, state = tokens[0][1], tokens[1:], "", ""
    period = [("sign", "/"), ("word", MONTHS), ("sign", "(")]
    if inside and list(rest[:3]) == period and len(rest) > 4 and rest[3][0] == "word" and rest[4] == ("sign", ")"):
        per, rest = rest[3][1], rest[5:]
    if rest and rest[0][0] == "state":
        state, rest = rest[0][1].strip("[] "), rest[1:]
    return Part(name, state, per), rest
