"""What columns are for: ids, codes and years are never added up."""

from __future__ import annotations

import pytest

from apps.analyst.tables.roles import Facts, role_of, unit_in_name


def integer(name: str, low: int, high: int, *, rows: int = 100, distinct: int = 60, position: int = 3) -> Facts:
    return Facts(name, "integer", rows, distinct, 0, low, high, position=position)


@pytest.mark.parametrize(
    "name",
    [
        "customer_id",
        "CustomerID",
        "Linked Berth IDs",
        "BerthIDs",
        "id",
        "OrderNumber",
        "order no",
        "sls_ord_num",
        "ZIP",
        "Postal Code",
        "phone",
        "productcode",
        "user_key",
        "ISBN",
        "#",
        "stuid",
        "Cost Centre",
        "CST_CTR",
        "profit_center",
    ],
)
def test_ids_and_codes_are_known_by_name(name):
    assert role_of(integer(name, 10_000, 99_999)) == "id"


@pytest.mark.parametrize(
    "name",
    [
        "amount",
        "price",
        "score",
        "number_of_employees",
        "no_of_loans",
        "population",
        "age",
        "Quantity",
        "account balance",
        "price index",
        "paid",
        "days",
        "Volume",
        "grid",
    ],
)
def test_figures_are_measures(name):
    assert role_of(integer(name, 0, 5_000_000)) == "measure"


def test_a_cost_center_that_is_named_is_what_costs_are_split_by():
    assert role_of(Facts("Cost Centre", "text", 100, 6, 0, "Emergency", "Surgery", average_length=8.0)) == "dimension"


@pytest.mark.parametrize("name", ["year", "Year_ID", "founded", "season", "Took office"])
def test_years_are_times(name):
    assert role_of(integer(name, 1950, 2020)) == "time"


@pytest.mark.parametrize(
    "name", ["month", "Month Number", "QTR_ID", "weekday", "rank", "rank (2010)", "level", "class", "gender"]
)
def test_small_ordinals_are_dimensions(name):
    assert role_of(integer(name, 1, 12, distinct=12)) == "dimension"


def test_flags_are_dimensions():
    assert role_of(integer("survived", 0, 1, distinct=2)) == "dimension"


def test_a_running_number_is_an_id():
    assert role_of(integer("Column 1", 0, 99, distinct=100, position=0)) == "id"


def test_two_digit_model_years_are_times():
    assert role_of(integer("Year", 70, 82, distinct=13)) == "time"


def test_codes_that_repeat_are_dimensions():
    assert role_of(Facts("status_code", "text", 1000, 5, 0, None, None, 4.0)) == "dimension"
    assert role_of(Facts("status_code", "text", 1000, 990, 0, None, None, 4.0)) == "id"


def test_long_texts_are_read_not_grouped():
    assert role_of(Facts("comment", "text", 100, 98, 0, None, None, 140.0)) == "text"
    assert role_of(Facts("name", "text", 100, 98, 0, None, None, 12.0)) == "dimension"


def test_places_on_earth_are_not_added_up():
    assert role_of(Facts("latitude", "float", 100, 98, 0, 1.0, 60.0)) == "dimension"


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("price (USD)", "USD"),
        ("weight_kg", "kg"),
        ("% of vote", "%"),
        ("revenue in $", "USD"),
        ("share pct", "%"),
        ("length (m)", "m"),
        ("viewers (m)", None),
        ("density (/km²)", None),
        ("melamine content (mg / kg)", None),
        ("units", None),
        ("duration [min]", "minutes"),
    ],
)
def test_units_are_read_from_names(name, unit):
    assert unit_in_name(name) == unit
