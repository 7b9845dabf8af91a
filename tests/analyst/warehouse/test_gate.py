"""SQL that a model wrote passes only as one SELECT over the run's tables; what gets through still cannot run away."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from apps.analyst.computing.warehouse.child_process import ChildLimits
from apps.analyst.computing.warehouse.gate import check
from apps.analyst.computing.warehouse.pool import ChildWarehouse
from apps.analyst.computing.warehouse.session import Session
from apps.analyst.errors import PlanRejected, QueryFailed
from tests.analyst.warehouse.attacks import ATTACKS
from tests.analyst.warehouse.harmless import HARMLESS
from tests.analyst.warehouse.runaways import RUNAWAYS, runaway

EVERY_RUNAWAY = "EVERY_RUNAWAY" in os.environ
"""Runs all of them, which takes a minute or two; else the two that differ most."""

HONEST = (
    "SELECT * FROM T", "select a, sum(b) as total from T group by a having sum(b) > 3 order by total desc limit 5",
    "WITH x AS (SELECT a, count(*) AS n FROM T GROUP BY ALL) SELECT avg(n), median(n) FROM x",
    "SELECT date_trunc('month', d) AS m, count(DISTINCT a) FROM \"T\" WHERE d >= DATE '2024-01-01' GROUP BY 1",
    "SELECT a, b, rank() OVER (PARTITION BY a ORDER BY b DESC) AS place FROM T QUALIFY place <= 3",
    "SELECT CASE WHEN b IS NULL THEN 0 ELSE b / 2 END FROM T WHERE lower(a) LIKE 'x%' AND b BETWEEN 1 AND 9",
    "SELECT t.a FROM T t LEFT JOIN U u ON t.a = u.a WHERE u.a IS NULL UNION ALL SELECT a FROM U",
    "SELECT a FROM T WHERE a NOT IN (SELECT a FROM U) AND coalesce(b, 0) <> 1",
    "WITH x AS (SELECT * FROM T), y AS (SELECT a FROM x) SELECT * FROM y JOIN (WITH z AS (FROM U) FROM z) USING (a)",
    "WITH t AS (SELECT * FROM T WHERE b > 1) SELECT count(*) FROM t",
    "WITH x AS MATERIALIZED (SELECT a FROM T) SELECT a FROM x UNION SELECT a FROM U WHERE a IN (SELECT a FROM x)",
    "SELECT extract(year FROM d), count_if(b > 1) FROM T WHERE d >= DATE '2024-01-31' - INTERVAL 3 MONTH GROUP BY 1",
)  # fmt: skip


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


@pytest.mark.parametrize("name", sorted(RUNAWAYS))
def test_a_runaway_is_nothing_that_the_gate_could_know(name: str) -> None:
    check(runaway(name, "T", "a"), ["T"])


@pytest.mark.parametrize("name", sorted(RUNAWAYS) if EVERY_RUNAWAY else ["cross join", "doubling texts"])
def test_a_runaway_that_passes_ends_with_its_child(name: str, tmp_path: Path) -> None:
    import duckdb

    path, sql = tmp_path / "t.parquet", runaway(name, "T", "a")
    duckdb.sql("SELECT 'Row ' || range AS a FROM range(2000)").write_parquet(str(path))
    warehouse = ChildWarehouse(size=1, limits=ChildLimits(threads=1, memory_mb=256, address_space_mb=1024))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        warehouse.query("SELECT count(*) FROM T", (), tables={"T": path})
        with pytest.raises(QueryFailed):
            warehouse.query(sql, (), tables={"T": path}, timeout=3)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime < 12, "seconds of computing"
        assert warehouse.query("SELECT count(*) FROM T", (), tables={"T": path}).rows == ((2000,),)
    finally:
        warehouse.close()


def test_there_are_more_than_two_hundred_harmless_queries() -> None:
    assert len({sql for queries in HARMLESS.values() for sql in queries}) >= 250


@pytest.fixture(scope="module")
def two_tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """T and U as the harmless queries mean them, where models' queries run."""
    folder = tmp_path_factory.mktemp("two")
    days = "DATE '2024-01-31' AS d, TIMESTAMP '2024-01-31 10:00' AS ts"
    rows = f"'x' AS a, 1.5::DECIMAL(10,2) AS b, {days}, true AS f, 3 AS n"
    for name, more in (("T", ""), ("U", ", 'c' AS c")):
        duckdb.sql(f"COPY (SELECT {rows}{more} FROM range(5)) TO '{folder / name}.parquet'")
    paths = {name: str(folder / f"{name}.parquet") for name in ("T", "U")}
    session = Session(paths, threads=1, memory_mb=256)
    yield session
    session.close()


@pytest.mark.parametrize("family", sorted(HARMLESS))
def test_every_harmless_query_of_the_family_passes_and_runs(family: str, two_tables: Session) -> None:
    refused = []
    for sql in HARMLESS[family]:
        try:
            check(sql, ["T", "U"])
            two_tables.query(sql, [], 10)
        except (PlanRejected, duckdb.Error) as error:
            refused.append(f"{sql}: {error}")
    assert refused == []


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT current_timestamp", "SELECT a FROM T WHERE ts > CURRENT_TIMESTAMP", "SELECT now()",
        "SELECT CAST(ts AS TIMESTAMPTZ) FROM T", "SELECT ts::TIMESTAMP WITH TIME ZONE FROM T",
    ],
)  # fmt: skip
def test_what_could_only_fail_is_refused_with_the_reason(sql: str) -> None:
    with pytest.raises(PlanRejected, match=r"moment|zone|not allowed"):
        check(sql, ["T"])
