"""The text of a formula as a tree: figures and numbers joined by signs, or by the words for signs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from apps.analyst.plan import Expr
from apps.analyst.types import Column

Sign = Literal["+", "-", "*", "/"]
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
    tokens: list[tuple[str, str]] = []
    place = 0
    text = text.rstrip()
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None or match.end() == place or match.lastgroup is None:
            return None
        tokens.append((match.lastgroup, match[match.lastgroup].strip()))
        place = match.end()
    if not any(kind == "sign" and value in "+-*/" for kind, value in tokens):
        return None
    tree, rest = _sum(tokens)
    return tree if not rest else None


def signed(text: str) -> str:
    """A formula as people read it: "unit price × quantity"."""
    return text.replace("*", "×").replace(" - ", " − ")


_Tokens = Sequence[tuple[str, str]]


def _sum(tokens: _Tokens) -> tuple[Tree | None, _Tokens]:
    return _chain(tokens, "+-", _product)


def _product(tokens: _Tokens) -> tuple[Tree | None, _Tokens]:
    return _chain(tokens, "*/", _atom)


def _chain(
    tokens: _Tokens, signs: str, part: Callable[[_Tokens], tuple[Tree | None, _Tokens]]
) -> tuple[Tree | None, _Tokens]:
    left, rest = part(tokens)
    while left is not None and rest and rest[0][0] == "sign" and rest[0][1] in signs:
        right, after = part(rest[1:])
        if right is None:
            return None, rest
        left, rest = Binary(rest[0][1], left, right), after  # type: ignore[arg-type]
    return left, rest


def _atom(tokens: _Tokens) -> tuple[Tree | None, _Tokens]:
    if not tokens:
        return None, tokens
    kind, value = tokens[0]
    if kind == "number":
        return float(value.replace(",", "")), tokens[1:]
    if kind == "term":
        return _ARTICLE.sub("", value), tokens[1:]
    if value == "(":
        inner, rest = _sum(tokens[1:])
        if inner is not None and rest and rest[0] == ("sign", ")"):
            return inner, rest[1:]
    return None, tokens


def leaves(tree: Tree) -> Iterator[OfRows | float | str]:
    """What stands at the ends of a tree, from left to right."""
    if isinstance(tree, Binary):
        yield from leaves(tree.left)
        yield from leaves(tree.right)
    else:
        yield tree
