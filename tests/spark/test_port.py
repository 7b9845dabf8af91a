"""The port's contract on Spark: the very tests that both DuckDB warehouses keep.

One of them is left out, and so is what it shows: numbers of more than 38 digits, which Spark has no type for.
"""

# ruff: noqa: F401 - they are run because they are named here

from __future__ import annotations

from tests.analyst.warehouse.test_warehouse_queries import (
    test_a_bad_query_is_refused_in_one_line_without_paths,
    test_a_file_written_anew_is_read_anew,
    test_a_large_result_crosses_whole,
    test_a_query_that_takes_too_long_is_ended_and_the_next_one_runs,
    test_a_table_that_is_gone_is_told_of,
    test_an_empty_result_has_columns,
    test_as_many_rows_as_the_cap_are_no_truncation,
    test_decimals_stay_exact,
    test_infinities_and_nan_are_missing,
    test_missing_values_are_none,
    test_parameters_are_bound_not_written_in,
    test_rows_come_with_their_types,
    test_table_names_may_be_anything,
    test_the_plan_names_the_columns,
    test_the_row_cap_keeps_the_true_total,
)
