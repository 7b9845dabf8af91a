"""Files that come from a connected service, not from a person: no upload rules; a newer export replaces the older."""

from __future__ import annotations

from functools import partial
from io import BytesIO
from pathlib import Path
from typing import IO, TYPE_CHECKING

from django.core.files.base import ContentFile
from django.db import transaction

from apps.core.errors import Gone
from apps.core.jobs.sending import send_after_commit
from apps.datasources import files, naming, tasks
from apps.datasources.events import source_changed
from apps.datasources.models import Source, StoredFile
from apps.datasources.services.catalogs import catalog_lock

if TYPE_CHECKING:
    from apps.accounts.models import Organization, User

_CHUNK = 1024 * 1024


class ExportRefused(Exception):
    """An export would take over what is not its own; `message` says so to people."""

    def __init__(self, source: Source) -> None:
        self.message = (
            f"{source.file_name} was brought by somebody else under the name that this export needs. "
            "Please delete it and refresh again."
        )
        super().__init__(self.message)


def export_keep(
    *, organization: Organization, owner: User | None, file_name: str, content: bytes | Path, example: bool = False
) -> StoredFile | None:
    """Keeps an export under its name and queues its reading; the tables of an earlier one answer until it is read.

    None where the same bytes are there already. Of several exports that wait to replace the same one only the newest
    is read. Raises ExportRefused where a source of another kind or owner has the name, OSError where the storage cannot
    take the bytes.

    Args:
        content: The bytes, or a file of the data folder's disk that holds them; the storage may take it away.
        example: Whether the product made the file to be tried out.
    """
    name = naming.clean_name(file_name)
    present = Source.objects.of(organization).filter(name_key=naming.name_key(name)).select_related("stored").first()
    size = len(content) if isinstance(content, bytes) else content.stat().st_size
    if present is not None:
        _refuse_another(present, name, owner, example=example)
    if present is not None and _same(present.stored, content, size):
        _drop_waiting(present.stored)
        return None
    key = _store(content)
    try:
        with transaction.atomic():
            catalog_lock(organization)
            named = Source.objects.of(organization).filter(name_key=naming.name_key(name))
            present = named.select_related("stored").first()
            if present is not None:
                _refuse_another(present, name, owner, example=example)
                _drop_waiting(present.stored)
            stored = StoredFile.objects.create(
                organization=organization,
                owner=owner,
                original_name=name,
                name=name,
                name_key=naming.name_key(name),
                key=key,
                size=size,
                replaces=present.stored if present else None,
                example=example,
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
            send_after_commit(tasks.ingest_file, stored.pk)
    except BaseException:
        files.discard([key])
        raise
    return stored


def _refuse_another(present: Source, name: str, owner: User | None, *, example: bool) -> None:
    """Raises ExportRefused for a source that is not this export's earlier version. The product's examples give way to
    whatever has their name, and never come back over it."""
    if present.stored.example:
        return
    another = owner is not None and present.owner_id not in (None, owner.pk)
    if example or another or present.group != naming.group_of(name):
        raise ExportRefused(present)


def _store(content: bytes | Path) -> str:
    if isinstance(content, bytes):
        return files.keep_original(ContentFile(content))
    with files.MovableFile(content) as file:
        return files.keep_original(file)


def _drop_waiting(stored: StoredFile) -> None:
    """An earlier export that has not replaced this file yet never will; its worker finds its lease lost."""
    with transaction.atomic():
        for waiting in StoredFile.objects.filter(replaces=stored):
            transaction.on_commit(partial(files.discard, [waiting.key]))
            waiting.delete()


def _same(stored: StoredFile, content: bytes | Path, size: int) -> bool:
    """Whether a file holds these bytes; one whose original is lost does not, so that it is written anew."""
    if stored.size != size:
        return False
    try:
        with files.open_original(stored.key) as kept, _opened(content) as new:
            while chunk := kept.read(_CHUNK):
                if chunk != new.read(len(chunk)):
                    return False
    except Gone:
        return False
    return True


def _opened(content: bytes | Path) -> IO[bytes]:
    return BytesIO(content) if isinstance(content, bytes) else content.open("rb")
