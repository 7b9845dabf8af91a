"""A table of order lines: its rows are parts of orders, and nobody who asks for orders means its rows."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from tests.analyst.language.asking import Desk

TODAY = date(2026, 3, 10)
STATES = ("Delivered", "Delivered", "Delivered", "Refused", "Waiting")
SHOPS = (("Blue Door", "Germany"), ("Old Mill", "France"), ("Sea View", "Spain"), ("Hill Top", "Germany"))
FAMILIES = ("Chairs", "Tables", "Lamps")
LINES = [
    {
        "order_no": 5000 + order,
        "order_date": date(2024, 1, 1) + timedelta(days=7 * order),
        "state": STATES[order % 5],
        "shop": SHOPS[order % 4][0],
        "country": SHOPS[order % 4][1],
        "family": FAMILIES[(order + line) % 3],
        "pieces": 1 + (order + line) % 4,
        "sales": 100.0 + 10 * order + line + 25 * ((order + line) % 3),
    }
    for order in range(60)
    for line in range(1 + order % 5)
]


def lines_csv() -> str:
    head = list(LINES[0])
    return "\n".join([",".join(head), *(",".join(str(line[name]) for name in head) for line in LINES)])


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    return Desk(tmp_path_factory.mktemp("lines"), {"shipments_of_dates.csv": lines_csv()}, TODAY)


def orders(**values: object) -> set[object]:
    return {line["order_no"] for line in LINES if all(line[name] == value for name, value in values.items())}


def sales(**values: object) -> float:
    return sum(float(str(r["sales"])) for r in LINES if all(r[name] == value for name, value in values.items()))


def test_orders_are_counted_once_however_many_lines_they_have(desk: Desk) -> None:
    assert desk.figure("How many orders are there?") == 60
    assert desk.figure("How many orders were refused?") == len(orders(state="Refused"))
    assert desk.figure("How many waiting orders?") == len(orders(state="Waiting"))
    assert desk.figure("How many orders were delivered in March 2024?") == len({
        line["order_no"] for line in LINES
        if line["state"] == "Delivered" and str(line["order_date"]).startswith("2024-03")
    })  # fmt: skip


def test_things_that_stand_in_many_rows_are_counted_once(desk: Desk) -> None:
    assert desk.figure("How many shops are there?") == 4
    assert desk.figure("How many shops are in Germany?") == 2
    assert desk.rows("Which country has the most shops?")[0][0] == "Germany"
    assert {tuple(row) for row in desk.rows("number of orders per shop")} == {
        (shop, len(orders(shop=shop))) for shop, _ in SHOPS
    }


@pytest.mark.parametrize("question", ["average sales per order", "What is the average order value?"])
def test_the_mean_over_orders_is_not_the_mean_over_lines(desk: Desk, question: str) -> None:
    assert desk.figure(question) == pytest.approx(sales() / 60, abs=0.01)


def test_a_state_that_the_data_do_not_know_is_not_passed_over(desk: Desk) -> None:
    for question in ("How many orders were stolen?", "total sales of orders that are disputed"):
        assert desk.ask(question).status == "declined"


def test_a_bare_figure_of_a_long_table_is_its_total(desk: Desk) -> None:
    assert desk.figure("sales of lamps") == pytest.approx(sales(family="Lamps"))
    assert desk.figure("sales excluding Germany") == pytest.approx(sales() - sales(country="Germany"))


def test_adverbs_of_time_tell_periods_apart(desk: Desk) -> None:
    found = desk.rows("monthly sales in 2024")
    assert len(found) == 12
    assert sum(float(str(row[1])) for row in found) == pytest.approx(
        sum(float(str(r["sales"])) for r in LINES if str(r["order_date"]).startswith("2024"))
    )


def test_the_past_of_old_data_counts_from_their_last_day(desk: Desk) -> None:
    ends = max(date.fromisoformat(str(line["order_date"])) for line in LINES)
    answered = desk.ask("sales last quarter")
    assert ends == date(2025, 2, 17)
    assert desk.figure("sales last quarter") == pytest.approx(
        sum(float(str(r["sales"])) for r in LINES if "2024-10-01" <= str(r["order_date"]) < "2025-01-01")
    )
    assert any("17 Feb 2025" in text and "Q4 2024" in text for text in answered.assumptions)


def test_a_share_of_a_whole_is_one_figure(desk: Desk) -> None:
    assert desk.figure("What share of orders was delivered?") == pytest.approx(
        100 * len(orders(state="Delivered")) / 60, abs=0.01
    )
    assert desk.figure("What percentage of sales comes from Spain?") == pytest.approx(
        100 * sales(country="Spain") / sales(), abs=0.01
    )


def test_a_condition_that_fits_no_column_is_not_dropped(desk: Desk) -> None:
    for row in desk.rows("orders over 10000"):
        assert float(str(row[-1])) > 10000


def test_figures_are_not_told_apart_by_themselves(desk: Desk) -> None:
    assert desk.ask("Which sales person sold most?").status == "declined"


def test_a_participle_in_a_columns_name_hides_no_dimension(tmp_path_factory: pytest.TempPathFactory) -> None:
    made = Desk(
        tmp_path_factory.mktemp("ordered"),
        {"goods.csv": "goods,family,quantity ordered\nA,Chairs,3\nB,Lamps,4\nC,Lamps,5\n"},
        TODAY,
    )
    assert {tuple(row) for row in made.rows("total quantity ordered by family")} == {("Chairs", 3), ("Lamps", 9)}


def ranked(key: str) -> list[str]:
    """What stands under a name, that with the most sales first."""
    return sorted({str(line[key]) for line in LINES}, key=lambda name: -sales(**{key: name}))


def test_what_sells_best_is_ranked_by_what_it_brought_in(desk: Desk) -> None:
    assert desk.rows("best selling family")[0][0] == ranked("family")[0]
    assert desk.rows("worst selling family")[0][0] == ranked("family")[-1]
    assert [row[0] for row in desk.rows("top 2 selling shops")] == ranked("shop")[:2]


def test_what_sold_the_most_pieces_is_ranked_by_pieces(desk: Desk) -> None:
    shops = {shop for shop, _ in SHOPS}
    by_pieces = {name: sum(int(str(r["pieces"])) for r in LINES if r["shop"] == name) for name in shops}
    ordered = sorted(shops, key=lambda name: -by_pieces[name])
    assert len(set(by_pieces.values())) == len(shops)
    assert desk.rows("Which shop sold the most units?")[0] == [ordered[0], by_pieces[ordered[0]]]
    assert desk.rows("Which shop sold the fewest pieces?")[0] == [ordered[-1], by_pieces[ordered[-1]]]


def test_a_ranking_without_a_figure_says_by_which_it_ranks(desk: Desk) -> None:
    assert [row[0] for row in desk.rows("top 3 shops")] == ranked("shop")[:3]
    assert any("Ranked by the total of sales" in text for text in desk.ask("top 3 shops").assumptions)


def test_things_are_ranked_inside_each_group(desk: Desk) -> None:
    found = desk.rows("top 1 family per country by sales")
    best = {
        country: max(FAMILIES, key=lambda family: sales(country=country, family=family))
        for country in ("France", "Germany", "Spain")
    }
    assert {row[0]: row[1] for row in found} == best


def test_the_largest_order_is_the_one_whose_lines_come_to_most(desk: Desk) -> None:
    largest = max(orders(), key=lambda order: sales(order_no=order))
    assert desk.rows("largest order")[0] == [largest, pytest.approx(sales(order_no=largest))]


def test_things_are_held_against_their_total(desk: Desk) -> None:
    limit = sorted(sales(shop=shop) for shop, _ in SHOPS)[1]
    assert {row[0] for row in desk.rows(f"Which shops sold more than {limit:.0f}?")} == {
        shop for shop, _ in SHOPS if sales(shop=shop) > round(limit)
    }


def test_a_year_is_no_figure(tmp_path_factory: pytest.TempPathFactory) -> None:
    undated = Desk(tmp_path_factory.mktemp("undated"), {"goods.csv": "goods,sales\nA,2013\nB,40\nC,50\n"}, TODAY)
    assert undated.ask("sales in 2013").status == "declined"


@pytest.mark.parametrize("question", ["Which shops lost money?", "sales margin by country", "How many loyal shops?"])
def test_what_would_change_the_figure_and_was_not_understood_declines(desk: Desk, question: str) -> None:
    assert desk.ask(question).status == "declined"


def test_each_group_has_its_own_extreme(desk: Desk) -> None:
    found = {row[0]: row[-1] for row in desk.rows("For each country, what is the maximum sales?")}
    assert found == {
        country: max(float(str(r["sales"])) for r in LINES if r["country"] == country)
        for country in ("France", "Germany", "Spain")
    }


def test_a_total_sold_by_something_is_split_by_it(desk: Desk) -> None:
    expected = {name: sum(int(str(line["pieces"])) for line in LINES if line["family"] == name) for name in FAMILIES}
    assert {row[0]: row[1] for row in desk.rows("Total pieces sold by family")} == expected


def test_a_figure_asked_once_for_each_of_two_values_is_a_figure_by_value(desk: Desk) -> None:
    rows = desk.rows("How many orders were refused and how many are waiting?")
    assert sorted(map(tuple, rows)) == [
        ("Refused", len(orders(state="Refused"))),
        ("Waiting", len(orders(state="Waiting"))),
    ]


def test_orders_per_month_are_orders_and_not_their_lines(desk: Desk) -> None:
    months: dict[str, set[object]] = {}
    for line in LINES:
        months.setdefault(str(line["order_date"])[:7], set()).add(line["order_no"])
    rows = desk.rows("Orders per month")
    assert {str(row[0])[:7]: row[-1] for row in rows} == {month: len(held) for month, held in months.items()}
    assert {row[0]: row[-1] for row in desk.rows("orders by state")} == {s: len(orders(state=s)) for s in set(STATES)}
    assert desk.rows("In which month did we take the most orders?")[0][-1] == max(map(len, months.values()))


def test_who_sold_more_than_an_amount_is_told_by_all_of_it(desk: Desk) -> None:
    bound = int(sorted(sales(shop=shop) for shop, _ in SHOPS)[1])
    over = {shop for shop, _ in SHOPS if sales(shop=shop) > bound}
    for question in (f"How many shops sold more than {bound}?", f"How many shops spent more than {bound}?"):
        assert desk.figure(question) == len(over), question
    assert {row[0] for row in desk.rows(f"Which shops spent more than {bound}?")} == over


def test_groups_are_ranked_by_the_mean_of_their_orders(desk: Desk) -> None:
    means = {shop: sales(shop=shop) / len(orders(shop=shop)) for shop, _ in SHOPS}
    ranked = sorted(means, key=lambda shop: -means[shop])
    best = desk.rows("Which shop has the highest average order value?")
    assert best == [[ranked[0], pytest.approx(means[ranked[0]])]]
    assert desk.rows("Which shop has the lowest average order value?")[0][0] == ranked[-1]
    assert [row[0] for row in desk.rows("Which 2 shops have the highest average order value?")] == ranked[:2]


def test_the_best_periods_are_periods_and_not_days(desk: Desk) -> None:
    months: dict[str, float] = {}
    for line in LINES:
        month = str(line["order_date"])[:7]
        months[month] = months.get(month, 0.0) + float(str(line["sales"]))
    ranked = sorted(months, key=lambda month: -months[month])
    for question in ("What was our best month ever?", "best month by sales"):
        rows = desk.rows(question)
        assert [str(rows[0][0])[:7], rows[0][-1]] == [ranked[0], pytest.approx(months[ranked[0]])], question
    assert str(desk.rows("Which was our worst month?")[0][0])[:7] == ranked[-1]
    assert {str(row[0])[:7] for row in desk.rows("top 3 months by sales")} == set(ranked[:3])


def test_a_thing_in_a_table_of_its_own_has_so_many_orders_on_average(tmp_path: Path) -> None:
    files = {"shipments.csv": lines_csv(), "shops.csv": "shop,town\n" + "\n".join(f"{s},{c} town" for s, c in SHOPS)}
    desk = Desk(tmp_path, files, TODAY)
    for question in ("How many orders does a shop place on average?", "How many orders per shop on average?"):
        assert desk.figure(question) == pytest.approx(60 / len(SHOPS)), question
    assert desk.ask("Which shops ordered in March 2024?").status == "answered"
    assert desk.ask("Which shops only ordered in March 2024?").status == "declined"
