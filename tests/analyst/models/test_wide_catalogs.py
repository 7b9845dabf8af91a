"""Of a very wide catalog a model is told the tables that its question is about, and no more is read here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from apps.analyst.approaches.models.near import MOST_COLUMNS, MUCH_IS_PRIVATE, near, part_for
from apps.analyst.approaches.models.told import SPEAKS, Private
from apps.analyst.dictionary import cache
from apps.analyst.language import lexicon
from apps.analyst.plan import Query
from apps.analyst.ports import Catalog
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.tables.width import WIDE
from apps.analyst.types import Column, Question, Table, Turn, ValueCount
from tests.analyst.models.test_private_columns import COUNT, SECRET, TODAY, VALUE, asked, clinic

__all__ = ["clinic"]


def table(name: str, *columns: str, values: tuple[str, ...] = (), width: int = 600) -> Table:
    """A table of so many columns: those that are named, of which the first holds the values, and figures."""
    held = tuple(ValueCount(value, 1) for value in values)
    named = [
        Column(one, "text", "dimension", distinct=9, values=held if not n else ()) for n, one in enumerate(columns)
    ]
    rest = [Column(f"reading {n}", "float", "measure", distinct=9) for n in range(width - len(columns))]
    return Table(name, f"{name}.csv", Path(f"{name}.parquet"), 9, (*named, *rest))


def names(catalog: Catalog) -> set[str]:
    return {one.name for one in catalog.tables()}


@pytest.fixture
def wide() -> FixedCatalog:
    others = [table(f"sheet {n}", "colour") for n in range(9)]
    rare = [table("pumps", "maker", values=("Grundfos",)), table("visits", "cust_nm", "town"), table("sales", "amount")]
    return FixedCatalog("wide", (*others, *rare))


def read(text: str, catalog: Catalog, **more: object) -> Catalog:
    return part_for(replace(Question(text, today=TODAY), **more), catalog)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("How many pumps are there?", "pumps"),
        ("Visits by town", "visits"),
        ("Rows of each customer", "visits"),
        ("What did we buy of Grundfos?", "pumps"),
        ("Total revenue", "sales"),
    ],
)
def test_the_tables_that_a_question_speaks_of_are_taken_first(wide: FixedCatalog, text: str, meant: str) -> None:
    kept = read(text, wide)
    assert meant in names(kept)
    assert sum(len(one.columns) for one in kept.tables()) <= MOST_COLUMNS


def test_a_usual_catalog_is_taken_whole(clinic: FixedCatalog) -> None:
    assert read("How many donors?", clinic) is clinic


def test_one_table_is_taken_however_wide_it_is() -> None:
    huge = FixedCatalog("huge", (table("pumps", width=WIDE), table("visits", width=WIDE)))
    assert names(near(("How many visits?",), huge)) == {"visits"}


def test_tables_of_the_answer_before_and_chosen_files_are_taken(wide: FixedCatalog) -> None:
    turn = Turn("How many?", plan=Query(source="sheet 8"))
    assert "sheet 8" in names(read("How many pumps are there?", wide, turns=(turn,)))
    assert names(read("How many pumps are there?", wide, files=("sheet 3.csv",))) == {"sheet 3"}


def test_tables_with_private_columns_are_looked_at_for_what_texts_speak_of(wide: FixedCatalog) -> None:
    private = [replace(one, private=("colour",)) if one.name == "sheet 5" else one for one in wide.tables()]
    assert {"pumps", "sheet 5"} <= names(read("How many pumps are there?", FixedCatalog("some", tuple(private))))
    every = FixedCatalog("all", tuple(replace(one, private=("reading 7",)) for one in wide.tables()))
    with pytest.raises(Private, match=MUCH_IS_PRIVATE):
        read("How many pumps are there?", every)


@pytest.fixture
def hospital(clinic: FixedCatalog) -> Iterator[FixedCatalog]:
    """The clinic beside thousands of columns of others."""
    made = FixedCatalog("hospital", (*clinic.tables(), *(table(f"sheet {n}") for n in range(9))), clinic.joins())
    yield made
    for kept in (cache, lexicon):
        kept.forget()


def test_a_model_answers_over_a_wide_catalog_and_this_process_reads_a_part_of_it(hospital: FixedCatalog) -> None:
    cache.forget()
    lexicon.forget()
    given, sent = asked("How many donors are there?", hospital)
    assert (given.status, given.approach) == ("answered", "m")
    assert "donors" in sent
    assert "sheet 8" not in sent
    widths = [len(kept.columns) for kept in lexicon._cache.values()]
    assert widths
    assert max(widths) < WIDE


def test_what_a_wide_catalog_keeps_private_is_told_to_no_model(hospital: FixedCatalog) -> None:
    given, sent = asked(f"How many sheets are of {VALUE}?", hospital)
    assert sent == ""
    assert SPEAKS in given.assumptions
    _, sent = asked("How many donors are there?", hospital, lambda turns: COUNT, context=f"Mind the {SECRET}.")
    assert SECRET not in sent
