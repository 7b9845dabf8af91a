"""What the algebra cannot say is named, and nothing is guessed."""

from __future__ import annotations

import pytest

from apps.analyst.plan.lift import NotLifted, lift
from apps.analyst.tables.catalog import FixedCatalog


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        ("SELEC product FROM orders", "parsed"),
        ("SELECT 1; SELECT 2", "not one SELECT"),
        ("DROP TABLE orders", "not one SELECT"),
        ("SELECT * FROM read_csv('/etc/passwd')", "table function"),
        ("SELECT * FROM elsewhere", "no such table"),
        ("SELECT profit FROM orders", "no such column"),
        ("SELECT count(*) FROM orders, customers", "join without a key"),
        ("SELECT * FROM orders FULL JOIN customers USING (customer_id)", "full join"),
        ("SELECT count(*) FROM customers c LEFT JOIN orders o ON o.customer_id = c.customer_id AND o.gift", "outer"),
        ("SELECT dense_rank() OVER (ORDER BY amount) FROM orders", "dense rank"),
        ("SELECT row_number() OVER (ORDER BY placed, amount) FROM orders", "several keys"),
        ("SELECT sum(amount) OVER (ORDER BY product) FROM orders", "tie"),
        ("SELECT avg(DISTINCT) FROM orders", "several values"),
        ("SELECT count(*)", "figures of nothing"),
        ("SELECT o.1 FROM orders o", "no column"),
        ("SELECT string_agg(product, ',') FROM orders", "figure"),
        ("SELECT unnest(string_split(product, 'a')) AS part FROM orders", "split into rows"),
        ("SELECT count(*) FROM orders WHERE placed < current_date", "today"),
        ("SELECT product FROM orders UNION ALL SELECT name FROM customers", "union all"),
        ("SELECT channel, sum(amount) FROM orders GROUP BY ROLLUP (channel)", "rollup"),
        ("SELECT sum(placed) FROM orders", "only numbers"),
        ("WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t) SELECT * FROM t", "recursion"),
        ("SELECT count(*) FROM orders LIMIT 0", "limit"),
        ("SELECT " + "(" * 3_000 + "1" + ")" * 3_000 + " FROM orders", ""),
        ("SELECT 1 FROM orders -- " + "x" * 30_000, "too long"),
    ],
)
def test_what_no_plan_says_is_refused_with_its_reason(sql: str, reason: str, shop: FixedCatalog) -> None:
    with pytest.raises(NotLifted) as refused:
        lift(sql, shop)
    assert reason in refused.value.reason.casefold().replace("select", "SELECT")
