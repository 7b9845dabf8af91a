"""Files of an organization that is deactivated: none is read, none is given up, and all are read afterwards."""

from __future__ import annotations

from datetime import timedelta

import dramatiq
import pytest
from django.utils import timezone
from dramatiq.common import iter_queue
from dramatiq.message import Message as Letter

from apps.accounts.models import Organization
from apps.accounts.services.organizations import organization_activate, organization_deactivate
from apps.analyst.tables import ingest
from apps.datasources.models import CatalogState, DataTable, IngestionState, StoredFile
from apps.datasources.services.catalogs import joins_refresh
from apps.datasources.services.ingestion import ingest_file
from apps.datasources.services.sweep import files_sweep, orphans_requeue, take_over
from tests.apps.datasources.conftest import SALES


@pytest.fixture
def waiting(upload) -> StoredFile:
    """A file that waits to be read."""
    upload(("sales.csv", SALES), read=False)
    return StoredFile.objects.get()


def long_ago() -> None:
    past = timezone.now() - timedelta(minutes=10)
    StoredFile.objects.update(updated_at=past)
    StoredFile.objects.exclude(lease_until=None).update(lease_until=past)


def sent(queue: str) -> list[str]:
    """What waits for workers there; it is taken out."""
    letters = [Letter.decode(data) for data in iter_queue(dramatiq.get_broker().queues[queue])]
    return [letter.actor_name for letter in letters]


def test_a_file_that_waits_is_read_once_the_organization_is_active_again(cast, waiting, listing):
    organization_deactivate(organization=cast.acme)
    for _ in range(4):
        long_ago()
        assert (files_sweep(), orphans_requeue()) == (0, 0)
        ingest_file(waiting.pk, read=ingest)
    waiting.refresh_from_db()
    assert (waiting.state, waiting.attempt) == (IngestionState.QUEUED, 0)
    organization_activate(organization=cast.acme)
    long_ago()
    assert files_sweep() == 1
    ingest_file(waiting.pk, read=ingest)
    assert listing()["sales.csv"]["state"] == "ready"


def test_a_file_that_is_being_read_is_left_and_read_again(cast, waiting, listing):
    def meanwhile(path, name, folder, progress):
        Organization.objects.filter(pk=cast.acme.pk).update(is_active=False)
        return ingest(path, name, folder, progress)

    ingest_file(waiting.pk, read=meanwhile)
    assert not DataTable.objects.exists()
    long_ago()
    assert files_sweep() == 0
    organization_activate(organization=cast.acme)
    assert files_sweep() == 1
    ingest_file(waiting.pk, read=ingest)
    assert listing()["sales.csv"]["state"] == "ready"
    assert DataTable.objects.count() == 1


def test_joins_are_looked_for_afterwards(cast, upload, django_capture_on_commit_callbacks):
    upload(("sales.csv", SALES))
    CatalogState.objects.update(joins_version=0)
    organization_deactivate(organization=cast.acme)
    dramatiq.get_broker().flush_all()
    joins_refresh(cast.acme.pk)
    take_over()
    assert "datasources.find_connections" not in sent("files")
    state = CatalogState.objects.get()
    assert state.joins_version != state.version
    with django_capture_on_commit_callbacks(execute=True):
        organization_activate(organization=cast.acme)
    assert sent("files") == ["datasources.find_connections"]
    joins_refresh(cast.acme.pk)
    state.refresh_from_db()
    assert state.joins_version == state.version
