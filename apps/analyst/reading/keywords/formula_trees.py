"""The text of a formula as a tree: figures and numbers joined by signs, or by the words for signs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from apps.analyst.knowledge.arithmetic import Read, Sign, Token, tokens_of, tree_of
from apps.analyst.plan import Expr
from apps.analyst.types import Column

_WORDS: tuple[tuple[str, str], ...] = (
    (r"\bdivided by\b|÷", "/"),
    (r"\bmultiplied by\b|\btimes\b|×", "*"),
    (r"\bplus\b", "+"),
    (r"\bminus\b|−|–", "-"),
)
_TOKEN = re.compile(
    r"\s*(?:(?P<sign>[()+*/]|(?<=\s)-(?=\s)|(?<=[)\w])-(?=[(]))"
    r"|(?P<number>\d[\d,]*(?:\.\d+)?)(?=\s*(?:[()+*/-]|$))"
    r"|(?P<term>[^()+*/]+?(?=\s+-\s|\s*[()+*/]|\s*$)))"
)
_ARTICLE = re.compile(r"^(?:the|our|all|sum of all|an?) ", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Binary:
    sign: Sign
    left: Tree
    right: Tree


@dataclass(frozen=True, slots=True)
class OfRows:
    """What is worked out for each row of a table, and then added up (see `formula_rows`)."""

    expr: Expr
    table: str
    columns: tuple[Column, ...]


Tree = Binary | OfRows | float | str


def parsed(text: str) -> Tree | None:
    """The tree of a formula; None for text without signs, or whose signs do not fit."""
    for pattern, sign in _WORDS:
        text = re.sub(pattern, f" {sign} ", text, flags=re.IGNORECASE)
    tokens = tokens_of(text, _TOKEN)
    if tokens is None or not any(kind == "sign" and value in "+-*/" for kind, value in tokens):
        return None
    return tree_of(tokens, _leaf, _binary)


def _binary(sign: Sign, left: Tree, right: Tree) -> Tree:
    return Binary(sign, left, right)


def signed(text: str) -> str:
    """A formula as people read it: "unit price × quantity"."""
    return text.replace("*", "×").replace(" - ", " − ")


def _leaf(tokens: Sequence[Token]) -> Read[Tree]:
    kind, value = tokens[0]
    if kind == "sign":
        raise ValueError(value)
    return float(value.replace(",", "")) if kind == "number" else _ARTICLE.sub("", value), tokens[1:]


def leaves(tree: Tree) -> Iterator[OfRows | float | str]:
    """What stands at the ends of a tree, from left to right."""
    if isinstance(tree, Binary):
        yield from leaves(tree.left)
        yield from leaves(tree.right)
    else:
        yield tree
