"""Taking sources away: rows, tables, stored bytes, what members wrote about them. Bytes go once it is committed."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from apps.accounts.audit import AuditAction, record
from apps.core.errors import Refused
from apps.datasources import files
from apps.datasources.events import source_removed
from apps.datasources.models import RemovedSource, Source, StoredFile
from apps.datasources.selectors import may_remove, source_named
from apps.datasources.services.catalogs import catalog_changed, catalog_lock
from apps.datasources.services.joining import joins_forget
from apps.datasources.services.teaching import teachings_forget
from apps.preferences.services.contexts import file_context_forget
from apps.preferences.services.privacy import private_columns_forget

if TYPE_CHECKING:
    from apps.accounts.models import Organization, User


def source_remove(*, by: User, file_name: str) -> Source:
    """Removes the source of that name with everything made from it. Raises NotFound, Refused."""
    assert by.organization is not None, "only members reach the services"
    with transaction.atomic():
        catalog_lock(by.organization)
        source = source_named(by.organization, file_name)
        if not may_remove(by, source):
            raise Refused(f"Only its owner or an admin can delete {source.file_name}.", code="owners_only")
        source_drop(source)
        record(AuditAction.SOURCE_DELETED, organization=by.organization, actor=by, target=source.file_name)
        catalog_changed(by.organization)
    return source


def source_discard(*, source: Source, by: User | None = None) -> None:
    """Removes a source for someone whose right was checked elsewhere (the admin)."""
    with transaction.atomic():
        catalog_lock(source.organization)
        source_drop(source)
        record(AuditAction.SOURCE_DELETED, organization=source.organization, actor=by, target=source.file_name)
        catalog_changed(source.organization)


def examples_discard(*, organization: Organization, by: User | None = None) -> int:
    """Removes what the product made to be tried out, for whoever brings data of the same kind. Returns how many."""
    examples = list(
        Source.objects.of(organization).filter(stored__example=True).select_related("stored", "organization")
    )
    for source in examples:
        source_discard(source=source, by=by)
    return len(examples)


def member_sources_drop(user: User) -> None:
    """Removes what this member brought into any organization, inside the caller's transaction."""
    for organization in {source.organization for source in Source.objects.filter(owner=user).select_related()}:
        catalog_lock(organization)
        for source in Source.objects.of(organization).filter(owner=user).select_related("stored", "organization"):
            source_drop(source, told=False)
        catalog_changed(organization)


def source_drop(source: Source, *, told: bool = True) -> None:
    """Removes a source inside the caller's transaction; its upload goes with the last of its sources.

    Conversations that it answered in are told, except where not even its name may stay.
    """
    tables = list(source.tables.all())
    keys = [key for table in tables for key in (table.key, table.values_key)]
    stored = source.stored
    source_id = source.pk
    source_removed(organization_id=source.organization_id, file_name=source.file_name)
    private_columns_forget(organization=source.organization, table_keys=[table.name_key for table in tables])
    file_context_forget(organization=source.organization, file_name=source.file_name)
    gone = [table.name_key for table in tables]
    teachings_forget(organization=source.organization, name_keys=gone)
    joins_forget(organization=source.organization, name_keys=gone)
    Source.objects.filter(pk=source_id).delete()
    if tables and told:  # what was never read answered nothing
        RemovedSource.objects.update_or_create(
            organization=source.organization,
            file_name=source.file_name,
            defaults={"owner_id": source.owner_id, "removed_at": timezone.now()},
        )
    if not stored.sources.exists():
        uploads = [stored, *StoredFile.objects.filter(replaces=stored)]
        keys += [upload.key for upload in uploads]
        for upload in uploads:
            upload.delete()
    transaction.on_commit(partial(files.discard, keys))
