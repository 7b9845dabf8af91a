"""What figures of one table are divided by, or held against, in another."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.analyst.reading.candidates import namer_of
from apps.analyst.reading.composing import Schema, schema_of
from apps.analyst.reading.quotients import with_all_owners, with_sums
from apps.analyst.reading.sketch import Sketch
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from tests.analyst.reading.conftest import TODAY

FILLED = ("given", ("count", ("T", "bookings")), ("filled", ("C", "bookings", "bkg_no")))


def changed(part: Sketch, whole: Sketch, stays: FixedCatalog) -> Sketch:
    return with_all_owners(("agg", ("m1", ("ratio", part, whole)), ("any",)), schema_over(stays))[1][1]


def schema_over(stays: FixedCatalog, *, joined: bool = True) -> Schema:
    joins = list(stays.joins()) if joined else []
    return schema_of({t.name: t for t in stays.tables()}, joins, namer_of(stays), TODAY)


def test_bookings_for_each_guest_are_counted_over_all_guests(stays: FixedCatalog) -> None:
    guests = ("countd", ("C", "guests", "gst_no"))
    assert changed(FILLED, guests, stays) == ("ratio", ("count", ("T", "bookings")), ("count", ("T", "guests")))


def test_what_is_no_key_of_an_owner_stays(stays: FixedCatalog) -> None:
    for part, whole in (
        (FILLED, ("countd", ("C", "bookings", "gst_no"))),
        (FILLED, ("countd", ("C", "guests", "cntry"))),
        (("count", ("T", "bookings")), ("countd", ("C", "guests", "gst_no"))),
    ):
        assert changed(part, whole, stays) == ("ratio", part, whole)


def test_a_sum_is_held_against_a_sum_of_a_table_that_does_not_meet_its_own(stays: FixedCatalog) -> None:
    total, highest = ("sum", ("C", "bookings", "tot_amt")), ("max", ("C", "guests", "gst_no"))
    asked = ("agg", ("m1", ("pct", total, highest)), ("any",))
    tokens, apart = ["amount", "against", "target"], schema_over(stays, joined=False)
    assert with_sums(asked, tokens, apart)[1][1] == ("pct", total, ("sum", ("C", "guests", "gst_no")))
    assert with_sums(asked, ["amount", "against", "highest", "target"], apart) == asked
    assert with_sums(asked, tokens, schema_over(stays)) == asked


@pytest.fixture
def wells(tmp_path: Path) -> FixedCatalog:
    """What wells gave and should have given each month; they meet by well and month."""
    for name, title, figure in (("given", "barrels", 90), ("due", "barrels_due", 100)):
        rows = [f"W{well},2024-{month:02}-01,{figure + well + month}" for well in range(9) for month in range(1, 13)]
        (tmp_path / f"{name}.csv").write_text("\n".join([f"well,month,{title}", *rows]) + "\n")
    return catalog_from_files([tmp_path / "given.csv", tmp_path / "due.csv"], tmp_path / "tables")


def test_a_sum_is_held_against_a_sum_where_a_group_has_several_rows_of_the_other_table(wells: FixedCatalog) -> None:
    schema = schema_over(wells)
    (path,) = [path for paths in schema.joins.values() for path in paths]
    assert len(path.left_columns) == 2
    given, due = ("C", "given", "barrels"), ("C", "due", "barrels_due")
    if path.left_table == "due":
        given, due = due, given
    sums, highest = ("sum", given), ("max", due)
    for form in ("pct", "minus", "hmgt"):
        by_well = ("group", ("k1", ("C", given[1], "well")), (form, sums, highest))
        assert with_sums(by_well, ["by", "well"], schema)[2] == (form, sums, ("sum", due))
        both = (("C", given[1], "well"), ("C", due[1], "month"))
        one_each = ("group", ("k2", *both), (form, sums, highest))
        assert with_sums(one_each, ["by", "well", "and", "month"], schema) == one_each
