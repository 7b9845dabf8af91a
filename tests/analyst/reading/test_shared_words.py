"""A word that several values of a column share means all of them, unless the question says more of one."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.pipeline import answer
from apps.analyst.plan import Aggregate, Among, ColumnRef, Compare, Constant, Output, Predicate, Query
from apps.analyst.reading.linking import tokens_of
from apps.analyst.reading.shared_words import with_shared_words
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Question

TIERS = ["Basic", "Family Monthly", "Family Yearly", "Student Yearly", "Student"]
PEOPLE = ["Ida Holm", "Ida Berg", "Per Lund", "Mia Lund", "Ole Vik"]
TODAY = date(2026, 3, 10)


@pytest.fixture(scope="module")
def passes(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    """Ski passes: their tier is a kind of pass, their holders are people."""
    folder: Path = tmp_path_factory.mktemp("passes")
    rows = [f"P{n:03},{TIERS[n % 5]},{PEOPLE[n % 5]},{40 + n}" for n in range(60)]
    (folder / "passes.csv").write_text("\n".join(["Pass ID,Tier,Customer name,Price", *rows]))
    return catalog_from_files([folder / "passes.csv"], folder / "tables")


def of(where: Predicate) -> Query:
    return Query(source="passes", where=where, measures=(Output(label="Number", expr=Aggregate(fn="count")),))


def is_(column: str, value: str, op: str = "=") -> Compare:
    return Compare(op=op, left=ColumnRef(table="passes", column=column), right=Constant(value=value))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "condition", "values"),
    [
        ("how many yearly passes", is_("Tier", "Family Yearly"), ["Family Yearly", "Student Yearly"]),
        ("family passes sold", is_("Tier", "Family Monthly"), ["Family Monthly", "Family Yearly"]),
        ("all passes but the yearly ones", is_("Tier", "Student Yearly", "!="), ["Family Yearly", "Student Yearly"]),
    ],
)
def test_a_word_that_values_share_means_all_of_them(
    text: str, condition: Compare, values: list[str], passes: FixedCatalog
) -> None:
    made = with_shared_words(of(condition), tokens_of(text), passes)
    assert isinstance(made, Query)
    assert isinstance(made.where, Among)
    assert sorted(str(one.value) for one in made.where.values) == values
    assert made.where.negated == (condition.op == "!=")


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("how many family yearly passes", is_("Tier", "Family Yearly")),
        ("student passes", is_("Tier", "Student Yearly")),
        ("basic passes", is_("Tier", "Basic")),
        ("passes by the cheapest tier", is_("Tier", "Family Yearly")),
        ("passes of Ida", is_("Customer name", "Ida Holm")),
    ],
    ids=["both words are said", "one value is the word itself", "no other has it", "no word says it", "two people"],
)
def test_all_else_stays_one_value(text: str, condition: Compare, passes: FixedCatalog) -> None:
    assert with_shared_words(of(condition), tokens_of(text), passes) == of(condition)


def test_an_answer_counts_all_of_them(passes: FixedCatalog) -> None:
    made = answer(Question("how many passes have a yearly tier", TODAY), catalog=passes, warehouse=LocalWarehouse())
    assert made.result is not None, made.text
    assert [int(row[0]) for row in made.result.rows] == [24]
