"""Rows to look at: the pages of a table, of what a search finds, and of what lacks a value."""

from __future__ import annotations

from datetime import date

import pytest

from apps.analyst.errors import QueryFailed
from apps.analyst.tables.looking import RowPage, keep_found, look
from tests.analyst.tables.test_join_paths import lines, table_of

TEXT = lines(
    "when,name,city,amount",
    "2025-03-02,Zoë Brown,Saint-Étienne,1200",
    "2025-03-03,Ann Smith,,75",
    "2025-04-02,Zoe Green,Paris,1",
    *(f"2025-05-{n:02},Person {n},Rome,{n + 5000}" for n in range(1, 29)),
)


@pytest.fixture
def page(tmp_path):
    """A page of the table above."""
    table = table_of(tmp_path, "people", TEXT)

    def of(search: str = "", missing: str = "", *, offset: int = 0, limit: int = 5, seconds: float = 20) -> RowPage:
        return look(
            table.path, table.columns, search=search, missing=missing, offset=offset, limit=limit, seconds=seconds
        )

    return of


def found(page: RowPage) -> list[object]:
    return [row[1] for row in page.rows]


def test_pages_follow_the_order_of_the_file_and_tell_how_many_rows_there_are(page):
    assert page().matched == 31
    assert page().rows[0] == (date(2025, 3, 2), "Zoë Brown", "Saint-Étienne", 1200)
    assert found(page(offset=3, limit=2)) == ["Person 1", "Person 2"]
    assert found(page(offset=30)) == ["Person 28"]
    assert page(offset=31) == RowPage((), 31)


@pytest.mark.parametrize(
    ("search", "names"),
    [
        ("zoe", ["Zoë Brown", "Zoe Green"]),
        ("GREEN zoe", ["Zoe Green"]),
        ("etienne", ["Zoë Brown"]),
        ("1,200", ["Zoë Brown"]),
        ("1200", ["Zoë Brown"]),
        ("mar", ["Zoë Brown", "Ann Smith"]),
        ("brown 2 Mar 2025", ["Zoë Brown"]),
        ("2025-03-03", ["Ann Smith"]),
        ("smith 75", ["Ann Smith"]),
        ("smith paris", []),
        ("smith75", []),
        ("100%", []),
        ("'; DROP TABLE people; --", []),
        ("person_1", []),
    ],
)
def test_every_word_of_a_search_stands_somewhere_in_the_row(page, search, names):
    told = page(search)
    assert found(told) == names
    assert told.matched == len(names)


def test_rows_that_lack_a_value_are_found_also_together_with_words(page):
    assert found(page(missing="city")) == ["Ann Smith"]
    assert found(page("ann", "city")) == ["Ann Smith"]
    assert page("zoe", "city") == RowPage((), 0)
    assert page(missing="amount") == RowPage((), 0)


def test_names_of_columns_are_no_part_of_the_query(tmp_path):
    table = table_of(tmp_path, "odd", lines('"a ""b"" c",d', ",1", "x,2"))
    assert [column.name for column in table.columns] == ['a "b" c', "d"]
    told = look(table.path, table.columns, search="", missing='a "b" c', offset=0, limit=5, seconds=20)
    assert told == RowPage(((None, 1),), 1)
    table = table_of(tmp_path, "short", lines("hay,h,hh,hhhh", "1,2,3,4", "5,6,7,8"))
    told = look(table.path, table.columns, search="7", missing="", offset=0, limit=5, seconds=20)
    assert told == RowPage(((5, 6, 7, 8),), 1)


def test_what_is_found_is_kept_as_a_table_of_its_own_in_the_order_of_the_file(tmp_path):
    table = table_of(tmp_path, "people", TEXT)
    kept = tmp_path / "it's kept.parquet"
    assert keep_found(table.path, table.columns, search="rome", missing="", target=kept, seconds=20) == 28
    told = look(kept, table.columns, search="", missing="", offset=0, limit=40, seconds=20)
    assert found(told) == [f"Person {number}" for number in range(1, 29)]
    assert told.rows[0] == (date(2025, 5, 1), "Person 1", "Rome", 5001)


def test_what_cannot_be_kept_is_no_search_that_took_too_long(tmp_path):
    table = table_of(tmp_path, "people", TEXT)
    with pytest.raises(OSError, match="nowhere"):
        keep_found(table.path, table.columns, search="", missing="city", target=tmp_path / "nowhere/a", seconds=20)


def test_what_takes_too_long_is_ended_in_words(tmp_path):
    table = table_of(tmp_path, "long", lines("n,text", *(f"{n},{'words ' * 40}{n}" for n in range(60_000))))
    with pytest.raises(QueryFailed) as ended:
        look(table.path, table.columns, search="words nothing", missing="", offset=0, limit=5, seconds=0.001)
    assert ended.value.message == "Looking through the rows took too long. Please search for fewer words."
