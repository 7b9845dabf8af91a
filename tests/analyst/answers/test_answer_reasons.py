"""Why did it change: shares that add up, the cut that explains, and plain refusals."""

from __future__ import annotations

import csv
from datetime import date
from pathlib import Path

import pytest

from apps.analyst.computing.compute import compute
from apps.analyst.computing.drivers import additive, decomposed, ratio_of
from apps.analyst.computing.executor import execute, load
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.language import Reading
from apps.analyst.pipeline import answer
from apps.analyst.plan import Aggregate, Clarify, ColumnRef, Comparison, Drivers
from apps.analyst.plan.validate import validate
from apps.analyst.reading.rules.understanding import understood
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Answer, Question, ResponseStyle, Result

TODAY = date(2025, 1, 10)
ORDERS = [
    # region, channel, amount in Q1, amount in Q2: North falls by 900, West rises by 100, South stays
    ("North", "Web", [500, 500], [100]),
    ("North", "Shop", [], []),
    ("South", "Shop", [200, 100], [150, 150]),
    ("West", "Web", [50, 50], [100, 100]),
]


@pytest.fixture(scope="module")
def orders(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    folder = tmp_path_factory.mktemp("orders")
    rows: list[list[object]] = []
    for region, channel, first, second in ORDERS:
        for month, amounts in ((2, first), (5, second)):
            for amount in amounts:
                for part in range(2):
                    rows.append([len(rows) + 1, region, channel, f"2024-0{month}-1{part}", f"${amount / 2:.2f}"])
    rows.append([len(rows) + 1, "South", "Shop", "2024-07-20", "$10.00"])
    path = folder / "orders.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["order_id", "region", "channel", "order_date", "amount"], *rows])
    return catalog_from_files([path], folder / "tables")


def asked(text: str, catalog: FixedCatalog, warehouse: LocalWarehouse, style: ResponseStyle = "Standard") -> Answer:
    return answer(
        Question(text, today=TODAY, style=style), catalog=catalog, warehouse=warehouse, learned=False, onward=False
    )


def read(text: str, catalog: FixedCatalog) -> Reading:
    return understood(Question(text, today=TODAY), catalog)[0]


def shares(found: Result | None) -> dict[object, object]:
    assert found is not None
    return {row[0]: row[-1] for row in found.rows}


def test_a_fall_is_laid_to_the_group_that_made_it(orders: FixedCatalog, warehouse: LocalWarehouse) -> None:
    said = asked("Why did the total amount fall in Q2 2024?", orders, warehouse)
    assert said.text.startswith("The total amount is **down 57.1% (−$800)**, from $1,400 in Q1 2024 to $600")
    assert "By region, **North** accounts for 113% of the change (−$900); West (+$100) went the other way." in said.text
    assert shares(said.result) == {"North": 112.5, "South": 0.0, "West": -12.5}
    assert any("compared with the period before, Q1 2024" in text for text in said.assumptions)
    assert said.headline is not None
    assert said.headline.change_text == "−57.1% vs Q1 2024"


@pytest.mark.parametrize(
    "text",
    [
        "Why did the total amount fall in Q2 2024?",
        "What drove the drop in total amount from Q1 2024 to Q2 2024?",
        "why is the total amount down in Q2 2024 compared with Q1 2024",
        "Explain the decline in total amount between Q1 2024 and Q2 2024",
        "What are the main reasons for the decrease in total amount in Q2 2024?",
    ],
)
def test_ways_to_ask_for_reasons_are_one_plan(orders: FixedCatalog, text: str) -> None:
    plan = read(text, orders).plan
    assert isinstance(plan, Drivers)
    assert plan.expected == "down"
    assert (plan.comparison.current_label, plan.comparison.baseline_label) == ("Q2 2024", "Q1 2024")
    assert plan.comparison == read("why did total amount fall from Q1 2024 to Q2 2024", orders).plan.comparison  # type: ignore[union-attr]


def test_a_column_that_is_named_is_the_one_it_is_split_by(orders: FixedCatalog, warehouse: LocalWarehouse) -> None:
    said = asked(
        "Which channel contributed most to the drop in total amount from Q1 2024 to Q2 2024?", orders, warehouse
    )
    assert shares(said.result) == {"Web": 100.0, "Shop": 0.0}


@pytest.mark.parametrize(
    "text",
    [
        "Why did the total amount fall in Q2 2024?",
        "Why did the number of orders change in Q2 2024?",
        "Why did the average amount change from Q1 2024 to Q2 2024?",
    ],
)
def test_shares_add_up_to_the_whole_change(orders: FixedCatalog, warehouse: LocalWarehouse, text: str) -> None:
    computed = compute(read(text, orders).plan, orders, warehouse)
    assert computed.drivers is not None
    for split in computed.drivers.splits:
        assert sum(split.share(group) for group in split.groups) == pytest.approx(100)
        assert sum(group.part for group in split.groups) == pytest.approx(computed.drivers.change)


def test_an_average_moves_by_rates_and_by_weights(orders: FixedCatalog, warehouse: LocalWarehouse) -> None:
    computed = compute(read("Why did the average amount fall in Q2 2024?", orders).plan, orders, warehouse)
    assert computed.drivers is not None
    region = next(split for split in computed.drivers.splits if split.cut.by.label == "region")
    north = next(group for group in region.groups if group.name == "North")
    # Q1: 4 of 12 orders at 250; Q2: 2 of 10 at 50. The mean rate of both sides is (116.67 + 60) / 2.
    assert north.from_rate == pytest.approx((4 / 12 + 2 / 10) / 2 * (50 - 250))
    assert north.from_weight == pytest.approx((2 / 10 - 4 / 12) * (150 - (1400 / 12 + 600 / 10) / 2))


def test_number_and_average_explain_a_total_together(orders: FixedCatalog, warehouse: LocalWarehouse) -> None:
    said = asked("Why did the total amount fall in Q2 2024?", orders, warehouse)
    assert "Fewer orders (12 to 10) make up 22.1% of it, a lower average ($116.67 to $60) 77.9%." in said.text


def test_frames_give_the_same_reasons(orders: FixedCatalog, warehouse: LocalWarehouse) -> None:
    for text in ("Why did the total amount fall in Q2 2024?", "Why did the average amount fall in Q2 2024?"):
        computed = compute(read(text, orders).plan, orders, warehouse)
        other = execute(computed.plan, orders, load(orders))
        assert [column.name for column in other.columns] == [column.name for column in computed.result.columns]
        for one, two in zip(computed.result.rows, other.rows, strict=True):
            assert one[0] == two[0]
            assert [float(str(v)) for v in one[1:]] == pytest.approx([float(str(v)) for v in two[1:]])


def test_a_change_the_other_way_is_put_right(orders: FixedCatalog, warehouse: LocalWarehouse) -> None:
    said = asked("Why did the total amount rise in Q2 2024?", orders, warehouse)
    assert said.text.startswith("The total amount did not rise: it is down 57.1%")


def test_without_a_period_the_last_whole_one_is_taken(orders: FixedCatalog, warehouse: LocalWarehouse) -> None:
    said = asked("Why did the total amount fall?", orders, warehouse)
    assert any(text.startswith("No period was named") for text in said.assumptions)


def test_what_does_not_add_up_is_declined_with_its_reason(orders: FixedCatalog, warehouse: LocalWarehouse) -> None:
    said = asked("Why did the median amount fall in Q2 2024?", orders, warehouse)
    assert said.status == "declined"
    assert "cannot be split: only totals, counts, averages and rates" in said.text
    assert isinstance(read("Why did the temperature fall in Q2 2024?", orders).plan, Clarify)


def test_a_period_without_data_is_no_baseline(orders: FixedCatalog, warehouse: LocalWarehouse) -> None:
    said = asked("Why did the average amount change from Q1 2019 to Q2 2024?", orders, warehouse)
    assert said.status == "declined"
    assert "There is nothing for Q1 2019 in your data" in said.text


def test_the_explanatory_style_shows_the_whole_search(orders: FixedCatalog, warehouse: LocalWarehouse) -> None:
    text = "Why did the total amount fall in Q2 2024?"
    concise, full = (asked(text, orders, warehouse, style) for style in ("Concise", "Explanatory"))
    assert "**What was looked at**" in full.text
    assert "- Channel: Web 100%" in full.text
    assert "make up" not in concise.text


def test_the_chart_shows_the_parts_of_the_change(orders: FixedCatalog, warehouse: LocalWarehouse) -> None:
    said = asked("Why did the total amount fall in Q2 2024?", orders, warehouse)
    assert said.chart is not None
    assert said.chart.document["title"] == "Change in total amount by region, Q1 2024 to Q2 2024"
    assert said.chart.document["datasets"][0]["data"] == [-900, 0, 100]  # type: ignore[index]


def test_rates_are_known_by_their_form() -> None:
    amount = ColumnRef(table="orders", column="amount")
    assert additive(Aggregate(fn="sum", of=amount))
    assert not additive(Aggregate(fn="count", of=amount, distinct=True))
    rate = ratio_of(Aggregate(fn="avg", of=amount))
    assert rate is not None
    assert rate.base == Aggregate(fn="count", of=amount)
    assert ratio_of(Aggregate(fn="median", of=amount)) is None


def test_more_groups_than_are_shown_stand_in_one_row(tmp_path: Path) -> None:
    rows = [[i, f"2024-0{1 + i % 2 * 3}-10", f"Shop {i // 4:02d}", 100 + (i % 2) * i] for i in range(80)]
    path = tmp_path / "sales.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["sale_id", "sold_on", "shop", "amount"], *rows])
    catalog = catalog_from_files([path], tmp_path / "tables")
    engine = LocalWarehouse()
    plan = read("Why did the total amount rise from Q1 2024 to Q2 2024?", catalog).plan
    assert isinstance(plan, Drivers)
    validate(plan, catalog)

    def run(comparison: Comparison) -> Result:
        return compute(comparison, catalog, engine).result

    found, _ = decomposed(plan, run)
    groups = found.splits[0].groups
    assert (len(groups), groups[-1].others) == (10, 11)
    assert sum(group.part for group in groups) == pytest.approx(found.change)
    computed = compute(plan, catalog, engine)
    assert computed.result.rows[-1][0] == "11 others"
    engine.close()
