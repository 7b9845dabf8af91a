"""Reading an upload again that could not be read: the disk has room by now, or the readers have become better."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from apps.core.errors import Invalid, Refused
from apps.core.jobs.sending import send_after_commit
from apps.datasources import tasks
from apps.datasources.events import source_changed
from apps.datasources.models import IngestionState, Source, SourceState, StoredFile
from apps.datasources.selectors import may_remove, source_named

if TYPE_CHECKING:
    from apps.accounts.models import User


def source_retry(*, by: User, file_name: str) -> Source:
    """Queues the reading of a failed source. Raises NotFound, Refused, Invalid."""
    assert by.organization is not None, "only members reach the services"
    with transaction.atomic():
        source = source_named(by.organization, file_name)
        if not may_remove(by, source):
            raise Refused(f"Only its owner or an admin can have {source.file_name} read again.", code="owners_only")
        failed = StoredFile.objects.filter(pk=source.stored_id, state=IngestionState.FAILED)
        if source.state != SourceState.FAILED or not failed.update(state=IngestionState.QUEUED, attempt=0):
            raise Invalid(f"{source.file_name} is not waiting to be read again.", code="not_failed")
        source.state, source.step, source.rows_so_far, source.error = SourceState.RECEIVED, "", 0, ""
        source.save(update_fields=["state", "step", "rows_so_far", "error"])
        source_changed(source)
        send_after_commit(tasks.ingest_file, source.stored_id)
    return source
