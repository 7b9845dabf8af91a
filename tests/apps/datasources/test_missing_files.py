"""A file that is gone from the storage harms no other: it is told where people look, and can be read again."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.cache import cache
from django.core.management import CommandError, call_command

from apps.analyst.tables import ingest
from apps.datasources import files
from apps.datasources.catalog import catalog_of
from apps.datasources.models import DataTable, Source, StoredFile
from apps.datasources.services import missing, sweep
from apps.datasources.services.rebuilding import tables_rebuild
from tests.apps.datasources.conftest import SALES, read_waiting
from tests.cast import client_of


@pytest.fixture(autouse=True)
def nobody_has_looked() -> None:
    cache.clear()


@pytest.fixture
def lost(upload):
    """Two files, the table of one gone."""
    upload(("lost.csv", SALES), ("kept.csv", SALES))
    files.local_path(DataTable.objects.get(source__file_name="lost.csv").key).unlink()


def lose_original(name: str) -> None:
    files.local_path(StoredFile.objects.get(name=name).key).unlink()


def test_a_later_upload_is_read_and_the_source_says_what_is_gone(lost, upload, listing):
    upload(("later.csv", SALES))
    sources = listing()
    assert sources["later.csv"]["state"] == "ready"
    assert sources["kept.csv"]["state"] == "ready"
    assert (sources["lost.csv"]["state"], sources["lost.csv"]["retryable"]) == ("failed", True)
    assert sources["lost.csv"]["error"] == missing.TABLE_GONE


def test_a_source_says_what_is_gone_and_offers_another_try_though_nobody_uploads(lost, listing):
    assert listing()["lost.csv"]["state"] == "ready"
    sweep.files_sweep()
    assert (listing()["lost.csv"]["state"], listing()["lost.csv"]["retryable"]) == ("failed", True)
    assert listing()["kept.csv"]["state"] == "ready"


def test_it_is_looked_for_missing_tables_once_an_hour_and_at_the_start(lost, listing):
    sweep.files_sweep()
    files.local_path(DataTable.objects.get(source__file_name="kept.csv").key).unlink()
    sweep.files_sweep()
    assert listing()["kept.csv"]["state"] == "ready"
    sweep.take_over()
    assert listing()["kept.csv"]["state"] == "failed"


def test_a_table_whose_list_of_texts_is_gone_is_told_by_the_doctor_and_can_be_read_again(upload, listing):
    upload(("lost.csv", SALES))
    files.local_path(DataTable.objects.get().values_key).unlink()
    assert "1 tables and 0 uploads are gone: lost.csv" in missing.finding().seen
    sweep.files_sweep()
    assert (listing()["lost.csv"]["state"], listing()["lost.csv"]["retryable"]) == ("failed", True)


def test_a_storage_that_is_away_stops_no_sweep_and_calls_nothing_gone(upload, listing, monkeypatch):
    upload(("kept.csv", SALES))

    def away(_: str) -> bool:
        raise RuntimeError("the storage does not answer")

    monkeypatch.setattr(files, "is_there", away)
    assert sweep.files_sweep() == 0
    assert listing()["kept.csv"]["state"] == "ready"


def test_questions_are_asked_over_the_others(lost, cast):
    assert [table.file_name for table in catalog_of(cast.acme).tables()] == ["kept.csv"]


def test_a_retry_makes_the_table_anew(lost, upload, listing, cast, django_capture_on_commit_callbacks):
    upload(("later.csv", SALES))
    with django_capture_on_commit_callbacks(execute=True):
        assert client_of(cast.ana).post("/api/v3/files/retry?filename=lost.csv").status_code == 200
        read_waiting()
    assert listing()["lost.csv"]["state"] == "ready"
    assert {table.file_name for table in catalog_of(cast.acme).tables()} == {"lost.csv", "kept.csv", "later.csv"}


def test_rebuilding_goes_on_over_the_others(lost, listing, django_capture_on_commit_callbacks):
    lose_original("kept.csv")
    with django_capture_on_commit_callbacks(execute=True):
        outcome = tables_rebuild(read=ingest)
    assert (outcome.files, outcome.failed) == (2, 1)
    assert listing()["lost.csv"]["state"] == "ready"
    assert "gone from the storage" in listing()["kept.csv"]["error"]


def test_without_the_original_another_reading_is_not_offered(lost, upload, listing):
    lose_original("lost.csv")
    upload(("later.csv", SALES))
    assert (listing()["lost.csv"]["retryable"], listing()["lost.csv"]["error"]) == (False, missing.ALL_GONE)


def test_a_damaged_table_harms_no_upload_either(upload, listing):
    upload(("lost.csv", SALES), ("kept.csv", SALES))
    files.local_path(DataTable.objects.get(source__file_name="lost.csv").key).write_bytes(b"no parquet")
    upload(("later.csv", SALES))
    assert listing()["later.csv"]["state"] == "ready"


def test_the_doctor_compares_the_rows_with_the_storage(lost):
    assert "1 tables and 0 uploads are gone: lost.csv" in missing.finding().seen
    out = StringIO()
    with pytest.raises(CommandError, match="files"):
        call_command("doctor", stdout=out)
    assert "rebuild_tables" in out.getvalue()
    Source.objects.get(file_name="lost.csv").delete()
    assert missing.finding().ok


def test_what_is_gone_answers_410_to_whoever_wants_it(lost, cast):
    lose_original("kept.csv")
    client = client_of(cast.ana)
    gone = client.get("/api/v3/files/export?filename=lost.csv")
    looked = client.get("/api/v3/files?filename=kept.csv")
    taken = client.get("/api/v3/files/download?filename=kept.csv")
    assert {gone.status_code, looked.status_code, taken.status_code} == {410}
    assert {answer.json()["error"]["code"] for answer in (looked, taken)} == {"gone"}


def test_bytes_that_went_between_the_look_and_the_reading_answer_410_too(lost, cast, monkeypatch):
    lose_original("kept.csv")
    monkeypatch.setattr(files, "is_there", lambda _: True)
    client = client_of(cast.ana)
    asked = ("files?filename=kept.csv", "files/rows?filename=lost.csv", "files/export?filename=lost.csv")
    assert {path: client.get(f"/api/v3/{path}").status_code for path in asked} == dict.fromkeys(asked, 410)
