"""Tables are made of their rows once while they are asked for, and other apps hear when they came."""

from __future__ import annotations

import uuid

import pytest

from apps.accounts import holdings
from apps.datasources.catalog import catalog_of, stored_tables, wide_forget
from apps.datasources.described import described_forget, tables_described
from apps.datasources.models import DataTable
from apps.datasources.services import ingestion
from apps.datasources.services.catalogs import catalog_changed
from apps.datasources.services.exports import export_keep
from tests.apps.datasources.conftest import SALES, read_waiting


@pytest.fixture(autouse=True)
def nothing_kept():
    described_forget(unused_for=0.0)
    yield
    described_forget(unused_for=0.0)


@pytest.fixture
def heard(monkeypatch):
    """The organizations whose tables other apps hear of; one of these fails each time."""
    told = []

    def broken(_):
        raise RuntimeError

    monkeypatch.setattr(ingestion, "hooks", lambda name: [broken, told.append] if name == "tables_came" else [])
    return told


def test_another_version_of_the_catalog_reads_the_new_tables_alone(upload, cast, django_assert_max_num_queries):
    upload(("sales.csv", SALES))
    (before,) = catalog_of(cast.acme).tables()
    catalog_changed(cast.acme)
    with django_assert_max_num_queries(30) as seen:
        (after,) = catalog_of(cast.acme).tables()
    assert after.columns is before.columns
    assert not any('"profile"' in query["sql"] for query in seen.captured_queries)
    upload(("visits.csv", b"Town,Visitors\nOslo,3\nRome,4\n"))
    sales, visits = catalog_of(cast.acme).tables()
    assert sales.columns is before.columns
    assert [column.name for column in visits.columns] == ["Town", "Visitors"]


def exported(cast, content):
    """The rows of the table that a service's export is read as."""
    export_keep(organization=cast.acme, owner=None, file_name="sales.csv", content=content)
    read_waiting()
    (table,) = stored_tables(cast.acme.pk)
    return table.rows


def test_a_newer_version_of_a_file_is_another_table(cast):
    assert [exported(cast, content) for content in (SALES, SALES + b"North,7,2024-04-01\n")] == [3, 4]


def test_nobody_hears_of_a_newer_version_of_a_file(cast, heard):
    exported(cast, SALES)
    assert len(heard) == 2
    exported(cast, SALES + b"North,7,2024-04-01\n")
    assert len(heard) == 2


def test_tables_that_nobody_asks_for_are_let_go_and_those_that_are_gone_left_out(upload, cast):
    upload(("sales.csv", SALES))
    key = DataTable.objects.get().pk
    first = tables_described([key])[key]
    described_forget()
    assert tables_described([key])[key] is first, "it was asked for just now"
    described_forget(unused_for=0.0)
    again = tables_described([key, uuid.uuid4()])
    assert list(again) == [key]
    assert again[key] is not first
    assert again[key] == first
    wide_forget(unused_for=0.0)


def test_others_hear_of_tables_before_and_after_their_joins_are_found(upload, cast, heard):
    upload(("sales.csv", SALES))
    assert heard == [cast.acme.pk, cast.acme.pk]
    assert holdings.hooks("tables_came")
