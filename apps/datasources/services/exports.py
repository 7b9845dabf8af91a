"""Files that come from a connected service, not from a person: no upload rules; a newer export replaces the older."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from django.core.files.base import ContentFile
from django.db import transaction

from apps.datasources import files, naming, tasks
from apps.datasources.events import source_changed
from apps.datasources.models import Source, StoredFile
from apps.datasources.services.catalogs import catalog_lock

if TYPE_CHECKING:
    from apps.accounts.models import Organization, User


def export_keep(*, organization: Organization, owner: User | None, file_name: str, content: bytes) -> StoredFile | None:
    """Keeps an export under its name and queues its reading; the tables of an earlier one answer until it is read.

    None where the same bytes are there already. Raises OSError where the storage cannot take them.
    """
    name = naming.clean_name(file_name)
    present = Source.objects.of(organization).filter(name_key=naming.name_key(name)).select_related("stored").first()
    if present is not None and _same(present.stored, content):
        return None
    key = files.keep_original(ContentFile(content))
    try:
        with transaction.atomic():
            catalog_lock(organization)
            present = Source.objects.of(organization).filter(name_key=naming.name_key(name)).first()
            stored = StoredFile.objects.create(
                organization=organization,
                owner=owner,
                original_name=name,
                name=name,
                name_key=naming.name_key(name),
                key=key,
                size=len(content),
                replaces=present.stored if present else None,
            )
            if present is None:
                present = Source.objects.create(
                    organization=organization,
                    stored=stored,
                    owner=owner,
                    file_name=name,
                    name_key=naming.name_key(name),
                    group=naming.group_of(name),
                )
            source_changed(present)
            transaction.on_commit(partial(tasks.ingest_file.send, str(stored.pk)))
    except BaseException:
        files.discard([key])
        raise
    return stored


def _same(stored: StoredFile, content: bytes) -> bool:
    if stored.size != len(content):
        return False
    with files.open_original(stored.key) as file:
        return file.read() == content
