"""What a query may not do, in either warehouse: read, write, reach out, or loosen its own bonds."""

from __future__ import annotations

import pytest

from apps.analyst.errors import QueryFailed

READS = [
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM '/etc/passwd'",
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM read_blob('/etc/hostname')",
    "SELECT * FROM glob('/etc/*')",
    "SELECT * FROM sniff_csv('/etc/passwd')",
    "SELECT * FROM read_json('/etc/passwd')",
    "SELECT * FROM '/proc/self/environ'",
    "SELECT * FROM read_text('/proc/self/environ')",
    "SELECT * FROM parquet_metadata('{other}')",
    "SELECT * FROM read_parquet('{other}')",
    "SELECT * FROM '{other}'",
    "SELECT * FROM read_parquet('{folder}/../*/*.parquet')",
    "SELECT * FROM read_parquet('{link}')",
    "SELECT * FROM 'http://127.0.0.1:9/x.csv'",
    "SELECT * FROM read_csv('https://example.org/x.csv')",
    "SELECT * FROM read_parquet('s3://bucket/x.parquet')",
    "SELECT getenv('PATH')",
]
CHANGES = [
    "COPY orders TO '{folder}/out.csv'",
    "COPY (SELECT 1) TO '/tmp/out.parquet'",
    "EXPORT DATABASE '{folder}/db'",
    "ATTACH '{folder}/x.db'",
    "ATTACH ':memory:' AS m",
    "CREATE TABLE t AS SELECT 1",
    "DROP VIEW orders",
    "INSERT INTO orders VALUES (1)",
    "INSTALL httpfs",
    "LOAD httpfs",
    "SET threads = 8",
    "RESET threads",
    "PRAGMA database_list",
    "SET enable_external_access = true",
    "SET allowed_paths = ['/']",
    "SET lock_configuration = false",
    "CALL pragma_version()",
    "CHECKPOINT",
    "VACUUM",
    "CREATE SECRET s (TYPE s3)",
    "SELECT 1; DROP VIEW orders",
    "PREPARE p AS SELECT 1",
    "EXPLAIN SELECT 1",
    "BEGIN",
    "WITH x AS (DELETE FROM orders RETURNING *) SELECT * FROM x",
    "SELECT 1 INTO t",
    "USE memory",
    "DETACH memory",
    "call enable_logging(storage_path='{folder}/log')",
    "SET VARIABLE x = 1",
    "SET SESSION search_path = 'x'",
    "ALTER VIEW orders RENAME TO other",
    "UPDATE orders SET id = 1",
    "TRUNCATE orders",
    "IMPORT DATABASE '{folder}'",
]


@pytest.mark.parametrize("attack", READS + CHANGES)
def test_an_attack_is_refused(warehouse, orders, tmp_path, attack):
    other = tmp_path / "other.parquet"
    other.write_bytes(orders.read_bytes())
    link = orders.parent / "link.parquet"
    if not link.is_symlink():
        link.symlink_to("/etc/passwd")
    sql = attack.format(other=other, folder=tmp_path, link=link)
    with pytest.raises(QueryFailed):
        warehouse.query(sql, [], tables={"orders": orders}, timeout=10)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other.parquet"]
    assert warehouse.query("SELECT count(*) FROM orders", [], tables={"orders": orders}).rows == ((1000,),)


def test_variables_of_the_host_are_no_tables(warehouse, orders):
    import pandas as pd

    frame = pd.DataFrame({"secret": [1]})
    with pytest.raises(QueryFailed):
        warehouse.query("SELECT * FROM frame", [], tables={"orders": orders})
    assert len(frame) == 1


def test_tables_of_another_question_are_not_there(warehouse, orders, tmp_path):
    other = tmp_path / "other.parquet"
    other.write_bytes(orders.read_bytes())
    assert warehouse.query("SELECT count(*) FROM theirs", [], tables={"theirs": other}).rows == ((1000,),)
    with pytest.raises(QueryFailed):
        warehouse.query("SELECT count(*) FROM theirs", [], tables={"orders": orders})
