"""SQL that a model wrote passes only as one SELECT over the run's tables; what gets through still cannot run away."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from apps.analyst.errors import PlanRejected, QueryFailed
from apps.analyst.warehouse.child_process import ChildLimits
from apps.analyst.warehouse.gate import check
from apps.analyst.warehouse.pool import ChildWarehouse
from tests.analyst.warehouse.attacks import ATTACKS

HONEST = (
    "SELECT * FROM T", "select a, sum(b) as total from T group by a having sum(b) > 3 order by total desc limit 5",
    "WITH x AS (SELECT a, count(*) AS n FROM T GROUP BY ALL) SELECT avg(n), median(n) FROM x",
    "SELECT date_trunc('month', d) AS m, count(DISTINCT a) FROM \"T\" WHERE d >= DATE '2024-01-01' GROUP BY 1",
    "SELECT a, b, rank() OVER (PARTITION BY a ORDER BY b DESC) AS place FROM T QUALIFY place <= 3",
    "SELECT CASE WHEN b IS NULL THEN 0 ELSE b / 2 END FROM T WHERE lower(a) LIKE 'x%' AND b BETWEEN 1 AND 9",
    "SELECT t.a FROM T t LEFT JOIN U u ON t.a = u.a WHERE u.a IS NULL UNION ALL SELECT a FROM U",
    "SELECT a FROM T WHERE a NOT IN (SELECT a FROM U) AND coalesce(b, 0) <> 1",
)  # fmt: skip
CHAIN = ", ".join(f"x{n} AS (SELECT s || s AS s FROM x{n - 1})" for n in range(1, 32))
RUNAWAYS = (
    "SELECT count(*) FROM T a, T b, T c, T d, T e, T f, T g, T h",
    f"WITH x0 AS (SELECT 'xxxxxxxxxx' AS s), {CHAIN} SELECT max(length(s)) FROM x31",
)


def cases() -> list[tuple[str, str]]:
    return [(family, sql) for family, attacks in ATTACKS.items() for sql in attacks]


def test_there_are_at_least_a_hundred_and_fifty_attacks() -> None:
    assert len({sql for _, sql in cases()}) >= 150


def passed(sql: str) -> bool:
    try:
        check(sql, ["T", "U"])
    except PlanRejected:
        return False
    return True


@pytest.mark.parametrize("family", sorted(ATTACKS))
def test_no_attack_of_the_family_passes_the_gate(family: str) -> None:
    assert [sql[:80] for sql in ATTACKS[family] if passed(sql)] == []


@pytest.mark.parametrize("sql", HONEST)
def test_an_honest_query_passes(sql: str) -> None:
    check(sql, ["T", "U"])


def test_a_refusal_names_what_there_is() -> None:
    with pytest.raises(PlanRejected, match=r"There is no table 'OTHER'\. Tables: t\."):
        check("SELECT * FROM OTHER", ["T"])


@pytest.mark.parametrize("sql", RUNAWAYS, ids=["cross join", "doubling texts"])
def test_a_runaway_that_passes_ends_with_its_child(sql: str, tmp_path: Path) -> None:
    import duckdb

    path = tmp_path / "t.parquet"
    duckdb.sql("SELECT range AS a FROM range(2000)").write_parquet(str(path))
    check(sql, ["T"])
    warehouse = ChildWarehouse(size=1, limits=ChildLimits(threads=1, memory_mb=256, address_space_mb=1024))
    begun = time.monotonic()
    try:
        warehouse.query("SELECT count(*) FROM T", (), tables={"T": path})
        with pytest.raises(QueryFailed):
            warehouse.query(sql, (), tables={"T": path}, timeout=3)
        assert warehouse.query("SELECT count(*) FROM T", (), tables={"T": path}).rows == ((2000,),)
    finally:
        warehouse.close()
    assert time.monotonic() - begun < 120
