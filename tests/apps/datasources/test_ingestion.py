"""Reading under a lease: exactly once, whatever dies; progress people see; failures in words."""

from __future__ import annotations

import errno
from datetime import timedelta

import pytest
from django.utils import timezone
from dramatiq.errors import Retry

from apps.analyst.errors import ReadFailed
from apps.analyst.tables import IngestProgress, ingest
from apps.datasources import limits
from apps.datasources.catalog import catalog_of
from apps.datasources.models import CatalogState, DataTable, IngestionState, Source, StoredFile
from apps.datasources.services import ingestion
from apps.datasources.services.ingestion import ingest_file
from apps.datasources.services.leases import lease_claim
from apps.datasources.services.sweep import files_sweep, orphans_requeue, stray_bytes_discard, take_over
from apps.datasources.tasks import ingest_file as actor
from tests.apps.datasources.conftest import SALES, workbook


class Killed(BaseException):
    """Stands for kill -9: nothing of the worker runs any more."""


def killed_at(step):
    """A reader whose worker dies at that step; `after` dies when everything is read."""

    def read(path, name, folder, progress):
        def tell(said):
            progress(said)
            if said.step == step:
                raise Killed

        tables = ingest(path, name, folder, tell)
        if step == "after":
            raise Killed
        return tables

    return read


@pytest.fixture
def waiting(upload):
    """A file that waits to be read."""
    upload(("sales.csv", SALES), read=False)
    return StoredFile.objects.get()


def let_lease_end():
    StoredFile.objects.update(lease_until=timezone.now() - timedelta(seconds=1))


@pytest.mark.parametrize("step", ["reading", "typing", "profiling", "after"])
def test_a_file_whose_worker_was_killed_is_read_by_the_next_exactly_once(waiting, listing, step):
    with pytest.raises(Killed):
        ingest_file(waiting.pk, read=killed_at(step))
    assert StoredFile.objects.get().state == IngestionState.RUNNING
    assert orphans_requeue() == 1
    ingest_file(waiting.pk, read=ingest)
    ingest_file(waiting.pk, read=killed_at("reading"))  # a message that comes twice finds nothing to do
    assert listing()["sales.csv"]["state"] == "ready"
    assert (Source.objects.count(), DataTable.objects.count()) == (1, 1)


def test_a_worker_killed_after_publishing_is_finished_by_the_next(waiting, listing, monkeypatch):
    def dies(*_):
        raise Killed

    monkeypatch.setattr(ingestion, "ingestion_finish", dies)
    with pytest.raises(Killed):
        ingest_file(waiting.pk, read=ingest)
    monkeypatch.undo()
    assert DataTable.objects.count() == 1
    let_lease_end()
    assert files_sweep() == 1
    ingest_file(waiting.pk, read=ingest)
    assert listing()["sales.csv"]["state"] == "ready"
    assert DataTable.objects.count() == 1


def test_a_living_lease_is_not_taken_over(waiting):
    first = lease_claim(waiting.pk)
    assert first is not None
    assert lease_claim(waiting.pk) is None
    assert files_sweep() == 0


def test_a_worker_that_lost_its_lease_changes_nothing(waiting, listing):
    def slow(path, name, folder, progress):
        tables = ingest(path, name, folder)
        let_lease_end()
        assert files_sweep() == 1
        ingest_file(waiting.pk, read=ingest)
        return tables

    ingest_file(waiting.pk, read=slow)
    assert listing()["sales.csv"]["state"] == "ready"
    assert DataTable.objects.count() == 1


def test_after_three_lost_workers_a_file_is_given_up_in_words(waiting, listing):
    for _ in range(limits.MAX_ATTEMPTS):
        with pytest.raises(Killed):
            ingest_file(waiting.pk, read=killed_at("reading"))
        let_lease_end()
        files_sweep()
    source = listing()["sales.csv"]
    assert (source["state"], source["error"]) == ("failed", ingestion.NOT_READABLE)
    assert orphans_requeue() == 0


def test_an_unforeseen_failure_is_tried_again_and_then_said(waiting, listing):
    def broken(*_):
        raise ZeroDivisionError

    for attempt in range(limits.MAX_ATTEMPTS):
        assert listing()["sales.csv"]["state"] != "failed", attempt
        with pytest.raises(ZeroDivisionError):
            ingest_file(waiting.pk, read=broken)
    assert listing()["sales.csv"]["error"] == ingestion.NOT_READABLE


def test_a_disk_that_stays_full_is_said_as_such_and_leaves_no_table(waiting, listing):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    for _ in limits.ROOM_DELAYS:
        with pytest.raises(Retry):
            ingest_file(waiting.pk, read=full)
        told = listing()["sales.csv"]
        assert (told["state"], told["step"]) == ("received", ingestion.WAITING_FOR_ROOM)
    ingest_file(waiting.pk, read=full)
    assert listing()["sales.csv"]["error"] == ingestion.NO_ROOM
    assert not DataTable.objects.exists()


def test_a_file_that_found_no_room_is_read_once_there_is_some(waiting, listing):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(Retry):
        ingest_file(waiting.pk, read=full)
    ingest_file(waiting.pk, read=ingest)
    assert listing()["sales.csv"]["state"] == "ready"


def test_what_a_reading_wrote_on_its_way_is_gone_before_anything_is_told(waiting, settings, tmp_path, monkeypatch):
    settings.DATA_DIR = tmp_path
    left = []
    monkeypatch.setattr(ingestion, "ingestion_finish", lambda _: left.extend((tmp_path / "tmp").iterdir()))
    ingest_file(waiting.pk, read=ingest)
    assert left == []
    assert DataTable.objects.exists()


def test_a_refusal_of_the_reader_is_told_as_it_is(waiting, listing):
    def refuses(*_):
        raise ReadFailed("sales.csv is encrypted. Please save it without a password.")

    ingest_file(waiting.pk, read=refuses)
    assert listing()["sales.csv"]["error"] == "sales.csv is encrypted. Please save it without a password."


def test_progress_is_shown_while_a_file_is_read(waiting, listing):
    seen = []

    def watched(path, name, folder, progress):
        progress(IngestProgress("reading", 0))
        seen.append(listing()["sales.csv"])
        progress(IngestProgress("typing", 12_000))
        seen.append(listing()["sales.csv"])
        progress(IngestProgress("ready", 12_000))
        seen.append(listing()["sales.csv"])
        return ingest(path, name, folder, progress)

    ingest_file(waiting.pk, read=watched)
    assert [(row["state"], row["step"], row["rows_so_far"]) for row in seen] == [
        ("reading", "Reading the file", 0),
        ("reading", "Finding types", 12_000),
        ("reading", "Almost done", 0),
    ]


def test_a_file_deleted_while_it_is_read_leaves_nothing(waiting, cast, django_capture_on_commit_callbacks):
    from apps.datasources.services.removal import source_remove

    def deleted(path, name, folder, progress):
        tables = ingest(path, name, folder)
        source_remove(by=cast.ana, file_name="sales.csv")
        return tables

    with django_capture_on_commit_callbacks(execute=True):
        ingest_file(waiting.pk, read=deleted)
    assert not Source.objects.exists()
    assert not DataTable.objects.exists()


def test_a_lost_message_is_sent_again(waiting):
    assert files_sweep() == 0
    StoredFile.objects.update(updated_at=timezone.now() - limits.RESEND_AFTER * 2)
    assert files_sweep() == 1


def test_while_all_slots_are_taken_the_file_waits_without_losing_a_try(waiting):
    taken = 0
    while ingestion._slots.acquire(blocking=False):
        taken += 1
    try:
        with pytest.raises(Retry):
            ingest_file(waiting.pk, read=ingest)
    finally:
        for _ in range(taken):
            ingestion._slots.release()
    assert StoredFile.objects.get().attempt == 0
    assert actor.options["retry_when"](100, Retry())
    assert not actor.options["retry_when"](100, ZeroDivisionError())


def test_the_real_child_process_reads_a_workbook(upload, listing):
    rows = [["Region", "Amount"], ["West", 1], ["East", 2]]
    upload(("Budget.xlsx", workbook(Plan=rows, Actual=rows)), read=False)
    ingest_file(StoredFile.objects.get().pk)
    assert {name: row["state"] for name, row in listing().items()} == {
        "Budget - Plan.csv": "ready",
        "Budget - Actual.csv": "ready",
    }


def test_of_several_files_the_last_finds_the_joins_for_all(upload, cast):
    customers = b"Customer ID,City\nC1,Berlin\nC2,Paris\nC3,Rome\n"
    orders = b"Order ID,Customer ID,Total\nO1,C1,5\nO2,C2,6\nO3,C1,7\nO4,C3,9\n"
    upload(("customers.csv", customers), ("orders.csv", orders), ("sales.csv", SALES))
    state = CatalogState.objects.get()
    assert state.joins_version == state.version == 3
    (join,) = catalog_of(cast.acme).joins()
    assert (join.left_table, join.right_table) == ("orders", "customers")


def test_the_only_process_clears_what_killed_ones_left(waiting, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    (tmp_path / "tmp" / "ingest-left").mkdir(parents=True)
    (tmp_path / "tmp" / "ingest-left" / "0.parquet").write_bytes(b"half")
    for name in ("abc.upload", "abc.export.found"):
        (tmp_path / "tmp" / name).write_bytes(b"half")
    take_over()
    assert list((tmp_path / "tmp").iterdir()) == []


def test_bytes_that_belong_to_nothing_are_removed_once_they_are_old(waiting, monkeypatch):
    from django.core.files.base import ContentFile

    from apps.datasources import files

    stray = files.keep_original(ContentFile(b"left behind"))
    assert stray_bytes_discard() == 0
    monkeypatch.setattr(limits, "STRAY_AGE", timedelta(0))
    stray_bytes_discard()
    assert not files.is_there(stray)
    assert files.local_path(waiting.key).exists()
