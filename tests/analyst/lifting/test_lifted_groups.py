"""Groups and figures: aggregates with filters, choices inside them, rates, having, what is grouped and not shown."""

from __future__ import annotations

from apps.analyst.plan import Aggregate, Query
from tests.analyst.lifting.meaning import Meaning


def test_groups_and_figures_are_those_of_the_query(says: Meaning) -> None:
    query = says.query("SELECT channel, sum(amount) AS revenue, count(*) AS orders FROM orders GROUP BY channel")
    assert [output.label for output in (*query.groups, *query.measures)] == ["channel", "revenue", "orders"]


def test_groups_by_place_alias_and_all(says: Meaning) -> None:
    for by in ("1", "kind", "ALL"):
        says(f"SELECT lower(product) AS kind, avg(amount) AS mean FROM orders GROUP BY {by}")


def test_all_aggregates(says: Meaning) -> None:
    says("SELECT min(amount) AS a, max(amount) AS b, median(amount) AS c, stddev(amount) AS d FROM orders")
    says("SELECT var_pop(amount) AS a, quantile_cont(amount, 0.9) AS b, stddev_pop(amount) AS c FROM orders")
    says("SELECT percentile_cont(0.25) WITHIN GROUP (ORDER BY amount) AS q FROM orders")
    says("SELECT corr(amount, units) AS r FROM orders")


def test_counts_of_rows_of_values_and_of_different_ones(says: Meaning) -> None:
    says("SELECT count(*) AS a, count(shipped) AS b, count(DISTINCT product) AS c FROM orders")
    says("SELECT count(DISTINCT (product, channel)) AS pairs FROM orders")


def test_figures_with_a_filter(says: Meaning) -> None:
    query = says.query(
        "SELECT count(*) FILTER (WHERE gift) AS gifts, sum(amount) FILTER (product = 'Lamp') AS l FROM orders"
    )
    assert isinstance(query.measures[0].expr, Aggregate)
    assert query.measures[0].expr.where is not None


def test_choices_inside_figures_are_filters(says: Meaning) -> None:
    query = says.query("SELECT sum(CASE WHEN channel = 'Web' THEN 1 ELSE 0 END) AS web FROM orders")
    assert query.measures[0].expr == query.measures[0].expr.model_copy(update={"fn": "count", "of": None})
    says("SELECT product, sum(CASE WHEN gift THEN amount ELSE 0 END) AS given FROM orders GROUP BY 1")
    says(
        "SELECT count(CASE WHEN units > 1 THEN 1 END) AS several, avg(CASE WHEN gift THEN amount END) AS g FROM orders"
    )
    says("SELECT count(DISTINCT CASE WHEN gift THEN customer_id END) AS givers FROM orders")


def test_rates_of_conditions(says: Meaning) -> None:
    says("SELECT 100.0 * count(*) FILTER (WHERE gift) / count(*) AS rate FROM orders")
    says("SELECT channel, avg((amount > 100)::int) AS rate FROM orders GROUP BY 1")
    says("SELECT avg(CASE WHEN gift THEN 100.0 ELSE 0 END) AS rate FROM orders")
    says("SELECT avg((points > 30)::int) AS rate FROM customers")


def test_a_hundred_times_a_part_of_a_whole_is_in_per_cent(says: Meaning) -> None:
    for rate in (
        "100.0 * count(*) FILTER (WHERE gift) / count(*)",
        "round(sum(amount) FILTER (WHERE gift) * 100.0 / nullif(sum(amount), 0), 1)",
        "100 * (sum(amount) FILTER (WHERE gift) / sum(amount) FILTER (WHERE NOT gift) - 1)",
    ):
        assert says.query(f"SELECT {rate} AS rate FROM orders").measures[0].unit == "%"
    assert says.query("SELECT 100 * sum(units) AS parts FROM orders").measures[0].unit is None


def test_ratios_and_differences_of_figures(says: Meaning) -> None:
    says("SELECT product, sum(amount) / sum(units) AS each FROM orders GROUP BY product")
    says("SELECT avg(amount) FILTER (WHERE gift) - avg(amount) FILTER (WHERE NOT gift) AS more FROM orders")


def test_groups_that_a_condition_keeps(says: Meaning) -> None:
    query = says.query(
        "SELECT product, count(*) AS n FROM orders GROUP BY 1 HAVING count(*) >= 2 AND sum(amount) > 400"
    )
    assert query.having is not None
    says("SELECT product, sum(amount) AS total FROM orders GROUP BY 1 HAVING total > 400")
    says("SELECT product FROM orders GROUP BY product HAVING count(*) > 2")


def test_what_is_grouped_by_and_not_shown_keeps_groups_apart(says: Meaning) -> None:
    query = says.query("SELECT product, sum(amount) AS total FROM orders GROUP BY product, channel")
    assert isinstance(query.source, Query)
    assert [column.label for column in query.columns] == ["product", "total"]


def test_the_first_of_an_order_by_a_figure(says: Meaning) -> None:
    says("SELECT product FROM orders GROUP BY product ORDER BY sum(amount) DESC LIMIT 1")
    says("SELECT product, count(*) AS n FROM orders GROUP BY 1 ORDER BY n DESC, product LIMIT 2")


def test_figures_over_groups(says: Meaning) -> None:
    query = says.query(
        "SELECT avg(total) AS mean FROM (SELECT customer_id, sum(amount) AS total FROM orders GROUP BY 1)"
    )
    assert isinstance(query.source, Query)
    says("SELECT count(*) AS n FROM (SELECT product FROM orders GROUP BY 1 HAVING count(*) > 2)")
