"""Sketches become plans whose figures are right: joined without multiplying rows, restricted, grouped, compared."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from apps.analyst.computing.compute import compute
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.plan.validate import validate
from apps.analyst.reading.candidates import namer_of
from apps.analyst.reading.composing import Unfit, compose, schema_of
from apps.analyst.reading.joining import scan
from apps.analyst.reading.sketch import Sketch
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files

ORDERS = """order_no,cust_no,placed_on,sent_on,net_amt,state
1,C1,2025-01-03,2025-01-05,100,paid
2,C1,2025-01-20,2025-01-21,50,open
3,C2,2025-02-02,2025-02-10,200,paid
4,C2,2025-02-14,,30,cancelled
5,C3,2025-03-01,2025-03-02,80,paid
6,C3,2025-03-09,2025-03-19,40,paid
"""
CUSTOMERS = """cust_no,cust_nm,region,credit_limit
C1,Ada,North,500
C2,Bo,South,100
C3,Cy,North,900
C4,Di,South,50
"""
ALL, ANY, NONE = ("all",), ("any",), ("nohaving",)


def c(column: str, table: str = "orders") -> Sketch:
    return ("C", table, column)


def is_(column: str, value: str, table: str = "orders") -> Sketch:
    return ("is", ("W", table, column, value))


COUNT, NET = ("count", ("T", "orders")), ("sum", c("net_amt"))
REGION = c("region", "customers")


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    folder: Path = tmp_path_factory.mktemp("shop")
    (folder / "orders.csv").write_text(ORDERS)
    (folder / "customers.csv").write_text(CUSTOMERS)
    return catalog_from_files([folder / "orders.csv", folder / "customers.csv"], folder / "tables")


@pytest.fixture(scope="module")
def told(shop: FixedCatalog) -> Any:
    warehouse = LocalWarehouse(threads=1)
    schema = schema_of({t.name: t for t in shop.tables()}, list(shop.joins()), namer_of(shop), date(2025, 3, 31))

    def rows(sketch: Sketch) -> list[tuple[object, ...]]:
        plan = compose(sketch, schema)
        validate(plan, shop)
        return [
            tuple(float(v) if isinstance(v, int | float) or hasattr(v, "as_tuple") else v for v in row)
            for row in compute(plan, shop, warehouse).result.rows
        ]

    return rows


def test_rows_are_counted_and_figures_added_up(told: Any) -> None:
    assert told(("agg", ("m2", COUNT, NET), ANY)) == [(6, 500)]


def test_a_condition_on_another_table_joins_it(told: Any) -> None:
    assert told(("agg", ("m1", NET), is_("region", "North", "customers"))) == [(270,)]


def test_things_of_the_one_side_are_not_multiplied_by_the_many(told: Any) -> None:
    assert told(("agg", ("m1", ("sum", c("credit_limit", "customers"))), ANY)) == [(1550,)]


def test_groups_may_lie_on_the_joined_side(told: Any) -> None:
    assert sorted(told(("group", ("k1", REGION), ("m1", NET), ANY, NONE, ALL))) == [("North", 270), ("South", 230)]


def test_a_rate_is_the_share_of_rows_that_fulfil_a_condition(told: Any) -> None:
    found = told(("group", ("k1", REGION), ("m1", ("rate", ("T", "orders"), is_("state", "paid"))), ANY, NONE, ALL))
    assert sorted(found) == [("North", 75), ("South", 50)]


def test_a_share_is_of_the_total_over_all_groups(told: Any) -> None:
    assert sorted(told(("group", ("k1", REGION), ("m1", ("share", NET)), ANY, NONE, ALL))) == [
        ("North", 54),
        ("South", 46),
    ]


def test_the_first_by_a_figure_comes_with_it(told: Any) -> None:
    found = told(
        ("group", ("k1", c("cust_nm", "customers")), ("m0",), ANY, NONE, ("first", ("desc",), ("bym", NET), ("one",)))
    )
    assert found == [("Bo", 230)]


def test_the_first_rows_are_listed_by_their_value(told: Any) -> None:
    found = told(
        (
            "rows",
            ("v2", c("order_no"), c("net_amt")),
            ANY,
            ("first", ("desc",), ("byv", c("net_amt")), ("top", ("N", 2.0))),
        )
    )
    assert found == [(3, 200), (1, 100)]


def test_periods_bound_a_date(told: Any) -> None:
    january = ("dates", c("placed_on"), date(2025, 1, 1), date(2025, 2, 1))
    assert told(("agg", ("m1", COUNT), january)) == [(2,)]
    assert told(("agg", ("m1", COUNT), ("dates", c("placed_on"), None, date(2025, 2, 1)))) == [(2,)]


def test_time_between_two_dates_leaves_gaps_out(told: Any) -> None:
    assert told(("agg", ("m1", ("avg", ("span", ("days",), c("placed_on"), c("sent_on")))), ANY)) == [
        (pytest.approx(4.4),)
    ]


def test_who_has_none_and_who_has_some(told: Any) -> None:
    some = ("sub", c("cust_no"), ANY, NONE)
    name = ("v1", c("cust_nm", "customers"))
    assert told(("rows", name, ("nonmember", c("cust_no", "customers"), some), ALL)) == [("Di",)]
    assert len(told(("rows", name, ("member", c("cust_no", "customers"), some), ALL))) == 3


def test_groups_are_chosen_by_their_figure_and_counted(told: Any) -> None:
    many = ("hgt", NET, ("N", 140.0))
    assert sorted(told(("group", ("k1", c("cust_no")), ("m0",), ANY, many, ALL))) == [("C1",), ("C2",)]
    assert told(("over_count", ("k1", c("cust_no")), ANY, many)) == [(2,)]


def test_above_the_average_of_all_groups(told: Any) -> None:
    assert told(("group", ("k1", c("cust_no")), ("m0",), ANY, ("havggt", NET), ALL)) == [("C2",)]


def test_an_average_over_groups(told: Any) -> None:
    assert told(("over", ("avg",), ("k1", c("cust_no")), COUNT, ANY, NONE)) == [(2,)]


def test_growth_is_the_change_against_the_former_figure(told: Any) -> None:
    def month(n: int) -> Sketch:
        return ("given", NET, ("dates", c("placed_on"), date(2025, n, 1), date(2025, n + 1, 1)))

    assert told(("agg", ("m1", ("growth", month(2), month(1))), ANY)) == [(pytest.approx(100 * 80 / 150),)]


def test_nothing_grows_from_a_period_to_itself(told: Any) -> None:
    placed, sent = (
        ("given", NET, ("dates", c(column), date(2025, 1, 1), date(2025, 2, 1))) for column in ("placed_on", "sent_on")
    )
    with pytest.raises(Unfit):
        told(("agg", ("m1", ("growth", placed, sent)), ANY))


def test_a_running_total_goes_along_its_periods(told: Any) -> None:
    found = told(("group", ("k1", ("month", c("placed_on"))), ("m1", ("running", NET)), ANY, NONE, ALL))
    assert [row[1] for row in found] == [150, 380, 500]


def test_the_first_of_each_group(told: Any) -> None:
    keys = ("k2", REGION, c("cust_nm", "customers"))
    found = told(("group", keys, ("m0",), ANY, NONE, ("per", ("desc",), ("bym", NET), ("one",))))
    assert sorted(row[:2] for row in found) == [("North", "Ada"), ("South", "Bo")]


def test_the_first_rows_of_each_group_are_listed_by_their_value(told: Any) -> None:
    dearest = ("per", ("desc",), ("byv", c("net_amt")), ("one",))
    found = told(("rows", ("v3", c("cust_no"), c("order_no"), c("net_amt")), ANY, dearest))
    assert sorted(found) == [("C1", 1, 100), ("C2", 3, 200), ("C3", 5, 80)]


def test_figures_of_two_tables_count_those_that_have_none_below(told: Any) -> None:
    customers = ("count", ("T", "customers"))
    each = told(("group", ("k1", REGION), ("m2", customers, ("ratio", NET, customers)), ANY, NONE, ALL))
    assert sorted(each) == [("North", 2, 135), ("South", 2, 115)]
    limits = ("sum", c("credit_limit", "customers"))
    assert told(("agg", ("m1", ("pct", NET, limits)), ANY)) == [(pytest.approx(100 * 500 / 1550),)]


def test_what_is_counted_is_counted_once_however_often_a_condition_meets_it(told: Any) -> None:
    assert told(("agg", ("m1", ("count", ("T", "customers"))), is_("state", "paid"))) == [(3,)]


def test_a_group_is_held_against_a_value_of_its_own(told: Any) -> None:
    limit = ("max", c("credit_limit", "customers"))
    over = ("hmgt", NET, limit)
    assert told(("group", ("k1", c("cust_nm", "customers")), ("m0",), ANY, over, ALL)) == [("Bo",)]


def test_a_share_of_groups_counts_those_that_fulfil_a_condition(told: Any) -> None:
    found = told(("over_rate", ("k1", c("cust_no")), ANY, ("hgt", NET, ("N", 140.0))))
    assert found == [(pytest.approx(200 / 3),)]
    both = ("hand", ("hgt", NET, ("N", 140.0)), ("hlt", NET, ("N", 200.0)))
    assert told(("over_rate", ("k1", c("cust_no")), ANY, both)) == [(pytest.approx(100 / 3),)]
    paid = ("given", NET, is_("state", "paid"))
    assert told(("over_rate", ("k1", c("cust_no")), ANY, ("hmlt", paid, NET))) == [(pytest.approx(200 / 3),)]


def test_the_share_of_the_biggest_groups_is_of_all_rows(told: Any) -> None:
    assert told(("top_share", ("k1", c("cust_no")), NET, ANY, ("one",))) == [(46,)]
    paid = is_("state", "paid")
    found = told(("top_share", ("k1", c("cust_no")), NET, paid, ("top", ("N", 2.0))))
    assert found == [(pytest.approx(100 * 320 / 420),)]


def test_blank_names_make_no_group(told: Any) -> None:
    assert told(("group", ("k1", ("month", c("sent_on"))), ("m1", COUNT), is_("state", "cancelled"), NONE, ALL)) == []


@pytest.mark.parametrize(
    "sketch",
    [
        ("agg", ("m1", ("sum", c("state"))), ANY),
        ("rows", ("v1", c("order_no")), ANY, ("first", ("desc",), ("by1",), ("one",))),
        ("agg", ("m1", NET), ("dates", c("state"), date(2025, 1, 1), None)),
        ("group", ("k2", REGION, REGION), ("m1", NET), ANY, NONE, ALL),
        ("agg", ("m1", ("plus", NET, NET)), ANY),
        ("agg", ("m1", ("sum", ("vadd", c("net_amt"), c("net_amt")))), ANY),
        ("agg", ("m1", ("avg", ("span", ("days",), c("sent_on"), c("sent_on")))), ANY),
        ("agg", ("m1", NET), ("vlt", c("sent_on"), c("sent_on"))),
        ("agg", ("m1", ("sum", c("no_such_column"))), ANY),
        ("group", ("k1", REGION), ("m0",), ANY, NONE, ("per", ("desc",), ("bym", NET), ("one",))),
        ("rows", ("v1", c("order_no")), ANY, ("first", ("desc",), ("byv", c("net_amt")), ("top", ("N", 2.5)))),
        ("rows", ("v1", c("order_no")), ANY, ("per", ("desc",), ("byv", c("net_amt")), ("one",))),
        ("over_rate", ("k1", c("cust_no")), ANY, NONE),
        ("over_rate", ("k1", c("cust_no")), ANY, ("havggt", NET)),
        ("top_share", ("k1", c("cust_no")), ("avg", c("net_amt")), ANY, ("one",)),
    ],
)
def test_what_makes_no_sense_has_no_plan(told: Any, sketch: Sketch) -> None:
    with pytest.raises(Unfit):
        told(sketch)


def test_one_figure_of_two_files_is_not_added_row_by_row(tmp_path: Path) -> None:
    (tmp_path / "orchards.csv").write_text("orchard,crates\n" + "\n".join(f"O{n},{n}" for n in range(20)))
    picks = "\n".join(f"O{n % 20},{n % 7},{n % 5}" for n in range(60))
    (tmp_path / "picking.csv").write_text(f"orchard,crates,baskets\n{picks}")
    files = catalog_from_files([tmp_path / "orchards.csv", tmp_path / "picking.csv"], tmp_path / "tables")
    schema = schema_of({t.name: t for t in files.tables()}, list(files.joins()), namer_of(files), date(2025, 3, 31))
    crates = c("crates", "orchards")
    with pytest.raises(Unfit, match="file by file"):
        compose(("agg", ("m1", ("sum", ("vadd", crates, c("crates", "picking")))), ANY), schema)
    assert compose(("agg", ("m1", ("sum", ("vadd", crates, c("baskets", "picking")))), ANY), schema).measures


def days(start: str, end: str) -> Sketch:
    return ("dates", c("placed_on"), date.fromisoformat(start), date.fromisoformat(end))


JANUARY, FEBRUARY = days("2025-01-01", "2025-02-01"), days("2025-02-01", "2025-03-01")
BOTH_MONTHS = days("2025-01-01", "2025-03-01")


@pytest.mark.parametrize(
    "figure",
    [
        ("growth", ("given", NET, BOTH_MONTHS), ("given", NET, JANUARY)),
        ("growth", ("given", NET, JANUARY), ("given", NET, FEBRUARY)),
        ("minus", ("given", NET, BOTH_MONTHS), ("given", NET, JANUARY)),
    ],
)
def test_a_period_is_not_held_against_a_part_of_itself_or_a_later_one(told: Any, figure: Sketch) -> None:
    with pytest.raises(Unfit):
        told(("agg", ("m1", figure), ANY))


def test_growth_since_a_day_has_no_end_to_be_held_against(told: Any) -> None:
    since = ("dates", c("placed_on"), date(2025, 3, 1), None)
    assert told(("agg", ("m1", ("growth", ("given", NET, since), ("given", NET, JANUARY))), ANY))


@pytest.mark.parametrize("condition", [("or", JANUARY, BOTH_MONTHS), ("and", JANUARY, FEBRUARY)])
def test_periods_that_do_not_go_together_are_no_condition(told: Any, condition: Sketch) -> None:
    with pytest.raises(Unfit):
        told(("agg", ("m1", COUNT), condition))


def test_two_months_are_either_of_them(told: Any) -> None:
    assert told(("agg", ("m1", COUNT), ("or", JANUARY, FEBRUARY))) == [(4.0,)]


def test_a_figure_is_not_told_beside_itself(told: Any) -> None:
    with pytest.raises(Unfit):
        told(("agg", ("m2", ("given", NET, JANUARY), ("given", NET, JANUARY)), ANY))


def test_a_condition_that_is_written_twice_is_told_once(shop: FixedCatalog) -> None:
    schema = schema_of({t.name: t for t in shop.tables()}, list(shop.joins()), namer_of(shop), date(2025, 3, 31))
    paid, north = is_("state", "paid"), is_("region", "North", "customers")
    twice = compose(("agg", ("m1", COUNT), ("and", paid, ("and", north, paid))), schema)
    assert twice == compose(("agg", ("m1", COUNT), ("and", paid, north)), schema)


def test_tables_are_joined_in_the_order_in_which_they_are_named(tmp_path: Path) -> None:
    around = ("depots", "drivers", "goods", "clients", "vans", "lanes")
    for name in around:
        rows = "\n".join(f"{name[:2].upper()}{n},{name} {n}" for n in range(4))
        (tmp_path / f"{name}.csv").write_text(f"{name}_no,{name}_label\n{rows}")
    trips = "\n".join(",".join([str(n), *(f"{name[:2].upper()}{n % 4}" for name in around)]) for n in range(24))
    (tmp_path / "trips.csv").write_text(f"trip_no,{','.join(f'{name}_no' for name in around)}\n{trips}")
    catalog = catalog_from_files(sorted(tmp_path.glob("*.csv")), tmp_path / "tables")
    schema = schema_of(
        {t.name: t for t in catalog.tables()}, list(catalog.joins()), namer_of(catalog), date(2025, 3, 31)
    )
    named = scan(schema, ("count", ("T", "trips")), *(c(f"{name}_label", name) for name in around))
    assert (named.source, tuple(join.table for join in named.joins)) == ("trips", around)
