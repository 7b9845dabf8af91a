"""Figures that look across rows."""

from __future__ import annotations

from apps.analyst.plan import Query, ScalarQuery, Window
from tests.analyst.lifting.meaning import Meaning

MONTHS = (
    "SELECT date_trunc('month', placed) AS month, sum(amount) AS total FROM orders "
    "WHERE placed >= '2024-01-01' GROUP BY 1"
)
ALL_MONTHS = MONTHS.replace("WHERE placed >= '2024-01-01' ", "")


def test_shares_of_the_whole_and_of_a_part(says: Meaning) -> None:
    query = says.query("SELECT channel, 100.0 * sum(amount) / sum(sum(amount)) OVER () AS share FROM orders GROUP BY 1")
    assert query.measures[0].expr.kind == "window"
    says(
        "SELECT channel, product, sum(amount) / sum(sum(amount)) OVER (PARTITION BY channel) AS s "
        "FROM orders GROUP BY 1, 2"
    )


def test_ranks_upwards_and_downwards(says: Meaning) -> None:
    says("SELECT product, rank() OVER (ORDER BY sum(amount) DESC) AS place FROM orders GROUP BY 1")
    says("SELECT product, rank() OVER (ORDER BY sum(amount)) AS place FROM orders GROUP BY 1")
    says("SELECT order_id, row_number() OVER (ORDER BY placed DESC) AS place FROM orders")


def test_the_first_few_of_each_group_by_qualify_are_a_limit_within_groups(says: Meaning) -> None:
    query = says.query(
        "SELECT channel, product, sum(amount) AS total FROM orders GROUP BY 1, 2 "
        "QUALIFY rank() OVER (PARTITION BY channel ORDER BY sum(amount) DESC) = 1"
    )
    assert (query.limit, query.limit_per, query.ties, query.having) == (1, ("channel",), True, None)
    query = says.query(
        "SELECT customer_id, order_id, amount FROM orders "
        "QUALIFY row_number() OVER (PARTITION BY customer_id ORDER BY amount) < 3 ORDER BY customer_id, amount"
    )
    assert (query.limit, query.limit_per, query.ties) == (2, ("customer_id",), False)


def test_the_first_few_of_each_group_by_a_nested_rank_are_one_too(says: Meaning) -> None:
    query = says.query(
        "WITH ranked AS (SELECT channel, product, sum(amount) AS total, row_number() OVER "
        "(PARTITION BY channel ORDER BY sum(amount) DESC) AS place FROM orders GROUP BY 1, 2) "
        "SELECT channel, product, total FROM ranked WHERE place <= 2 ORDER BY channel, total DESC"
    )
    assert (query.source, query.limit, query.limit_per) == ("orders", 2, ("channel",))


def test_a_rank_that_is_shown_or_sorted_otherwise_stays_a_window(says: Meaning) -> None:
    place = "rank() OVER (ORDER BY sum(amount) DESC) AS place"
    inner = f"SELECT product, sum(amount) AS total, {place} FROM orders GROUP BY 1"
    assert isinstance(says.query(f"SELECT product, place FROM ({inner}) WHERE place <= 2").source, Query)
    assert isinstance(says.query(f"SELECT product FROM ({inner}) WHERE place = 2").source, Query)
    query = says.query(
        "SELECT channel, product, sum(amount) AS total FROM orders GROUP BY 1, 2 "
        "QUALIFY row_number() OVER (PARTITION BY channel ORDER BY sum(amount) DESC) <= 2 ORDER BY product"
    )
    assert query.having is not None


def test_running_totals_and_moving_averages(says: Meaning) -> None:
    inner = f"({MONTHS})"
    says(f"SELECT strftime(month, '%Y-%m') AS m, sum(total) OVER (ORDER BY month) AS so_far FROM {inner}")
    says(
        f"SELECT strftime(month, '%Y-%m') AS m, avg(total) OVER (ORDER BY month ROWS BETWEEN 2 "
        f"PRECEDING AND CURRENT ROW) AS mean FROM {inner}"
    )
    says("SELECT year(placed) AS y, sum(sum(amount)) OVER (ORDER BY year(placed)) AS so_far FROM orders GROUP BY 1")


def test_the_row_before_and_the_change_against_it(says: Meaning) -> None:
    change = "SELECT strftime(month, '%Y-%m') AS m, total - lag(total) OVER (ORDER BY month) AS more FROM m"
    query = says.query(f"WITH m AS ({ALL_MONTHS}) {change}")
    assert isinstance(query.source, Query)
    says(
        f"WITH m AS ({ALL_MONTHS}) SELECT strftime(month, '%Y-%m') AS m, 100.0 * (total / lag(total) OVER "
        f"(ORDER BY month) - 1) AS pct FROM m"
    )


def test_the_first_month_of_a_period_is_held_against_the_one_before(says: Meaning) -> None:
    change = "SELECT strftime(month, '%Y-%m') AS m, total - lag(total) OVER (ORDER BY month) AS more FROM m"
    says(
        f"WITH m AS ({MONTHS}) {change}",
        f"SELECT * FROM (WITH m AS ({ALL_MONTHS}) {change}) AS d WHERE m >= '2024-01'",
    )


def test_a_total_beside_each_row_is_a_query_of_its_own(says: Meaning) -> None:
    query = says.query("SELECT order_id, amount, avg(amount) OVER (PARTITION BY product) AS usual FROM orders")
    assert isinstance(query.columns[2].expr, ScalarQuery)
    says("SELECT order_id, amount - avg(amount) OVER () AS more FROM orders")


def test_windows_see_the_groups_that_having_keeps(says: Meaning) -> None:
    query = says.query(
        "SELECT product, rank() OVER (ORDER BY avg(amount) DESC) AS place FROM orders GROUP BY 1 HAVING count(*) > 1"
    )
    assert any(
        isinstance(column.expr, Window) for column in (query.source.columns if isinstance(query.source, Query) else ())
    )
