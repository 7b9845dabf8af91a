"""What the pieces of a message are beside each other: some words say something only before or after others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from apps.analyst.conversation.piece import Piece
from apps.analyst.conversation.words import phrases
from apps.analyst.knowledge.folding import folded

COMPUTED = ("function", "percent", "worth", "grain")
"""Pieces that say how something is computed or how fine it is told."""
MEANT = (*COMPUTED, "column", "noun", "unit")
"""Pieces that can be meant in the place of these."""
REPLACED = ("column", "value", "period", "unit", "noun", *COMPUTED)


def settled(pieces: list[Piece], tokens: Sequence[str]) -> Iterator[Piece]:
    """The pieces as they are meant where they stand."""
    kept = _without_denied(_without_replaced(pieces))
    for n, piece in enumerate(kept):
        lacks = any(behind.kind == "column" for behind in kept[n + 1 : n + 2])
        follows = any(before.kind == "value" for before in kept[max(n - 1, 0) : n])
        idle = piece.kind == "lacking" and not lacks  # "out of stock", not "out of those"
        idle = idle or (follows and _is_generic(piece, tokens))  # "warranty cases"
        yield replace(piece, kind="filler", columns=()) if idle else piece


def _is_generic(piece: Piece, tokens: Sequence[str]) -> bool:
    """True for words that say nothing beside what is named, as long as no column is called so."""
    said = set(tokens[piece.start : piece.end])
    called = any(said & set(folded(column.replace("_", " ")).split()) for _, column in piece.columns)
    return said <= phrases().generic and not called


def _without_replaced(pieces: list[Piece]) -> list[Piece]:
    """The pieces without what something is said to stand instead of: "nights instead of guests"."""
    kept: list[Piece] = []
    for piece in pieces:
        before = next((p for p in reversed(kept) if p.kind != "filler"), None)
        replaced = before is not None and before.kind == "replaced"
        if replaced and piece.kind in REPLACED and before is not None:
            kept[kept.index(before)] = replace(before, kind="instead")
        elif not replaced or piece.kind != "by":
            kept.append(piece)
    return kept


def _without_denied(pieces: list[Piece]) -> list[Piece]:
    """The pieces without a way to compute that is only said not to be meant: "amounts, not the count"."""
    named = [n for n, piece in enumerate(pieces) if piece.kind != "filler"]
    gone: set[int] = set()
    for n, behind in pairwise(named):
        others = [m for m in named if m not in (n, behind, *gone)]
        if pieces[n].kind == "without" and pieces[behind].kind in COMPUTED:
            gone |= {n, behind} if any(pieces[m].kind in MEANT for m in others) else set()
    return [piece for n, piece in enumerate(pieces) if n not in gone]
