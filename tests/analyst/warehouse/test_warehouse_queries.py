"""Both warehouses answer alike: types, parameters, limits, true totals."""

from __future__ import annotations

import time
from datetime import date, datetime
from decimal import Decimal

import pytest

from apps.analyst.errors import QueryFailed
from apps.analyst.types import ResultColumn


def test_rows_come_with_their_types(warehouse, orders):
    result = warehouse.query("SELECT * FROM orders ORDER BY id LIMIT 1", [], tables={"orders": orders})
    assert [column.type for column in result.columns] == [
        "integer",
        "text",
        "decimal",
        "float",
        "date",
        "datetime",
        "boolean",
        "integer",
    ]
    assert result.rows[0] == (
        1,
        "S",
        Decimal("0.25"),
        pytest.approx(1 / 7),
        date(2024, 1, 2),
        datetime(2024, 1, 1, 10, 1),
        False,
        1,
    )


def test_missing_values_are_none(warehouse, orders):
    result = warehouse.query(
        "SELECT gaps, CAST(gaps AS DOUBLE), CAST(gaps AS VARCHAR), CAST(NULL AS DATE), CAST(NULL AS DECIMAL(9, 2)) "
        "FROM orders WHERE id IN (9, 10) ORDER BY id",
        [],
        tables={"orders": orders},
    )
    assert result.rows == ((9, 9.0, "9", None, None), (None, None, None, None, None))


def test_infinities_and_nan_are_missing(warehouse, orders):
    result = warehouse.query("SELECT 'nan'::DOUBLE, 'inf'::DOUBLE, 1.5::DOUBLE", [], tables={"orders": orders})
    assert result.rows == ((None, None, 1.5),)


def test_decimals_stay_exact(warehouse, orders):
    result = warehouse.query("SELECT sum(0.1::DECIMAL(18, 2)) FROM orders", [], tables={"orders": orders})
    assert result.rows == ((Decimal("100.00"),),)
    assert isinstance(result.rows[0][0], Decimal)


def test_huge_whole_numbers_survive(warehouse, orders):
    result = warehouse.query("SELECT 170141183460469231731687303715884105727::HUGEINT", [], tables={"orders": orders})
    assert result.rows == ((2**127 - 1,),)


@pytest.mark.parametrize(
    "value",
    ["it's", 'a"b', "; DROP", 7, 2.5, True, Decimal("12.34"), date(2024, 2, 29), datetime(2024, 2, 29, 1, 2), None],
)
def test_parameters_are_bound_not_written_in(warehouse, orders, value):
    result = warehouse.query("SELECT ?", [value], tables={"orders": orders})
    assert result.rows == ((value,),)


def test_the_row_cap_keeps_the_true_total(warehouse, orders):
    result = warehouse.query("SELECT id FROM orders ORDER BY id DESC", [], tables={"orders": orders}, max_rows=3)
    assert result.rows == ((1000,), (999,), (998,))
    assert result.total_rows == 1000
    assert result.truncated


def test_as_many_rows_as_the_cap_are_no_truncation(warehouse, orders):
    result = warehouse.query("SELECT id FROM orders WHERE id <= ?", [5], tables={"orders": orders}, max_rows=5)
    assert (len(result.rows), result.total_rows) == (5, 5)


def test_an_empty_result_has_columns(warehouse, orders):
    result = warehouse.query("SELECT id, region FROM orders WHERE id < 0", [], tables={"orders": orders})
    assert result.rows == ()
    assert [column.name for column in result.columns] == ["id", "region"]


def test_the_plan_names_the_columns(warehouse, orders):
    wanted = [ResultColumn("Region", "text", "dimension"), ResultColumn("Sum", "float", "measure", "USD", None)]
    result = warehouse.query(
        "SELECT region, sum(amount) FROM orders GROUP BY 1 ORDER BY 1", [], tables={"orders": orders}, columns=wanted
    )
    assert [(column.name, column.kind, column.unit) for column in result.columns] == [
        ("Region", "dimension", None),
        ("Sum", "measure", "USD"),
    ]


def test_table_names_may_be_anything(warehouse, orders):
    result = warehouse.query('SELECT count(*) FROM "Orders ""24"" – 名"', [], tables={'Orders "24" – 名': orders})
    assert result.rows == ((1000,),)


def test_a_query_that_takes_too_long_is_ended_and_the_next_one_runs(warehouse, orders):
    endless = "SELECT count(*) FROM orders a, orders b, orders c, orders d WHERE a.id * b.id < c.id + d.id"
    with pytest.raises(QueryFailed, match=r"took longer than 0\.3 seconds") as caught:
        warehouse.query(endless, [], tables={"orders": orders}, timeout=0.3)
    assert caught.value.retryable
    assert warehouse.query("SELECT count(*) FROM orders", [], tables={"orders": orders}).rows == ((1000,),)


@pytest.mark.parametrize("sql", ["SELECT nothing FROM orders", "SELEC", "", "SELECT 1; SELECT 2"])
def test_a_bad_query_is_refused_in_one_line_without_paths(warehouse, orders, sql):
    with pytest.raises(QueryFailed) as caught:
        warehouse.query(sql, [], tables={"orders": orders})
    assert "\n" not in caught.value.message
    assert str(orders) not in caught.value.message


def test_a_table_that_is_gone_is_told_of(warehouse, tmp_path):
    with pytest.raises(QueryFailed, match="upload the file again"):
        warehouse.query("SELECT 1", [], tables={"t": tmp_path / "gone.parquet"})


def test_a_file_written_anew_is_read_anew(warehouse, tmp_path):
    import duckdb

    path = tmp_path / "t.parquet"
    for value in (1, 2):
        duckdb.execute(f"COPY (SELECT {value} AS v) TO '{tmp_path / 'new.parquet'}'")
        (tmp_path / "new.parquet").replace(path)
        assert warehouse.query("SELECT v FROM t", [], tables={"t": path}).rows == ((value,),)


def test_a_large_result_crosses_whole(warehouse, orders):
    sql = "SELECT a.id, a.region, a.rate, a.amount, a.day FROM orders a, orders b WHERE b.id <= 30"
    result = warehouse.query(sql, [], tables={"orders": orders}, max_rows=50_000)
    assert len(result.rows) == 30_000
    assert {len(row) for row in result.rows} == {5}


def test_a_deadline_that_was_met_ends_no_later_query(warehouse, orders):
    for timeout in (30, 2):
        warehouse.query("SELECT count(*) FROM orders", [], tables={"orders": orders}, timeout=timeout)
    begun = time.monotonic()
    slow = "SELECT count(*) FROM orders a, orders b WHERE sqrt(a.id * b.id) < 0 OR sin(a.id + b.id) > 2"
    while time.monotonic() < begun + 2.2:
        assert warehouse.query(slow, [], tables={"orders": orders}, timeout=30).rows == ((0,),)
