"""The columns of exports of well-known products mean what they are: `exports.yaml` lists their names to the letter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from apps.analyst.dictionary.columns import named
from apps.analyst.dictionary.names import trades
from apps.analyst.dictionary.tied import SURE
from apps.analyst.knowledge.loader import knowledge, parsed
from apps.analyst.types import Column

EXPORTS: Mapping[str, Mapping[str, Sequence[str] | Mapping[str, Sequence[str]]]] = parsed(
    Path(__file__).parent / "exports.yaml"
)


def column(name: str, kind: str) -> Column:
    """A column of that name with the type that goes with what it is."""
    if kind in ("date", "time"):
        return Column(name=name, type="date", role="time")
    if kind in ("amount", "count", "price", "rate", "score", "duration", "stock", "share", "measure"):
        return Column(name=name, type="decimal", role="measure")
    return Column(name=name, type="text", role="dimension")


@pytest.mark.parametrize("product", EXPORTS)
def test_the_columns_of_an_export_are_known_by_their_names(product: str) -> None:
    columns = EXPORTS[product]["columns"]
    assert isinstance(columns, Mapping)
    names = ("export", *EXPORTS[product]["beside"], *(name for listed in columns.values() for name in listed))
    shares = tuple(sorted(trades(names).items(), key=lambda share: -share[1])[:10])
    unread = []
    for concept, listed in columns.items():
        for name in listed:
            found = named(column(name, knowledge().concepts[concept].kind), names, shares).concepts
            best = [one for one, score in found if score >= found[0][1]]
            if concept not in best or found[0][1] < SURE:
                unread.append((name, concept, found[:2]))
    assert unread == []
