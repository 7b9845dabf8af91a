"""Deleting and replacing: who may, and that nothing stays behind."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.datasources import files
from apps.datasources.catalog import catalog_of
from apps.datasources.models import CatalogState, DataTable, Source, StoredFile
from apps.preferences.models import FileContext
from tests.apps.datasources.conftest import SALES, read_waiting, workbook
from tests.cast import client_of

MORE = SALES + b"North,7,2024-04-06\n"


def delete(user, name):
    return client_of(user).delete(f"/api/v3/files?filename={name}")


@pytest.fixture
def replace(cast, django_capture_on_commit_callbacks):
    def send(name, new_name, content, *, by=None):
        with django_capture_on_commit_callbacks(execute=True):
            answer = client_of(by or cast.ana).put(
                f"/api/v3/files?filename={name}", {"file-0": SimpleUploadedFile(new_name, content)}
            )
        with django_capture_on_commit_callbacks(execute=True):
            read_waiting()
        return answer

    return send


def test_a_deleted_file_leaves_no_row_no_table_no_byte_and_no_text(upload, cast, django_capture_on_commit_callbacks):
    upload(("sales.csv", SALES))
    client_of(cast.ana).post("/api/v3/explanation", {"explanation": "Our sales.", "file": "sales.csv"}, format="json")
    table = DataTable.objects.get()
    paths = [files.local_path(key) for key in (StoredFile.objects.get().key, table.key, table.values_key)]
    assert all(path.exists() for path in paths)
    with django_capture_on_commit_callbacks(execute=True):
        answer = delete(cast.ana, "sales.csv")
    assert (answer.status_code, answer.json()) == (200, {"message": "sales.csv successfully deleted"})
    assert not any(path.exists() for path in paths)
    for model in (Source, StoredFile, DataTable, FileContext):
        assert not model.objects.exists()
    assert not catalog_of(cast.acme).tables()


def test_members_delete_their_own_files_and_admins_any(upload, cast):
    upload(("a.csv", SALES), ("b.csv", SALES))
    refused = delete(cast.ben, "a.csv")
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "owners_only")
    assert delete(cast.ada, "a.csv").status_code == 200
    assert delete(cast.ana, "B.CSV").json()["message"] == "b.csv successfully deleted"


@pytest.mark.parametrize("name", ["nothing.csv", "../../secret_key", "", "a%00b.csv", "%F0%9F%92%A9"])
def test_deleting_what_is_not_there_is_an_error_in_words(cast, name):
    answer = delete(cast.ana, name)
    assert answer.status_code in {400, 404}
    assert answer.json()["error"]["message"]


def test_a_deleted_name_may_be_used_again(upload, cast, listing):
    upload(("sales.csv", SALES))
    delete(cast.ana, "sales.csv")
    assert upload(("sales.csv", MORE))["failed_uploads"] == 0
    assert listing()["sales.csv"]["rows"] == 4


def test_a_newer_version_takes_over_with_its_context_and_table_name(upload, cast, listing, replace):
    upload(("sales.csv", SALES))
    client_of(cast.ana).post("/api/v3/explanation", {"explanation": "Our sales.", "file": "sales.csv"}, format="json")
    before, version = listing()["sales.csv"], catalog_of(cast.acme).version
    earlier = files.local_path(StoredFile.objects.get().key)
    assert replace("sales.csv", "sales 2025.csv", MORE).status_code == 200
    after = listing()["sales.csv"]
    assert (after["rows"], after["state"], after["uploaded_at"]) == (4, "ready", before["uploaded_at"])
    assert after["refreshed_at"] > before["refreshed_at"]
    assert before["replaced_at"] is None
    assert after["replaced_at"] > after["uploaded_at"]
    table = catalog_of(cast.acme).tables()[0]
    assert (table.name, table.description, table.rows) == ("sales", "Our sales.", 4)
    assert catalog_of(cast.acme).version != version
    assert StoredFile.objects.count() == DataTable.objects.count() == 1
    assert not earlier.exists()


def test_an_unreadable_newer_version_leaves_the_earlier_one(upload, cast, listing, replace):
    upload(("sales.csv", SALES))
    replace("sales.csv", "sales.csv", b"Region,Amount\n")
    source = listing()["sales.csv"]
    assert (source["state"], source["rows"]) == ("ready", 3)
    assert source["error"].endswith("The earlier version is kept.")
    assert StoredFile.objects.count() == 1
    assert catalog_of(cast.acme).tables()[0].rows == 3


def test_replacing_is_for_the_owner_and_admins_and_for_tables_only(upload, cast, replace):
    upload(("sales.csv", SALES))
    assert replace("sales.csv", "sales.csv", MORE, by=cast.ben).status_code == 403
    assert replace("sales.csv", "sales.pdf", MORE).status_code == 400
    assert replace("other.csv", "sales.csv", MORE).status_code == 404
    assert replace("sales.csv", "sales.csv", MORE, by=cast.ada).status_code == 200


def test_a_newer_workbook_brings_its_new_sheets_and_takes_away_the_missing(upload, listing, replace):
    rows = [["Region", "Amount"], ["West", 1], ["East", 2]]
    upload(("Budget.xlsx", workbook(Plan=rows, Actual=rows)))
    replace("Budget - Plan.csv", "Budget v2.xlsx", workbook(Plan=[*rows, ["North", 3]], Forecast=rows))
    assert {name: source["rows"] for name, source in listing().items()} == {
        "Budget - Plan.csv": 3,
        "Budget - Forecast.csv": 2,
    }


def test_tables_are_rebuilt_from_the_uploads_without_bringing_back_what_was_deleted(upload, cast, listing):
    from apps.analyst.tables import ingest
    from apps.datasources.services.rebuilding import tables_rebuild

    rows = [["Region", "Amount"], ["West", 1], ["East", 2]]
    upload(("sales.csv", SALES), ("Budget.xlsx", workbook(Plan=rows, Actual=rows)))
    delete(cast.ana, "Budget - Plan.csv")
    before = set(DataTable.objects.values_list("key", flat=True))
    outcome = tables_rebuild(read=ingest)
    assert (outcome.files, outcome.failed) == (2, 0)
    assert not before & set(DataTable.objects.values_list("key", flat=True))
    assert {name: source["state"] for name, source in listing().items()} == {
        "sales.csv": "ready",
        "Budget - Actual.csv": "ready",
    }
    assert CatalogState.objects.get().joins_version == CatalogState.objects.get().version
