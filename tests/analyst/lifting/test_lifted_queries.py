"""Joins, nested queries, common table expressions, queries about the row around them, sets."""

from __future__ import annotations

from apps.analyst.plan import Combine, Query, ScalarQuery, SetOperation
from tests.analyst.lifting.meaning import Meaning


def test_joins_by_on_using_and_comma(says: Meaning) -> None:
    for tied in ("JOIN customers c ON o.customer_id = c.customer_id", "JOIN customers c USING (customer_id)"):
        query = says.query(f"SELECT country, sum(amount) AS total FROM orders o {tied} GROUP BY 1")
        assert len(query.joins) == 1
    says(
        "SELECT country, count(*) AS n FROM orders o, customers c WHERE o.customer_id = "
        "c.customer_id AND gift GROUP BY 1"
    )


def test_outer_joins_keep_who_meets_nothing(says: Meaning) -> None:
    query = says.query("SELECT name FROM customers c LEFT JOIN orders o USING (customer_id) WHERE o.order_id IS NULL")
    assert query.joins[0].how == "left"
    says(
        "SELECT name, count(order_id) AS n FROM customers c LEFT JOIN orders o ON o.customer_id = "
        "c.customer_id GROUP BY name"
    )


def test_a_table_joined_to_itself(says: Meaning) -> None:
    says(
        "SELECT DISTINCT a.product AS one, b.product AS other FROM orders a JOIN orders b ON "
        "a.customer_id = b.customer_id "
        "WHERE a.product < b.product"
    )


def test_rows_that_a_join_repeats_count_as_often_as_in_the_query(says: Meaning) -> None:
    query = says.query("SELECT avg(points) AS mean FROM customers JOIN orders USING (customer_id)")
    assert isinstance(query.source, Query)
    says("SELECT country, sum(points) AS points FROM customers c JOIN orders o USING (customer_id) GROUP BY 1")


def test_nested_selects_that_only_filter_and_rename_are_merged(says: Meaning) -> None:
    query = says.query(
        "SELECT kind, sum(paid) AS total FROM (SELECT product AS kind, amount AS paid FROM orders "
        "WHERE gift) GROUP BY 1"
    )
    assert query.source == "orders"
    assert query.where is not None


def test_common_table_expressions_over_each_other(says: Meaning) -> None:
    says(
        "WITH web AS (SELECT * FROM orders WHERE channel = 'Web'), per AS (SELECT customer_id, "
        "sum(amount) AS total FROM web "
        "GROUP BY 1) SELECT name, total FROM per JOIN customers USING (customer_id) WHERE total > "
        "100 ORDER BY total DESC"
    )


def test_a_query_that_is_joined_by_its_group_is_looked_up(says: Meaning) -> None:
    query = says.query(
        "SELECT name, total FROM customers c LEFT JOIN (SELECT customer_id, sum(amount) AS total "
        "FROM orders GROUP BY 1) t "
        "ON t.customer_id = c.customer_id"
    )
    assert isinstance(query.columns[1].expr, ScalarQuery)
    says(
        "WITH a AS (SELECT product, sum(amount) AS web FROM orders WHERE channel = 'Web' GROUP BY 1), "
        "b AS (SELECT product, sum(amount) AS shop FROM orders WHERE channel = 'Shop' GROUP BY 1) "
        "SELECT a.product, web, shop FROM a JOIN b ON a.product = b.product"
    )
    says(
        "SELECT avg(coalesce(t.n, 0)) AS mean FROM customers c LEFT JOIN "
        "(SELECT customer_id, count(*) AS n FROM orders GROUP BY 1) t ON t.customer_id = c.customer_id"
    )


def test_a_query_of_one_row_beside_another_is_a_value(says: Meaning) -> None:
    says(
        "WITH a AS (SELECT sum(amount) AS x FROM orders WHERE gift), b AS (SELECT sum(amount) AS y FROM orders) "
        "SELECT 100.0 * x / y AS share FROM a, b"
    )


def test_values_of_a_query_above_below_and_beside(says: Meaning) -> None:
    says("SELECT order_id FROM orders WHERE amount > (SELECT avg(amount) FROM orders)")
    says("SELECT product, amount FROM orders WHERE placed = (SELECT max(placed) FROM orders)")
    says("SELECT 100.0 * count(*) / (SELECT count(*) FROM customers) AS share FROM customers WHERE points IS NULL")


def test_figures_without_rows_are_combined(says: Meaning) -> None:
    plan = says("SELECT (SELECT count(*) FROM orders WHERE gift) - (SELECT count(*) FROM customers) AS more")
    assert isinstance(plan, Combine)
    assert len(plan.parts) == 2


def test_whether_another_table_holds_the_row(says: Meaning) -> None:
    says(
        "SELECT name FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = "
        "c.customer_id AND gift)"
    )
    says("SELECT name FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.customer_id)")


def test_figures_of_the_row_s_own_group(says: Meaning) -> None:
    query = says.query(
        "SELECT order_id FROM orders o WHERE amount > (SELECT avg(amount) FROM orders i WHERE i.product = o.product)"
    )
    assert query.where is not None
    says("SELECT name, (SELECT count(*) FROM orders o WHERE o.customer_id = c.customer_id) AS n FROM customers c")


def test_sets_of_one_table_are_conditions(says: Meaning) -> None:
    says("SELECT customer_id FROM orders WHERE gift INTERSECT SELECT customer_id FROM orders WHERE NOT gift")
    says("SELECT customer_id FROM customers EXCEPT SELECT customer_id FROM orders")
    query = says.query("SELECT product FROM orders WHERE gift UNION SELECT product FROM orders WHERE units > 2")
    assert query.distinct
    says(
        "SELECT count(*) AS n FROM (SELECT customer_id FROM orders WHERE gift INTERSECT SELECT "
        "customer_id FROM orders WHERE units = 1)"
    )


def test_sets_of_different_tables_are_sets(says: Meaning) -> None:
    plan = says("SELECT name AS one FROM customers UNION SELECT product FROM orders")
    assert isinstance(plan, SetOperation)


def test_a_query_beside_itself_a_year_later_is_looked_up(says: Meaning) -> None:
    says(
        "WITH a AS (SELECT year(placed) AS y, sum(amount) AS total FROM orders GROUP BY 1) "
        "SELECT now.total - old.total AS more FROM a AS now JOIN a AS old ON now.y = old.y + 1"
    )


def test_a_figure_of_all_beside_each_row(says: Meaning) -> None:
    says(
        "SELECT name FROM customers c CROSS JOIN (SELECT avg(points) AS mean FROM customers) x WHERE c.points > x.mean"
    )
