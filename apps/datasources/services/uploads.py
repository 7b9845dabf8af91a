"""Taking uploads in: each file by the rules, on its own, so that a bad one does not hurt the others of its upload."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.files.base import File
from django.db import IntegrityError, transaction
from django.utils import timezone

from apps.accounts.audit import AuditAction, record
from apps.core import rates
from apps.core.errors import Invalid, ProductError, Refused, TooLarge
from apps.core.jobs.sending import send_after_commit
from apps.datasources import files, naming, tasks
from apps.datasources.events import source_changed
from apps.datasources.limits import size_words
from apps.datasources.models import Source, SourceState, StoredFile
from apps.datasources.selectors import may_remove, name_is_taken, source_named, stored_bytes
from apps.datasources.services.catalogs import catalog_lock
from apps.datasources.services.removal import source_drop

if TYPE_CHECKING:
    from apps.accounts.models import Organization, User

logger = logging.getLogger("apps.datasources.uploads")


@dataclass(frozen=True, slots=True)
class Incoming:
    """One file of an upload: its name as sent, true size in bytes, content; `broken` where it could not be received."""

    name: str
    size: int
    content: File[Any]
    broken: bool = False


@dataclass(frozen=True, slots=True)
class UploadError:
    """Why a file was not kept."""

    file: str
    message: str
    code: str
    status: int


@dataclass(slots=True)
class UploadOutcome:
    """What became of an upload."""

    sources: list[Source] = field(default_factory=list)
    errors: list[UploadError] = field(default_factory=list)


def files_upload(*, by: User, incoming: Sequence[Incoming]) -> UploadOutcome:
    """Keeps what may be kept and queues its reading; the rest is told file by file."""
    outcome = UploadOutcome()
    for position, file in enumerate(incoming):
        try:
            if position >= settings.UPLOAD_MAX_FILES:
                raise TooLarge(
                    f"{naming.visible(file.name)} was left out: "
                    f"at most {settings.UPLOAD_MAX_FILES} files can be uploaded at once.",
                    code="too_many_files",
                )
            outcome.sources.append(_upload(by, file))
        except ProductError as error:
            outcome.errors.append(UploadError(naming.visible(file.name), error.message, error.code, error.status))
    return outcome


def source_replace(*, by: User, file_name: str, incoming: Incoming) -> list[Source]:
    """A newer version of a source (of a whole workbook, where the source is a sheet): read first, then it takes over.

    Names, contexts and table names stay. Raises NotFound, Refused, Invalid, TooLarge,
    TooOften.
    """
    organization = _organization(by)
    source = source_named(organization, file_name)
    if not may_remove(by, source):
        raise Refused(f"Only its owner or an admin can replace {source.file_name}.", code="owners_only")
    if naming.extension(incoming.name) not in naming.UPLOAD_EXTENSIONS:
        raise Invalid(
            f"We apologize. {settings.PRODUCT_NAME} does not support this file type yet.", code="unsupported_type"
        )
    _count(by)
    _check_size(incoming)
    earlier = source.stored
    key = _store(incoming)
    try:
        with transaction.atomic():
            catalog_lock(organization)
            _check_quota(organization, incoming, besides=earlier.size)
            if not StoredFile.objects.filter(pk=earlier.pk).exists():
                raise Invalid(f"{source.file_name} was changed meanwhile. Please try again.", code="changed")
            for pending in StoredFile.objects.filter(replaces=earlier):
                transaction.on_commit(partial(files.discard, [pending.key]))
                pending.delete()
            stored = StoredFile.objects.create(
                organization=organization,
                owner=by,
                original_name=incoming.name.strip()[-255:],
                name=earlier.name,
                name_key=earlier.name_key,
                key=key,
                size=incoming.size,
                replaces=earlier,
            )
            sources = list(Source.objects.filter(stored=earlier).select_related("stored", "owner"))
            for shown in sources:
                shown.state, shown.step, shown.rows_so_far, shown.error = SourceState.RECEIVED, "", 0, ""
                shown.save(update_fields=["state", "step", "rows_so_far", "error"])
                source_changed(shown)
            record(
                AuditAction.SOURCE_ADDED,
                organization=organization,
                actor=by,
                target=source.file_name,
                bytes=incoming.size,
                replaced=True,
            )
            send_after_commit(tasks.ingest_file, stored.pk)
    except BaseException:
        files.discard([key])
        raise
    return sources


def _upload(by: User, file: Incoming) -> Source:
    organization = _organization(by)
    _count(by)
    name = _checked_name(organization, file)
    _check_size(file)
    _check_quota(organization, file)
    key = _store(file)
    try:
        with transaction.atomic():
            catalog_lock(organization)
            name = _checked_name(organization, file)
            _check_quota(organization, file)
            source = _receive(by, organization, file, name, key)
    except IntegrityError as error:
        files.discard([key])
        refused = naming.already_exists(naming.visible(file.name))
        raise Invalid(refused.message, code=refused.code) from error
    except BaseException:
        files.discard([key])
        raise
    return source


def _receive(by: User, organization: Organization, file: Incoming, name: str, key: str) -> Source:
    """The rows of a kept file, and its reading on commit. What of that name could not be read makes room."""
    for unread in Source.objects.of(organization).filter(name_key=naming.name_key(name), state=SourceState.FAILED):
        source_drop(unread)
    stored = StoredFile.objects.create(
        organization=organization,
        owner=by,
        original_name=file.name.strip()[-255:],
        name=name,
        name_key=naming.name_key(name),
        key=key,
        size=file.size,
    )
    source = Source.objects.create(
        organization=organization,
        stored=stored,
        owner=by,
        file_name=name,
        name_key=naming.name_key(name),
        group=naming.group_of(name),
        uploaded_at=timezone.now(),
    )
    source_changed(source)
    record(AuditAction.SOURCE_ADDED, organization=organization, actor=by, target=name, bytes=file.size)
    send_after_commit(tasks.ingest_file, stored.pk)
    return source


def _count(by: User) -> None:
    """Raises TooOften past the member's own rate."""
    rate = settings.UPLOADS_PER_HOUR
    rates.count("uploads", by.pk, most=rate, seconds=3600, words=f"{rate:,} files an hour")


def _organization(user: User) -> Organization:
    assert user.organization is not None, "only members reach the services"
    return user.organization


def _checked_name(organization: Organization, file: Incoming) -> str:
    try:
        return naming.check_upload_name(
            file.name, product=settings.PRODUCT_NAME, exists=lambda name: name_is_taken(organization, name)
        )
    except naming.NameRefused as refused:
        raise Invalid(refused.message, code=refused.code) from refused


def _check_size(file: Incoming) -> None:
    shown = naming.visible(file.name)
    if file.broken:
        raise _no_room(shown)
    if file.size > settings.UPLOAD_MAX_FILE_BYTES:
        limit = size_words(settings.UPLOAD_MAX_FILE_BYTES)
        raise TooLarge(f"{shown} is too large: a file can have at most {limit}.", code="file_too_large")
    if file.size == 0:
        raise Invalid(f"{shown} is empty.", code="empty_file")


def _check_quota(organization: Organization, file: Incoming, *, besides: int = 0) -> None:
    if stored_bytes(organization) - besides + file.size > settings.ORGANIZATION_MAX_BYTES:
        limit = size_words(settings.ORGANIZATION_MAX_BYTES)
        raise TooLarge(
            f"There is no room for {naming.visible(file.name)}: your organization can keep at most {limit}. "
            "Please delete files you no longer need.",
            code="organization_full",
        )


def _store(file: Incoming) -> str:
    try:
        return files.keep_original(file.content)
    except OSError as error:
        logger.exception("an upload could not be stored")
        raise _no_room(naming.visible(file.name)) from error


def _no_room(shown: str) -> ProductError:
    return ProductError(
        f"{shown} could not be stored: the server has no room for it. Please tell an admin.",
        code="storage_failed",
        status=507,
    )
