"""What a model's SQL may use (warehouse.gate) means the same on both; what is not known or not the run's is refused."""

from __future__ import annotations

import pytest

from apps.analyst.errors import QueryFailed
from tests.spark.same import differences

VALUES = """
abs(-gaps) | round(rate, 2) | round(CAST(amount AS DOUBLE), 1) | round(CAST(-2.5 AS DOUBLE))
ceil(CAST(rate AS DOUBLE)) | floor(CAST(-rate AS DOUBLE)) | sqrt(CAST(id AS DOUBLE)) | ln(id) | log(id) | log10(id)
exp(rate / 100) | power(rate, 2) | pow(2, 10) | sign(-rate) | least(id, gaps) | greatest(id, gaps)
coalesce(gaps, 0) | nullif(region, 'N') | id / 8 | id % 7 | id // 7 | CAST(rate AS BIGINT) | CAST(amount AS INTEGER)
CAST(id AS VARCHAR) | CAST('2024-02-29' AS DATE) | lower(region) | upper(region) | trim('  a ') | ltrim('  a')
rtrim('a  ') | length('größe') | replace(region, 'N', 'x') | concat(region, NULL, 'x') | region || '-' || id
substr('abcdef', 2, 3) | substring('abcdef', 3) | left('abc', 2) | right('abc', 2) | split_part('a,b,c', ',', 2)
starts_with(region, 'N') | ends_with(region, 'E') | contains(region, 'S') | region LIKE '%N%' | 'A_b' LIKE 'a!_%'
region ILIKE 'n' | 'a\\b' LIKE 'a\\b' | regexp_matches(region, '^[NS]$') | year(day) | quarter(day) | month(day)
week(day) | day(moment) | hour(moment) | minute(moment) | dayofweek(day) | isodow(day) | monthname(day)
dayname(day) | date_part('year', day) | date_part('dow', day) | last_day(day) | extract(month FROM day)
date_diff('day', DATE '2024-01-31', day) | date_diff('month', DATE '2023-12-31', day)
date_diff('hour', TIMESTAMP '2024-01-31 22:59:30', moment)
date_diff('minute', TIMESTAMP '2024-01-31 22:59:30', moment)
date_diff('year', DATE '2023-12-31', day) | date_diff('week', DATE '2023-12-31', day) | strftime(day, '%Y-%m')
CAST(date_trunc('month', day) AS DATE) | CAST(date_trunc('week', day) AS DATE) | make_date(2024, 2, 29)
day + INTERVAL 1 MONTH | CASE WHEN even THEN 'yes' END | even AND gaps IS NULL | gaps IS NOT DISTINCT FROM NULL
id BETWEEN 2 AND 5 | region IN ('N', 'S') | NOT even | isfinite(rate)
"""
FIGURES = """
count(*) | count(gaps) | count(DISTINCT region) | sum(amount) | sum(id) | sum(rate) | avg(amount) | avg(id)
avg(rate) | min(region) | max(moment) | median(id) | median(rate) | quantile_cont(rate, 0.9) | stddev(rate)
stddev_pop(rate) | variance(id) | var_pop(rate) | var_samp(rate) | bool_and(even) | bool_or(even)
arg_max(gaps, id) | arg_min(region, rate) | corr(id, rate) | sum(id) FILTER (WHERE even)
avg(amount) FILTER (WHERE gaps IS NULL) | sum(DISTINCT gaps) | sum(id) / 7
"""
ACROSS = """
rank() OVER (ORDER BY region) | dense_rank() OVER (ORDER BY region)
row_number() OVER (PARTITION BY region ORDER BY id) | lag(id) OVER (ORDER BY id)
lead(amount, 2) OVER (ORDER BY id) | ntile(4) OVER (ORDER BY id)
sum(amount) OVER (PARTITION BY region ORDER BY id)
avg(rate) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW)
first_value(id) OVER (PARTITION BY region ORDER BY id) | percent_rank() OVER (ORDER BY id)
cume_dist() OVER (ORDER BY id) | sum(amount) OVER ()
"""


def listed(text: str) -> list[str]:
    return [part.strip() for line in text.strip().splitlines() for part in line.split(" | ")]


def items(text: str) -> str:
    return ", ".join(f"{part} AS c{place}" for place, part in enumerate(listed(text)))


@pytest.mark.parametrize(
    "sql",
    [
        f"SELECT {items(VALUES)} FROM orders WHERE id <= 40 ORDER BY id",
        f"SELECT region, {items(FIGURES)} FROM orders GROUP BY region ORDER BY region",
        f"SELECT id, {items(ACROSS)} FROM orders WHERE id <= 60 ORDER BY id",
        "WITH big AS (SELECT region, sum(amount) AS total FROM orders GROUP BY 1) "
        "SELECT o.region, count(*) FROM orders o JOIN big USING (region) WHERE o.amount * 100 > big.total / 10 "
        "GROUP BY o.region HAVING count(*) > 1 ORDER BY 1",
        "SELECT region FROM orders QUALIFY row_number() OVER (PARTITION BY region ORDER BY id) = 1 ORDER BY region",
        "SELECT id FROM orders WHERE id > (SELECT avg(id) FROM orders) AND region NOT IN (SELECT 'N') "
        "ORDER BY 1 LIMIT 5",
    ],
    ids=["values", "figures", "across", "with", "qualify", "inner"],
)  # fmt: skip
def test_what_models_may_write_means_the_same(sql, orders, local, warehouse):
    asked = {"tables": {"orders": orders}}
    assert differences(local.query(sql, (), **asked), warehouse.query(sql, (), **asked)) == []


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT reflect('java.lang.System', 'getenv', 'PATH')",
        "SELECT java_method('java.lang.System', 'exit', 1)",
        "SELECT * FROM read_parquet('{orders}')",
        'SELECT * FROM parquet."{orders}"',
        "SELECT * FROM '{orders}'",
        "SELECT * FROM run_1_0",
        "SELECT * FROM other",
        "SELECT input_file_name() FROM orders",
        "SELECT date_diff('millennium', day, day) FROM orders",
        "CREATE TABLE t AS SELECT 1",
        "SET spark.sql.ansi.enabled = false",
        "DROP TABLE orders",
    ],
)
def test_what_is_not_known_or_not_the_runs_is_refused(sql, orders, warehouse):
    with pytest.raises(QueryFailed):
        warehouse.query(sql.format(orders=orders), (), tables={"orders": orders})
