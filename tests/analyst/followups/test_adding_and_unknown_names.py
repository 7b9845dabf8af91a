"""One more figure beside the one told, countries that the data lack, rows that are counted by what they are called."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from tests.analyst.followups.conftest import Talk, sentence

TITLES = ("Order Administrator", "Owner", "Sales Agent")
ORDERS = "order_id,order_date,country,product,title,sales,profit\n" + "".join(
    f"{n},{date(2024, 1, 3) + timedelta(days=3 * n)},{('France', 'Mexico', 'Canada')[n % 3]},"
    f"{('Desk', 'Lamp')[n % 2]},{TITLES[n % 3]},{200 + n}.5,{20 + n}.5\n"
    for n in range(120)
)


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    folder: Path = tmp_path_factory.mktemp("added")
    (folder / "orders.csv").write_text(ORDERS, encoding="utf-8")
    return catalog_from_files([folder / "orders.csv"], folder / "tables")


@pytest.mark.parametrize("text", ["add profit", "also show the profit", "include the profit"])
def test_a_figure_that_is_added_stands_beside_the_one_told(text: str, talk: Talk) -> None:
    first, added = talk("What are total sales by product?", text)
    assert first.result is not None
    assert added.result is not None
    assert [column.name for column in added.result.columns] == ["Product", "Total sales", "Total profit"]
    assert {row[:2] for row in added.result.rows} == {tuple(row) for row in first.result.rows}


@pytest.mark.parametrize("text", ["same for Italy", "and for Italy?", "how about Italy?"])
def test_a_country_that_the_data_lack_is_not_passed_over(text: str, talk: Talk) -> None:
    told = talk("What is the total profit by product in France?", text)[-1]
    assert told.result is None
    assert "italy" in told.text.casefold()


def test_rows_are_counted_by_their_name_also_where_it_stands_in_a_value(talk: Talk) -> None:
    told = talk("What are total sales by product?", "no, I meant the number of orders")[-1]
    assert "Number of orders by product" in sentence(told)
    assert "where" not in sentence(told)
