"""Queries that must never run, by family. `T` is the run's table, `OTHER` one of another organization."""

from __future__ import annotations

_READS = (
    "read_csv('/etc/passwd')", "read_csv_auto('/etc/passwd')", "read_text('/etc/passwd')", "read_blob('/etc/passwd')",
    "read_parquet('/etc/passwd')", "parquet_scan('/x')", "parquet_metadata('/x')", "parquet_schema('/x')",
    "parquet_file_metadata('/x')", "parquet_kv_metadata('/x')", "read_json('/etc/passwd')", "read_json_auto('/x')",
    "read_ndjson('/x')", "read_ndjson_auto('/x')", "read_json_objects('/x')", "read_ndjson_objects('/x')",
    "sniff_csv('/etc/passwd')", "glob('/etc/*')", "read_xlsx('/x')", "sqlite_scan('/x','t')", "arrow_scan(1,2,3)",
    "pandas_scan(1)", "iceberg_scan('/x')", "delta_scan('/x')", "st_read('/x')", "seq_scan('T')",
)  # fmt: skip
_CATALOGUE = (
    "duckdb_settings()", "duckdb_views()", "duckdb_tables()", "duckdb_columns()", "duckdb_databases()",
    "duckdb_secrets()", "duckdb_extensions()", "duckdb_functions()", "duckdb_logs()", "duckdb_memory()",
    "duckdb_temporary_files()", "duckdb_variables()", "duckdb_schemas()", "duckdb_types()", "duckdb_indexes()",
    "duckdb_keywords()", "duckdb_optimizers()", "duckdb_dependencies()", "duckdb_constraints()",
    "pragma_table_info('T')", "pragma_version()", "pragma_database_size()", "pragma_storage_info('T')",
    "pragma_show('T')", "pragma_platform()", "pragma_user_agent()", "pragma_collations()", "which_secret('x','s3')",
)  # fmt: skip
_TABLES = (
    "OTHER", "information_schema.tables", "information_schema.columns", "pg_catalog.pg_class", "pg_catalog.pg_tables",
    "sqlite_master", "main.T", "memory.main.T", "temp.T", "system.information_schema.tables", "'/etc/passwd'",
    '"/etc/passwd"', "'s3://bucket/x.parquet'", "'http://127.0.0.1/x.csv'", "'https://example.com/x.parquet'",
    "'../other/data.parquet'", '"/tmp/a.csv"', "'x.json'", "duckdb_settings", "pragma_database_list",
)  # fmt: skip
_FUNCTIONS = (
    "getenv('HOME')", "current_setting('temp_directory')", "getvariable('x')", "current_query()", "current_user",
    "current_database()", "version()", "query('SELECT 1')", "query_table('T')", "repeat('x', 2000000000)",
    "range(0, 500000000)", "generate_series(1, 2000000000)", "unnest(range(0, 100000000))",
    "list_transform([1], x -> x)",
    "list_aggregate([1], 'sum')", "array_agg(1)", "string_agg('x', ',')", "list(1)", "lpad('x', 2000000000, 'y')",
    "rpad('x', 2000000000, 'y')", "json_execute_serialized_sql('x')", "json_serialize_sql('SELECT 1')",
    "json_serialize_plan('SELECT 1')", "nextval('s')", "currval('s')", "random()", "gen_random_uuid()", "uuid()",
    "write_log('x')", "error('x')", "pg_get_viewdef(1)", "has_table_privilege('T','s')", "col_description(1,1)",
    "md5('x')", "sha256('x')", "from_base64('x')", "to_base64('x'::blob)", "regexp_replace('x','y','z')",
    "levenshtein('x','y')", "damerau_levenshtein('x','y')", "jaccard('ab','cd')", "bar(1,0,10)", "printf('%s', 1)",
    "format('{}', 1)",
    "histogram(1)", "map([1],[2])", "struct_pack(a := 1)", "create_sort_key(1, 'ASC')", "sleep_ms(9)",
    "pg_sleep(9)", "txid_current()", "add_parquet_key('k','v')", "set_bit('1'::bit,0,1)", "bitstring('1', 2000000000)",
)  # fmt: skip
_STATEMENTS = (
    "COPY T TO '/tmp/x.csv'", "COPY (SELECT 1) TO '/tmp/x.parquet'", "COPY T FROM '/etc/passwd'",
    "EXPORT DATABASE '/tmp/x'", "IMPORT DATABASE '/tmp/x'", "ATTACH '/tmp/x.db' AS x", "ATTACH ':memory:' AS x",
    "DETACH memory", "USE memory", "INSTALL httpfs", "LOAD httpfs", "FORCE INSTALL httpfs FROM 'http://x'",
    "UPDATE EXTENSIONS", "SET memory_limit='100GB'", "SET SESSION search_path='x'", "SET VARIABLE a = 1",
    "SET enable_external_access=true", "SET allowed_paths=['/']", "RESET ALL", "RESET memory_limit",
    "PRAGMA database_list", "PRAGMA table_info('T')", "PRAGMA enable_profiling", "CALL enable_logging()",
    "CALL pragma_version()", "CHECKPOINT", "FORCE CHECKPOINT", "VACUUM", "ANALYZE", "EXPLAIN SELECT 1",
    "EXPLAIN ANALYZE SELECT 1", "DESCRIBE T", "SHOW TABLES", "SHOW ALL TABLES", "SUMMARIZE T",
    "CREATE TABLE x AS SELECT 1", "CREATE VIEW x AS SELECT 1", "CREATE MACRO f() AS 1", "CREATE SEQUENCE s",
    "CREATE SECRET s (TYPE s3)", "CREATE TYPE x AS ENUM ('a')", "DROP TABLE T", "DROP VIEW T",
    "ALTER TABLE T RENAME TO x", "INSERT INTO T VALUES (1)", "UPDATE T SET a = 1", "DELETE FROM T", "TRUNCATE T",
    "MERGE INTO T USING T b ON true WHEN MATCHED THEN DELETE",
    "BEGIN", "COMMIT", "PREPARE p AS SELECT 1", "EXECUTE p", "DEALLOCATE p", "COMMENT ON TABLE T IS 'x'",
    "SELECT 1; DROP TABLE T", "SELECT 1; SELECT 2", "SELECT 1 /* */ ; COPY T TO '/tmp/x'", "SELECT 1 --\n; DROP VIEW T",
    ";", "", "-- nothing", "SELECT", "SELECT * FROM", "$$SELECT 1$$", "E'x'",
    "WITH x AS (DELETE FROM T RETURNING *) SELECT * FROM x", "WITH x AS (INSERT INTO T VALUES (1) RETURNING *) FROM x",
    "WITH x AS (UPDATE T SET a = 1 RETURNING *) SELECT * FROM x",
    "WITH RECURSIVE x AS (SELECT 1 AS a UNION ALL SELECT a + 1 FROM x) SELECT count(*) FROM x",
    "SELECT * FROM (SHOW TABLES)", "SELECT * FROM (DESCRIBE T)", "SELECT * FROM (SUMMARIZE T)", "PIVOT T ON a",
    "FROM T PIVOT (count(*) FOR a IN (1))", "UNPIVOT T ON a INTO NAME n VALUE v", "VALUES (1)", "TABLE OTHER",
    "FROM OTHER",
    "SELECT (SELECT max(a) FROM OTHER)", "SELECT * FROM T WHERE a IN (SELECT a FROM OTHER)",
    "SELECT * FROM T WHERE EXISTS (FROM OTHER)", "SELECT * FROM T JOIN OTHER USING (a)",
    "SELECT * FROM T UNION SELECT * FROM OTHER", "WITH x AS (SELECT * FROM OTHER) SELECT * FROM x",
    "SELECT * FROM T ORDER BY (SELECT max(a) FROM OTHER)", "SELECT * FROM T LIMIT (SELECT count(*) FROM OTHER)",
    "SELECT a FROM T GROUP BY a HAVING count(*) > (SELECT count(*) FROM OTHER)",
    "SELECT sum(a) OVER (ORDER BY (SELECT max(a) FROM OTHER)) FROM T",
    "SELECT CASE WHEN (SELECT count(*) FROM OTHER) > 1 THEN 1 END", "SELECT * FROM T, LATERAL (SELECT * FROM OTHER)",
    "SELECT * FROM T POSITIONAL JOIN OTHER", "SELECT * FROM T ASOF JOIN OTHER ON T.a >= OTHER.a",
    "SELECT grouping((SELECT max(a) FROM OTHER)) FROM T GROUP BY ROLLUP (a)",
    "SELECT a FROM T GROUP BY GROUPING SETS ((a), ((SELECT max(a) FROM OTHER)))",
    "SELECT sum(b) FILTER (WHERE EXISTS (FROM OTHER)) FROM T",
    "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY (SELECT max(b) FROM OTHER)) FROM T",
    "SELECT sum(b) OVER (ORDER BY d ROWS (SELECT count(*) FROM OTHER) PRECEDING) FROM T",
    "SELECT sum(b) OVER w FROM T WINDOW w AS (PARTITION BY (SELECT max(a) FROM OTHER))",
    "SELECT lag(b, 1, (SELECT max(b) FROM OTHER)) OVER (ORDER BY d) FROM T",
    "SELECT a FROM T QUALIFY row_number() OVER (ORDER BY d) = (SELECT count(*) FROM OTHER)",
    "SELECT * REPLACE ((SELECT max(a) FROM OTHER) AS a) FROM T", "SELECT DISTINCT ON ((SELECT 1 FROM OTHER)) a FROM T",
    "SELECT T.a FROM T JOIN T u ON T.a = (SELECT max(a) FROM OTHER)", "SELECT concat_ws(',', (SELECT a FROM OTHER))",
    "SELECT a FROM T EXCEPT ALL SELECT a FROM OTHER",
    "(SELECT a FROM T LIMIT 1) UNION ALL (SELECT a FROM OTHER LIMIT 1)",
    "SELECT q.a FROM T LEFT JOIN LATERAL (SELECT OTHER.a FROM OTHER WHERE OTHER.a = T.a) q ON true",
    "WITH p AS (SELECT a FROM T), q AS (SELECT a FROM OTHER) SELECT a FROM p UNION ALL SELECT a FROM q",
    "SELECT age(d) FROM T", "SELECT today()",
    "SELECT try_strptime(a, ['%d', '%m']) FROM T", "SELECT len(list(a)) FROM T",
    "SELECT $1", "SELECT ?", "SELECT [x FOR x IN range(9)]", "SELECT {'a': 1}", "SELECT COLUMNS('.*') FROM OTHER",
    "SELECT main.query('SELECT 1')", "SELECT system.main.getenv('HOME')", "SELECT * FROM main.read_csv('/etc/passwd')",
    "SELECT " + "abs(" * 900 + "1" + ")" * 900, "SELECT " + "+".join(["1"] * 9_000), "SELECT '" + "x" * 30_000 + "'",
    "SELECT 1\x00; DROP TABLE T", "SELECT * FROM T TABLESAMPLE 10%", "SELECT a FROM T USING SAMPLE 3 ROWS",
)  # fmt: skip

_SHADOWED = ("duckdb_views", "duckdb_tables", "sqlite_master", "pg_tables", "OTHER", '"/etc/passwd"', '"x.parquet"')
_SHADOWS = (
    "WITH {0} AS (SELECT * FROM {0}) SELECT * FROM {0}",
    "SELECT * FROM {0} v, (WITH {0} AS (SELECT 1 AS z) SELECT z FROM {0}) q",
    "WITH a AS (SELECT * FROM {0}), {0} AS (SELECT 1 AS z) SELECT * FROM a",
    "SELECT (WITH {0} AS (SELECT 1 AS z) SELECT max(z) FROM {0}) FROM {0}",
    "SELECT * FROM T UNION ALL (WITH {0} AS (SELECT 1 AS a) SELECT a FROM {0}) UNION ALL SELECT * FROM {0}",
)
"""A name given to a subquery, where it is not in scope: it means a stored table, a file, or the engine's catalogue."""

ATTACKS: dict[str, tuple[str, ...]] = {
    "reading files": tuple(f"SELECT * FROM {call}" for call in _READS),
    "snooping in the catalogue": tuple(f"SELECT * FROM {call}" for call in _CATALOGUE),
    "other tables": tuple(f"SELECT * FROM {name}" for name in _TABLES),
    "functions": tuple(f"SELECT {call} FROM T" for call in _FUNCTIONS),
    "statements, tricks and indirection": _STATEMENTS,
    "names out of scope": tuple(shadow.format(name) for shadow in _SHADOWS for name in _SHADOWED),
}
