"""Files that were brought and are not read yet: what a question asked in these seconds would be answered without."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from django.db.models import F, Q
from django.utils import timezone

from apps.datasources import limits, naming
from apps.datasources.models import CatalogState, IngestionState, Source, StoredFile

if TYPE_CHECKING:
    from apps.accounts.models import Organization


@dataclass(frozen=True, slots=True)
class UnreadFile:
    """A file on its way to its tables."""

    shown: str
    """What its people call it."""
    newer: bool
    """Whether an earlier version answers meanwhile."""
    recent: bool
    owner_id: UUID | None
    stored_id: UUID
    sources: dict[UUID, str]
    """The sources that show how its reading goes, with their names."""


def files_unread(organization: Organization) -> list[UnreadFile]:
    """Files that are not read yet, oldest first.

    What is only read again (a rebuild, a refresh of a connected service) is not among them: it answers as before.
    """
    unread = StoredFile.objects.of(organization).filter(
        state__in=[IngestionState.QUEUED, IngestionState.RUNNING], ingested_at=None, example=False
    )
    waiting = [
        stored
        for stored in unread.order_by("created_at")
        if stored.replaces_id is None or naming.group_of(stored.name) == "uploaded"
    ]
    since = timezone.now() - limits.UPLOAD_IS_RECENT
    sources = _sources_of(organization, waiting) if waiting else []
    return [
        UnreadFile(
            shown=stored.name if stored.replaces_id else naming.visible(stored.original_name),
            newer=stored.replaces_id is not None,
            recent=stored.created_at > since,
            owner_id=stored.owner_id,
            stored_id=stored.pk,
            sources={pk: name for pk, name, of in sources if of in (stored.pk, stored.replaces_id)},
        )
        for stored in waiting
    ]


def exports_unread(organization: Organization, group: naming.Group) -> int:
    """How many files of a connected service wait for their reader or are being read."""
    working = [IngestionState.QUEUED, IngestionState.RUNNING]
    names = StoredFile.objects.of(organization).filter(state__in=working).values_list("name", flat=True)
    return sum(naming.group_of(name) == group for name in names)


def file_names_of(organization: Organization, stored_ids: Collection[UUID]) -> list[str]:
    """The names of the sources that these uploads have become."""
    sources = Source.objects.of(organization).filter(stored__in=stored_ids)
    return list(sources.order_by("file_name").values_list("file_name", flat=True))


def failed_of(organization: Organization, source_ids: Collection[UUID]) -> set[UUID]:
    """Those of the sources whose latest reading failed."""
    failed = Source.objects.of(organization).filter(pk__in=source_ids).exclude(error="")
    return set(failed.values_list("pk", flat=True))


def tables_on_their_way(organization: Organization) -> bool:
    """Whether anything was brought that is not read yet, or was read only a moment ago: one query."""
    unread = Q(ingested_at=None, state__in=[IngestionState.QUEUED, IngestionState.RUNNING])
    lately = Q(ingested_at__gt=timezone.now() - limits.JOINS_TAKE)
    return StoredFile.objects.of(organization).filter(unread | lately, example=False).exists()


def joins_on_their_way(organization: Organization) -> bool:
    """Whether the connections between the tables that came last are still looked for."""
    return CatalogState.objects.of(organization).exclude(joins_version=F("version")).exists()


def _sources_of(organization: Organization, waiting: Sequence[StoredFile]) -> list[tuple[UUID, str, UUID]]:
    ids = [stored.pk for stored in waiting]
    sources = Source.objects.of(organization).filter(Q(stored__in=ids) | Q(stored__replaced_by__in=ids)).distinct()
    return list(sources.order_by("file_name").values_list("pk", "file_name", "stored_id"))
