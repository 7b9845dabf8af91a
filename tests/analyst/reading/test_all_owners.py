"""Rows for each owner count the owners that have none, too."""

from __future__ import annotations

from apps.analyst.reading.all_owners import with_all_owners
from apps.analyst.reading.candidates import namer_of
from apps.analyst.reading.composing import schema_of
from apps.analyst.reading.sketch import Sketch
from apps.analyst.tables.catalog import FixedCatalog
from tests.analyst.reading.conftest import TODAY

FILLED = ("given", ("count", ("T", "bookings")), ("filled", ("C", "bookings", "bkg_no")))


def changed(part: Sketch, whole: Sketch, stays: FixedCatalog) -> Sketch:
    schema = schema_of({t.name: t for t in stays.tables()}, list(stays.joins()), namer_of(stays), TODAY)
    return with_all_owners(("agg", ("m1", ("ratio", part, whole)), ("any",)), schema)[1][1]


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
