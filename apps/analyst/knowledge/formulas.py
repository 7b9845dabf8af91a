"""The formulas of derived figures as trees: what is added up or counted, in which state, and what is made of that."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from apps.analyst.knowledge import arithmetic
from apps.analyst.knowledge.arithmetic import Sign, Token, tokens_of

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
    tokens = tokens_of(formula.strip(), _TOKEN)
    return arithmetic.tree_of(tokens, _leaf, _made) if tokens is not None else None


def _made(sign: Sign, left: Tree, right: Tree) -> Tree:
    return Made(sign, left, right)


def figures(tree: Tree) -> Iterator[Figure]:
    """The figures of a tree, from left to right."""
    if isinstance(tree, Made):
        yield from figures(tree.left)
        yield from figures(tree.right)
    elif isinstance(tree, Figure):
        yield tree


def _leaf(tokens: Sequence[Token]) -> arithmetic.Read[Tree]:
    (kind, said), rest = tokens[0], tokens[1:]
    if kind == "number":
        return float(said), rest
    if rest[:1] == [("sign", "(")]:
        parts, after = _parts(rest[1:])
        if said not in FUNCTIONS or after[:1] != [("sign", ")")]:
            raise ValueError(said)
        return Figure("sum" if said == "total" else said, parts), after[1:]
    part, rest = _part(tokens)
    return Figure("", (part,)), rest


def _parts(tokens: Sequence[Token]) -> tuple[tuple[Part, ...], Sequence[Token]]:
    part, rest = _part(tokens, inside=True)
    parts = [part]
    while rest[:1] == [("sign", ",")]:
        part, rest = _part(rest[1:], inside=True)
        parts.append(part)
    return tuple(parts), rest


def _part(tokens: Sequence[Token], *, inside: bool = False) -> tuple[Part, Sequence[Token]]:
    if not tokens or tokens[0][0] != "word":
        raise ValueError("no name")
    name, rest, per, state = tokens[0][1], tokens[1:], "", ""
    period = [("sign", "/"), ("word", MONTHS), ("sign", "(")]
    if inside and list(rest[:3]) == period and len(rest) > 4 and rest[3][0] == "word" and rest[4] == ("sign", ")"):
        per, rest = rest[3][1], rest[5:]
    if rest and rest[0][0] == "state":
        state, rest = rest[0][1].strip("[] "), rest[1:]
    return Part(name, state, per), rest
