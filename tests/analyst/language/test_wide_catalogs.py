"""Names cost what they are long, and once: no file makes the questions of its organization wait."""

from __future__ import annotations

import threading
import time
from datetime import date
from pathlib import Path

import pytest

from apps.analyst.language import lexicon
from apps.analyst.language.names import split
from apps.analyst.language.readers.statistics_names import verbatim
from apps.analyst.reading.rules.understanding import understood
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.telling.followups import suggest
from apps.analyst.types import Column, Question, Table

WORDS = ("order", "customer", "sales", "region", "stage", "price", "discount", "amount", "total", "ship")
TODAY = date(2026, 1, 31)
GENEROUS = 20.0
"""Seconds of work; what is guarded against took minutes."""


def column(place: int) -> Column:
    name = "_".join(WORDS[(place // 10**k) % 10] for k in range(3)) + f"_{place}"
    if place % 2:
        return Column(name, "text", "dimension", distinct=5)
    return Column(name, "integer", "measure", distinct=500, minimum=1, maximum=1000)


def wide(tables: int, columns: int) -> FixedCatalog:
    made = tuple(
        Table(f"table {n}", f"t{n}.csv", Path("/none"), 100, tuple(column(c) for c in range(columns)))
        for n in range(tables)
    )
    return FixedCatalog(f"wide-{tables}-{columns}", made)


@pytest.mark.parametrize("name", ["x" * 100_000, "ab_" * 30_000, "Xy" * 50_000, "(" * 100_000])
def test_a_name_of_a_hundred_thousand_letters_is_split_at_once(name):
    started = time.thread_time()
    split(name, frozenset(("xxx", "yyy")))
    assert time.thread_time() - started < 0.2


def test_an_old_table_with_such_a_name_holds_up_no_question():
    columns = (Column("x" * 100_000, "text", "dimension", distinct=9), Column("amount", "integer", "measure"))
    catalog = FixedCatalog("long-name", (Table("long", "long.csv", Path("/none"), 20, columns),))
    started = time.thread_time()
    readings = understood(Question(text="What is the total amount?", today=TODAY), catalog)
    assert readings
    assert readings[0].score > 0.8
    suggest(catalog, 12)
    assert time.thread_time() - started < GENEROUS / 2


def test_many_tables_of_two_hundred_columns_are_read_and_asked_in_seconds():
    catalog = wide(25, 200)
    started = time.thread_time()
    understood(Question(text="What is the total discount by region?", today=TODAY), catalog)
    suggest(catalog, 12)
    assert time.thread_time() - started < GENEROUS


def test_a_table_of_thousands_of_columns_gets_questions_in_seconds():
    catalog = wide(1, 8_000)
    started = time.thread_time()
    suggest(catalog, 12)
    assert time.thread_time() - started < GENEROUS


def test_a_catalog_is_read_once_for_all_who_come_at_the_same_time(monkeypatch):
    built = []
    monkeypatch.setattr(lexicon, "_build", lambda tables, catalog: built.append(1) or time.sleep(0.2) or _empty())
    catalog = FixedCatalog("at the same time", ())
    askers = [threading.Thread(target=lexicon.build, args=(catalog,)) for _ in range(5)]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()
    assert len(built) == 1


def _empty() -> lexicon.Lexicon:
    return lexicon.Lexicon((), (), None, None)  # type: ignore[arg-type]


def test_very_wide_catalogs_are_not_kept_beside_one_another(monkeypatch):
    monkeypatch.setattr(lexicon, "_CACHED_COLUMNS", 300)
    for tables in (1, 2, 3):
        lexicon.build(wide(tables, 100))
    assert "wide-3-100" in lexicon._cache
    assert sum(len(kept.columns) for kept in lexicon._cache.values()) <= 600


def test_names_are_still_found_letter_for_letter():
    assert [m.column for m in verbatim("the Gross_Margin and gross margin", "gross margin")] == ["gross margin"] * 2
    assert verbatim("the net margin", "gross margin") == []
    assert verbatim("anything", "   ") == []
