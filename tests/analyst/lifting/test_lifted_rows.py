"""Listings: columns, conditions, texts, missing values, choices, arithmetic."""

from __future__ import annotations

from pathlib import Path

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.plan import Among, Call, Compare, Conditional, InQuery, TextMatch
from apps.analyst.tables.catalog import catalog_from_files
from tests.analyst.lifting.meaning import Meaning


def test_listed_columns_conditions_order_and_limit_are_those_of_the_query(says: Meaning) -> None:
    query = says.query(
        "SELECT product, amount FROM orders WHERE amount > 100 AND channel = 'Web' ORDER BY 2 DESC LIMIT 3"
    )
    assert [column.label for column in query.columns] == ["product", "amount"]
    assert (query.limit, query.order[0].by, query.order[0].descending) == (3, "amount", True)


def test_a_star_lists_all_columns_and_may_leave_some_out(says: Meaning) -> None:
    assert len(says.query("SELECT * FROM customers").columns) == 5
    assert len(says.query("SELECT c.* EXCLUDE (points) FROM customers c").columns) == 4


def test_distinct_rows_stay_distinct(says: Meaning) -> None:
    assert says.query("SELECT DISTINCT product, channel FROM orders").distinct


def test_an_offset_leaves_rows_out(says: Meaning) -> None:
    assert says.query("SELECT order_id FROM orders ORDER BY amount DESC LIMIT 2 OFFSET 3").offset == 3


def test_lists_of_values_and_their_opposite(says: Meaning) -> None:
    query = says.query("SELECT order_id FROM orders WHERE product IN ('Lamp', 'Desk') AND channel NOT IN ('Web')")
    assert query.where is not None
    assert [type(part) for part in query.where.of] == [Among, Among]  # type: ignore[union-attr]


def test_ranges_alternatives_and_what_is_not(says: Meaning) -> None:
    says("SELECT order_id FROM orders WHERE amount BETWEEN 60 AND 120.5 OR NOT (units < 3)")
    says("SELECT order_id FROM orders WHERE amount NOT BETWEEN 60 AND 340 AND units <> 4")


def test_texts_that_start_contain_and_end(says: Meaning) -> None:
    query = says.query("SELECT order_id FROM orders WHERE code LIKE 'AB%' AND product ILIKE '%es%'")
    assert [part.op for part in query.where.of] == ["starts", "contains"]  # type: ignore[union-attr]
    says("SELECT order_id FROM orders WHERE code NOT LIKE '%-1'")
    says("SELECT order_id FROM orders WHERE starts_with(code, 'CD') OR contains(product, 'hel')")


def test_the_first_letters_of_a_text_are_how_it_starts(says: Meaning) -> None:
    query = says.query("SELECT order_id FROM orders WHERE left(code, 2) = 'AB'")
    assert isinstance(query.where, TextMatch)
    says("SELECT order_id FROM orders WHERE substr(code, 1, 2) <> 'AB'")


def test_patterns_that_only_look_for_words(says: Meaning) -> None:
    says("SELECT order_id FROM orders WHERE regexp_matches(product, 'Lamp|Desk')")


def test_missing_values_are_neither_here_nor_there(says: Meaning) -> None:
    says("SELECT name FROM customers WHERE points IS NULL")
    says("SELECT name FROM customers WHERE points IS NOT NULL AND points <> 40")
    says("SELECT name, coalesce(points, 0) AS points_or_none FROM customers")


def test_a_word_that_was_read_as_no_value_stands_for_the_missing_one(tmp_path: Path, warehouse: LocalWarehouse) -> None:
    """A file says "n/a", and so may who asks about it; the column holds nothing there."""
    rows = "\n".join(f"{n},{('Norway', 'n/a', 'Ghana')[n % 3]}" for n in range(9))
    (tmp_path / "people.csv").write_text(f"person_id,country\n{rows}\n", encoding="utf-8")
    says = Meaning(catalog_from_files([tmp_path / "people.csv"], tmp_path / "tables"), warehouse)
    listed = "SELECT person_id FROM people WHERE country"
    says(f"{listed} = 'n/a'", f"{listed} IS NULL")
    says(f"{listed} <> 'N/A'", f"{listed} IS NOT NULL")
    says(f"{listed} IN ('Ghana', 'n/a')", f"{listed} = 'Ghana' OR country IS NULL")
    says(f"{listed} NOT IN ('Ghana', 'n/a')", f"{listed} = 'Norway'")


def test_truths_are_conditions_and_are_compared_with_words_and_ones(says: Meaning) -> None:
    for sql in ("WHERE gift", "WHERE gift = 1", "WHERE gift = 'Yes'", "WHERE gift IS TRUE"):
        says(f"SELECT order_id FROM orders {sql}", "SELECT order_id FROM orders WHERE gift")
    says("SELECT order_id FROM orders WHERE NOT gift")


def test_words_that_say_yes_and_no_are_truths_too(says: Meaning) -> None:
    for sql in ("insured", "insured = 1", "insured = true", "insured::boolean", "insured::boolean IS TRUE"):
        says(f"SELECT order_id FROM orders WHERE {sql}", "SELECT order_id FROM orders WHERE insured = 'Yes'")
    says("SELECT order_id FROM orders WHERE NOT insured", "SELECT order_id FROM orders WHERE insured = 'No'")


def test_comparisons_are_exact_and_fold_where_the_query_does(says: Meaning) -> None:
    query = says.query("SELECT order_id FROM orders WHERE lower(product) = 'lamp'")
    assert isinstance(query.where, Compare)
    assert not query.where.fold
    assert isinstance(query.where.left, Call)


def test_literals_become_what_they_stand_beside(says: Meaning) -> None:
    says("SELECT order_id FROM orders WHERE units = '2'")
    says("SELECT order_id FROM orders WHERE placed >= '2024-03-01'")


def test_choices_of_several_cases(says: Meaning) -> None:
    bands = "CASE WHEN amount < 100 THEN 'small' WHEN amount < 300 THEN 'middle' ELSE 'large' END"
    query = says.query(f"SELECT order_id, {bands} AS band FROM orders")
    assert isinstance(query.columns[1].expr, Conditional)
    says("SELECT order_id, CASE product WHEN 'Lamp' THEN 1 WHEN 'Desk' THEN 2 END AS kind FROM orders")


def test_arithmetic_and_functions_of_the_allow_list(says: Meaning) -> None:
    says("SELECT order_id, round(amount / units, 1) AS each, amount * 1.25 - 10 AS gross FROM orders")
    says(
        "SELECT order_id, abs(units - 3) AS off, floor(amount) AS low, units % 2 AS odd, units // 2 AS half FROM orders"
    )
    says(
        "SELECT greatest(units, 2) AS most, least(units, 2) AS least_of, power(units, 2) AS sq, "
        "ln(units) AS l FROM orders"
    )
    says("SELECT upper(product) AS up, length(code) AS n, product || ' / ' || channel AS both FROM orders")


def test_conditions_can_be_shown(says: Meaning) -> None:
    says("SELECT order_id, amount > 100 AS large FROM orders")


def test_cleaning_that_reading_made_needless_is_left_out(says: Meaning) -> None:
    query = says.query(
        "SELECT sum(CAST(replace(substr(amount, 2), ',', '') AS DOUBLE)) AS total FROM orders",
        "SELECT sum(amount) AS total FROM orders",
    )
    assert query.measures[0].expr.kind == "aggregate"
    says(
        "SELECT count(*) AS n FROM orders WHERE strptime(placed, '%d/%m/%Y')::date >= DATE '2024-03-01'",
        "SELECT count(*) AS n FROM orders WHERE placed >= DATE '2024-03-01'",
    )


def test_values_of_another_query(says: Meaning) -> None:
    query = says.query("SELECT name FROM customers WHERE customer_id IN (SELECT customer_id FROM orders WHERE gift)")
    assert isinstance(query.where, InQuery)
    says("SELECT name FROM customers WHERE customer_id NOT IN (SELECT customer_id FROM orders)")
