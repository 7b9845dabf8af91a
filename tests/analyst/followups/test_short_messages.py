"""Short messages as people write them over files with telling column names: each word means what it says there."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from apps.analyst.plan import Drivers
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from tests.analyst.consensus.planted import write
from tests.analyst.followups.conftest import Talk, sentence

HEAD = ["Line ID", "Order Number", "Order Date", "Month Name", "Supplier", "Shelf", "Status", "Quantity Ordered",
        "Gross Sales", "Discounts"]  # fmt: skip


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    folder = tmp_path_factory.mktemp("lines")
    return catalog_from_files([_lines(folder)], folder / "tables")


def _lines(folder: Path) -> Path:
    rows = []
    for n in range(366):
        day = date(2023, 1, 1) + timedelta(days=2 * n)
        status = ("Shipped", "Shipped", "Returned", "Open")[n % 4]
        gross = 100 + 37 * n % 400
        rows.append(
            [f"L{n:04d}", 7000 + n // 3, day, day.strftime("%B"), f"Supplier {'ABC'[n % 3]}", f"Level {3 + n % 2}",
             status, 1 + n % 9, gross, gross // (5 + n % 3)]
        )  # fmt: skip
    return write(folder, "order_lines.csv", HEAD, rows)


FIRST = "What is the total gross sales by supplier?"


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        ([FIRST, "just the top 2"], "Total Gross Sales by Supplier in order_lines, the 2 highest."),
        (["What is the total gross sales by shelf?", "by supplier"], "Total Gross Sales by Shelf and Supplier in"),
        (
            ["What is the total gross sales in 2023?", "only Supplier A", "by supplier"],
            "by Supplier in order_lines, wh",
        ),
        (["What is the total gross sales in 2023?", "how many orders was that?"], "different Order Numbers in"),
        ([FIRST, "as a percentage of discounts"], "100 × total Gross Sales ÷ total Discounts by Supplier"),
        ([FIRST, "in percent", "and the average?"], "Average Gross Sales by Supplier in"),
        ([FIRST, "best suppliers"], "by Supplier in order_lines, sorted by total Gross Sales, highest first"),
        ([FIRST, "best supplier"], "by Supplier in order_lines, only the highest"),
        ([FIRST, "only returned", "not returned, open"], "where Status is Open"),
        ([FIRST, "total?"], "Total Gross Sales in order_lines."),
        ([FIRST, "per order line"], "Average Gross Sales by Supplier in"),
        ([FIRST, "which supplier has the most returned?"], "Number of order lines by Supplier in"),
        (["What is the total gross sales by month in 2023?", "best month?"], "by month of Order Date in"),
        (["What is the total gross sales in 2024?", "how was it a year earlier?"], "where Order Date is in 2023"),
        (["What is the total gross sales in 2024?", "same by supplier"], "by Supplier in order_lines, where"),
        (["Total gross sales in 2024", "and in 2023?", "growth in %?"], "2024 compared with 2023"),
        (["Total gross sales in 2024", "compare with last year", "why?", "per year"], "by year of Order Date in"),
        (["Total gross sales in 2024", "what is the change?"], "2024 compared with 2023"),
    ],
)
def test_each_word_means_what_it_says_here(texts: list[str], words: str, talk: Talk) -> None:
    assert words.casefold() in sentence(talk(*texts)[-1]).casefold()


def test_the_best_month_of_a_series_is_one_of_its_months(talk: Talk) -> None:
    series, best = (given.result for given in talk("What is the total gross sales by month in 2023?", "best month?"))
    assert series is not None
    assert best is not None
    assert [*map(list, best.rows)] == [list(max(series.rows, key=lambda row: float(str(row[1]))))]


def test_the_total_of_two_things_is_one_figure(talk: Talk) -> None:
    texts = (FIRST, "only Supplier A", "what about Supplier B?", "total for both")
    one, other, both = (given.result for given in talk(*texts)[1:])
    assert one is not None
    assert other is not None
    assert both is not None
    figures = [float(str(result.rows[0][-1])) for result in (one, other, both)]
    assert (len(both.rows), figures[2]) == (1, figures[0] + figures[1])


def test_why_in_a_month_explains_that_month(talk: Talk) -> None:
    why = talk("What is the total gross sales by month?", "why did it fall in October?")[-1]
    assert isinstance(why.plan, Drivers), why.text
    assert (why.plan.comparison.current_label, why.plan.comparison.baseline_label) == ("October 2024", "September 2024")


def test_months_do_not_explain_why_a_month_differs(talk: Talk) -> None:
    why = talk("What is the total gross sales by month?", "why did it fall in October?")[-1]
    assert isinstance(why.plan, Drivers), why.text
    assert "Month Name" in [cut.by.label for cut in why.plan.cuts]
    assert "by month" not in why.text.casefold()


def test_one_figure_is_no_part_of_another_kind(talk: Talk) -> None:
    share = talk(FIRST, "as a percentage of quantity ordered")[-1]
    assert share.plan is None or "÷" not in sentence(share)


def test_a_few_words_that_name_something_unknown_are_asked_about(talk: Talk) -> None:
    asked = talk(FIRST, "most blorky supplier")[-1]
    assert "I am not sure what to change" not in asked.text


def test_what_something_is_worth_is_not_passed_over(talk: Talk) -> None:
    worth = talk("How many order lines are there by supplier?", "which supplier makes the most money?")[-1]
    assert "Number of" not in sentence(worth)
