"""Storages elsewhere: tables are fetched once to this machine, and go with their source."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import InMemoryStorage, Storage, default_storage

from apps.datasources import files
from apps.datasources.catalog import catalog_of
from apps.datasources.models import DataTable, StoredFile
from apps.datasources.services import sweep
from apps.datasources.services.removal import source_remove
from tests.apps.datasources.conftest import SALES
from tests.cast import client_of


class FarStorage(Storage):
    """A storage whose files have no place on this machine, as S3's have none."""

    def __init__(self) -> None:
        self._inner = InMemoryStorage()
        for name in ("_open", "_save", "delete", "exists", "listdir", "size", "get_modified_time"):
            setattr(self, name, getattr(self._inner, name))


@pytest.fixture
def elsewhere(settings, tmp_path):
    settings.DATA_DIR = tmp_path
    settings.STORAGES = {
        **settings.STORAGES,
        "default": {"BACKEND": "tests.apps.datasources.test_storage.FarStorage"},
    }
    return tmp_path / "cache"


def test_tables_in_a_remote_storage_are_read_from_a_local_copy(
    elsewhere: Path, upload, cast, listing, django_capture_on_commit_callbacks
):
    upload(("sales.csv", SALES))
    assert listing()["sales.csv"]["state"] == "ready"
    table = catalog_of(cast.acme).tables()[0]
    assert table.path.is_relative_to(elsewhere)
    assert table.path.exists()
    written = table.path.stat().st_mtime_ns
    catalog_of(cast.acme)
    assert table.path.stat().st_mtime_ns == written
    assert client_of(cast.ana).get("/api/v3/files?filename=sales.csv").json()["content"] == SALES.decode()
    answer = client_of(cast.ana).get("/api/v3/files/download?filename=sales.csv")
    assert b"".join(answer.streaming_content) == SALES
    with django_capture_on_commit_callbacks(execute=True):
        source_remove(by=cast.ana, file_name="sales.csv")
    assert not [path for path in elsewhere.rglob("*") if path.is_file()]


def test_keys_tell_nothing_of_names_or_owners(upload):
    upload(("Secret merger: plan.csv", SALES))
    keys = [StoredFile.objects.get().key, *DataTable.objects.values_list("key", flat=True)]
    assert all("merger" not in key.lower() for key in keys)
    assert keys[0].startswith("originals/")
    assert len(keys[0]) == len("originals/") + 32


def test_a_damaged_copy_of_a_table_is_fetched_anew(elsewhere: Path, upload, cast, listing):
    upload(("sales.csv", SALES))
    copy = files.local_path(DataTable.objects.get().key)
    copy.write_bytes(b"PAR1")
    assert client_of(cast.ana).get("/api/v3/files/rows?filename=sales.csv").json()["total"] == 3
    copy.write_bytes(b"PAR1")
    sweep.missing_look()
    assert listing()["sales.csv"]["state"] == "ready"
    assert copy.stat().st_size > 4


def test_a_table_that_is_damaged_in_the_storage_as_well_is_told(elsewhere: Path, upload, cast, listing):
    upload(("sales.csv", SALES))
    key = DataTable.objects.get().key
    files.local_path(key).write_bytes(b"PAR1")
    default_storage.delete(key)
    default_storage.save(key, ContentFile(b"PAR1"))
    sweep.missing_look()
    assert (listing()["sales.csv"]["state"], listing()["sales.csv"]["retryable"]) == ("failed", True)
    assert client_of(cast.ana).get("/api/v3/files/rows?filename=sales.csv").json()["error"]["code"] == "damaged"
