"""A private column: marked by admins, kept by its name, and only of the own organization."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.accounts.models import AuditEvent
from apps.analyst.approaches.models.told import told_catalog
from apps.datasources.catalog import catalog_of
from apps.preferences.models import PrivateColumn
from tests.apps.datasources.conftest import SALES, read_waiting
from tests.cast import client_of

PATH = "/api/v3/files/dictionary/privacy?filename=sales.csv"


@pytest.fixture
def sales(upload, cast):
    upload(("sales.csv", SALES))
    return cast


def mark(user, *, private: bool = True, column: str = "Region", table: str = "sales") -> Any:
    return client_of(user).put(PATH, {"table": table, "column": column, "private": private}, format="json")


def seen_by_models(organization) -> list[str]:
    (table,) = told_catalog(catalog_of(organization)).tables()
    return [column.name for column in table.columns]


def test_an_admin_marks_a_column_and_models_see_the_others_from_then_on(sales):
    assert seen_by_models(sales.acme) == ["Region", "Amount", "Date"]
    assert mark(sales.ada).json() == {"may_edit": True, "tables": [{"name": "sales", "columns": ["Region"]}]}
    assert seen_by_models(sales.acme) == ["Amount", "Date"]
    assert [column.name for column in catalog_of(sales.acme).tables()[0].columns] == ["Region", "Amount", "Date"]
    event = AuditEvent.objects.of(sales.acme).get(action="context_changed")
    assert (event.actor, event.target, event.details) == (sales.ada, "sales.csv: Region", {"private": True})
    mark(sales.ada, private=False)
    assert seen_by_models(sales.acme) == ["Region", "Amount", "Date"]


def test_members_see_what_is_private_and_change_nothing(sales):
    mark(sales.ada)
    told = client_of(sales.ben).get(PATH).json()
    assert told == {"may_edit": False, "tables": [{"name": "sales", "columns": ["Region"]}]}
    assert mark(sales.ben, private=False).status_code == 403
    assert PrivateColumn.objects.of(sales.acme).count() == 1


def test_a_newer_file_of_the_name_keeps_it_and_a_deleted_one_does_not(sales, django_capture_on_commit_callbacks):
    mark(sales.ada)
    newer = SimpleUploadedFile("sales.csv", SALES + b"North,7,2024-04-01\n")
    with django_capture_on_commit_callbacks(execute=True):
        client_of(sales.ana).put("/api/v3/files?filename=sales.csv", {"file-0": newer})
    with django_capture_on_commit_callbacks(execute=True):
        read_waiting()
    assert catalog_of(sales.acme).tables()[0].rows == 4
    assert seen_by_models(sales.acme) == ["Amount", "Date"]
    client_of(sales.ada).delete("/api/v3/files?filename=sales.csv")
    assert not PrivateColumn.objects.exists()


def test_another_organization_neither_reads_nor_marks_nor_is_touched_by_it(sales, upload):
    upload(("sales.csv", SALES), by=sales.gia)
    mark(sales.ada)
    assert client_of(sales.gia).get(PATH).json()["tables"] == [{"name": "sales", "columns": []}]
    assert seen_by_models(sales.globex) == ["Region", "Amount", "Date"]
    mark(sales.gia, private=False)
    mark(sales.gia, column="Date")
    assert seen_by_models(sales.acme) == ["Amount", "Date"]


@pytest.mark.parametrize(
    ("change", "status"),
    [({"column": "Profit"}, 404), ({"table": "orders"}, 404), ({"column": "region"}, 404), ({"private": None}, 400)],
)
def test_what_is_not_there_cannot_be_private(change, status, sales):
    assert mark(sales.ada, **change).status_code == status
    assert not PrivateColumn.objects.exists()
