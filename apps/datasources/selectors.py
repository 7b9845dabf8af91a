"""Reads of sources and their tables. Everything starts from the organization."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

from django.db.models import DateTimeField, Q, QuerySet, Sum, UUIDField

from apps.accounts.policy import Action, allowed
from apps.core.errors import NotFound
from apps.core.prepared import Prepared
from apps.datasources import naming
from apps.datasources.models import RemovedSource, Source, SourceGroup, SourceState, StoredFile

if TYPE_CHECKING:
    from apps.accounts.models import Organization, User


def sources_of(organization: Organization) -> QuerySet[Source]:
    """The organization's sources, newest first."""
    return Source.objects.of(organization).select_related("stored", "owner").order_by("-uploaded_at", "file_name")


def source_named(organization: Organization, file_name: str) -> Source:
    """The source of that name, whatever its case. Raises NotFound for foreign, absent and unthinkable names alike."""
    found = (
        None if "\x00" in file_name else sources_of(organization).filter(name_key=naming.name_key(file_name)).first()
    )
    if found is None:
        raise NotFound(f"There is no file named {naming.visible(file_name)[:200]}.")
    return found


def sources_brought(organization: Organization, names: Collection[str]) -> list[Source]:
    """What files of these names, as they were uploaded or as they are shown, became: a workbook becomes its sheets.
    Foreign, absent and unthinkable names are nothing."""
    keys = [naming.name_key(name) for name in names if "\x00" not in name]
    named = Q(name_key__in=keys) | Q(stored__name_key__in=keys)
    return list(sources_of(organization).filter(named).order_by("file_name"))


def name_is_taken(organization: Organization, file_name: str) -> bool:
    """Whether a source, or a workbook of several, has that name. What could not be read does not hold its name."""
    key = naming.name_key(file_name)
    sources = Source.objects.of(organization).exclude(state=SourceState.FAILED)
    return sources.filter(name_key=key).exists() or sources.filter(stored__name_key=key).exists()


def stored_bytes(organization: Organization) -> int:
    """How many bytes of uploads the organization keeps."""
    return StoredFile.objects.of(organization).aggregate(total=Sum("size"))["total"] or 0


def columns_kept(organization: Organization, *, besides: Sequence[Source] = ()) -> int:
    """How many columns the organization's tables have together, without those of some sources."""
    kept = Source.objects.of(organization).exclude(pk__in=[source.pk for source in besides])
    return kept.aggregate(total=Sum("columns"))["total"] or 0


def source_row(source: Source, *, viewer_id: UUID | None) -> dict[str, Any]:
    """A source as every client is told: by listing, upload answer and push alike."""
    return {
        "file_name": source.file_name,
        "display_name": naming.display_name(source.file_name),
        "group": source.group,
        "workbook": _workbook(source),
        "state": source.state,
        "step": source.step,
        "rows_so_far": source.rows_so_far,
        "rows": source.rows,
        "columns": source.columns,
        "size": source.stored.size,
        "owner": source.owner.get_full_name() if source.owner else "",
        "uploaded_at": source.uploaded_at.isoformat(),
        "refreshed_at": source.refreshed_at.isoformat() if source.refreshed_at else None,
        "replaced_at": source.stored.created_at.isoformat() if source.stored.created_at > source.uploaded_at else None,
        "error": source.error or None,
        "retryable": source.state == SourceState.FAILED and source.retryable,
        "example": source.stored.example,
        "report": source.report,
        "mine": viewer_id is not None and source.owner_id == viewer_id,
    }


def _workbook(source: Source) -> str | None:
    """What people call the workbook of a sheet; None where the file is the source."""
    stored = source.stored
    sheet = stored.name_key != source.name_key and source.file_name.startswith(f"{naming.stem(stored.name)} - ")
    return naming.display_name(stored.name) if sheet else None


def file_listing(user: User) -> dict[str, Any]:
    """`{content, sources}`: the file paths of SPEC section 7, and the same sources with their states."""
    assert user.organization is not None, "only members reach the selectors"
    sources = list(sources_of(user.organization))
    usable = [source for source in sources if source.state != SourceState.FAILED]
    return {
        "content": [f"files/{source.file_name}" for source in usable],
        "sources": [source_row(source, viewer_id=user.pk) for source in sources],
    }


def file_names(organization: Organization) -> list[str]:
    """The names of all sources, for those who only need to know what there is."""
    return list(Source.objects.of(organization).order_by("file_name").values_list("file_name", flat=True))


class SourceChange(NamedTuple):
    """What happened to a source last: refreshed, replaced (by another file) or removed."""

    file_name: str
    at: datetime
    change: str


def changes_since(organization: Organization, names: Collection[str], moment: datetime) -> list[SourceChange]:
    """Which of the sources of these names have other rows than at the moment, or none, by name."""
    since = {"organization": organization.pk, "moment": moment}
    changes = [
        SourceChange(
            name, at, "replaced" if group == SourceGroup.UPLOADED and stored and stored > moment else "refreshed"
        )
        for name, at, group, stored in _CHANGED.rows(**since)
        if at and name in names
    ]
    removed = {name: at for name, at in _REMOVED.rows(**since) if name in names}
    if removed:  # a file of that name may have come since
        there = Source.objects.of(organization).filter(file_name__in=removed).values_list("file_name", flat=True)
        changes += [SourceChange(name, removed[name], "removed") for name in removed.keys() - set(there)]
    return sorted(changes)


_SINCE: dict[str, Any] = {"organization": UUIDField(), "moment": DateTimeField()}
_CHANGED = Prepared(
    lambda organization, moment: (
        Source.objects.of(organization)
        .filter(refreshed_at__gt=moment)
        .values_list("file_name", "refreshed_at", "group", "stored__created_at")
    ),
    **_SINCE,
)
_REMOVED = Prepared(
    lambda organization, moment: (
        RemovedSource.objects.of(organization).filter(removed_at__gt=moment).values_list("file_name", "removed_at")
    ),
    **_SINCE,
)


def may_remove(user: User, source: Source) -> bool:
    """Members remove their own files, admins and staff any of the organization (PRODUCT "Who may do what")."""
    return source.owner_id == user.pk or allowed(user, Action.DELETE_ANY_FILE)
