"""The columns of exports of well-known products mean what they are: `exports.yaml` lists their names to the letter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from apps.analyst.dictionary.columns import named
from apps.analyst.dictionary.names import trades
from apps.analyst.dictionary.products import product_names
from apps.analyst.dictionary.tied import SURE
from apps.analyst.knowledge.loader import knowledge, parsed
from apps.analyst.reading.index import index_of
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.types import Column, Table

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


def table(names: Sequence[str]) -> Table:
    columns = tuple(column(name, "text") for name in names)
    return Table(name="export_7", file_name="export_7.csv", path=Path("export_7.parquet"), rows=9, columns=columns)


@pytest.mark.parametrize("product", EXPORTS)
def test_a_file_is_called_by_the_product_that_it_comes_from(product: str) -> None:
    columns = EXPORTS[product]["columns"]
    assert isinstance(columns, Mapping)
    names = [*EXPORTS[product]["beside"], *(listed[0] for listed in columns.values())]
    assert product.casefold() in product_names(table(list(dict.fromkeys(names))))


@pytest.mark.parametrize(
    "names",
    [
        ["Order ID", "Customer", "Amount", "Status", "Created at"],
        ["Campaign", "Clicks", "Impr.", "Cost"],
        ["Record ID", "Deal owner", "Stage"],
        [],
    ],
)
def test_files_with_few_such_names_come_from_nowhere(names: list[str]) -> None:
    assert product_names(table(names)) == ()


def test_units_and_time_zones_are_no_part_of_a_name() -> None:
    names = ["id", "Current Period Start (UTC)", "Current Period End (UTC)", "Card Brand (USD)"]
    assert "stripe" in product_names(table(names))


def test_words_for_the_product_name_the_table() -> None:
    found = index_of(FixedCatalog("one", (table(["Impr.", "Avg. CPC", "Conv. value", "Clicks"]),)))
    assert "google" in found.words
