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
        ("SELECT * FROM (SELECT channel, amount FROM orders) PIVOT (sum(amount) FOR channel IN ('web'))", "pivot"),
        ("SELECT * FROM orders UNPIVOT (v FOR n IN (amount))", "pivot"),
        ("SELECT count(*) FROM (SELECT * FROM orders USING SAMPLE 5)", "sample"),
        ("SELECT count(*) FROM orders TABLESAMPLE 10%", "sample"),
        ("SELECT product FROM orders ORDER BY amount LIMIT 10%", "part of the rows"),
        ("SELECT product FROM orders ORDER BY amount NULLS FIRST LIMIT 3", "missing values first"),
        ("SELECT count(*) FROM customers SEMI JOIN orders USING (customer_id)", "semi join"),
        ("SELECT count(*) FROM customers ANTI JOIN orders USING (customer_id)", "anti join"),
        ("SELECT count(*) FROM orders POSITIONAL JOIN customers", "positional join"),
        ("SELECT channel FROM orders EXCEPT ALL SELECT channel FROM orders WHERE amount > 10", "except all"),
        ("SELECT channel FROM orders INTERSECT ALL SELECT channel FROM orders", "intersect all"),
        ("SELECT channel FROM orders UNION BY NAME SELECT channel FROM orders", "by name"),
        ("SELECT lag(amount IGNORE NULLS) OVER (ORDER BY placed) FROM orders", "without missing values"),
        ("SELECT d.a FROM (SELECT channel, product FROM orders) AS d(a, channel)", "columns named behind"),
        ("SELECT count(*) FROM orders WHERE channel NOT IN ('web', NULL)", "member that is missing"),
        ("SELECT " + "(" * 3_000 + "1" + ")" * 3_000 + " FROM orders", ""),
        ("SELECT 1 FROM orders -- " + "x" * 30_000, "too long"),
    ],
)
def test_what_no_plan_says_is_refused_with_its_reason(sql: str, reason: str, shop: FixedCatalog) -> None:
    with pytest.raises(NotLifted) as refused:
        lift(sql, shop)
    assert reason in refused.value.reason.casefold().replace("select", "SELECT")
