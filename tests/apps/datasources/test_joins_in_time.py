"""Looking for joins has an end: what was known before stays, and nothing waits for it again."""

from __future__ import annotations

import time

from apps.datasources.models import CatalogState
from apps.datasources.services import catalogs
from tests.apps.datasources.conftest import SALES


def test_joins_that_take_too_long_are_given_up_and_the_earlier_ones_stay(upload, listing, monkeypatch):
    upload(("sales.csv", SALES))
    CatalogState.objects.update(joins=["earlier"])

    def endless(tables):
        until = time.monotonic() + 20
        while time.monotonic() < until:
            sum(range(1000))

    monkeypatch.setattr("apps.analyst.tables.joins.find_joins", endless)
    monkeypatch.setattr(catalogs, "JOINING_SECONDS", 0.2)
    started = time.monotonic()
    CatalogState.objects.update(version=100)
    catalogs.joins_refresh(CatalogState.objects.get().organization_id)
    catalogs.joins_refresh(CatalogState.objects.get().organization_id)
    assert time.monotonic() - started < 5
    state = CatalogState.objects.get()
    assert (state.joins, state.joins_version) == (["earlier"], 100)
