"""Saying how tables are joined: an admin confirms, refuses or draws a way between two tables, or takes that back."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import F, Max, Q, QuerySet
from django.utils import timezone

from apps.accounts.audit import AuditAction, record
from apps.accounts.policy import Action, demand
from apps.analyst.errors import JoinRefused
from apps.core.errors import Conflict, Invalid, NotFound
from apps.datasources.catalog import catalog_of
from apps.datasources.limits import MAX_SAID_JOINS
from apps.datasources.models import CatalogState, JoinTeaching, JoinVerdict, Source
from apps.datasources.naming import name_key, visible
from apps.datasources.selectors import source_named
from apps.datasources.services.catalogs import catalog_lock
from apps.datasources.services.measuring import join_measured
from apps.datasources.ways import End, JoinJson, Way, joins_said, way_of

if TYPE_CHECKING:
    from apps.accounts.models import Organization, User


def join_say(*, by: User, file_name: str, way: Way, verdict: str) -> Source:
    """What is said of a way (one of VERDICTS) holds from now on, also for newer versions of the files.

    `way.one` is a table of the source. Raises NotFound, Refused, Invalid where the columns can not be joined, Conflict.
    """
    assert by.organization is not None, "only members reach the services"
    source = source_named(by.organization, file_name)
    demand(by, Action.EDIT_DICTIONARY)
    way = _present(by.organization, source, way)
    version = _version(by.organization)
    found, held = _found(by.organization, way), joins_said(by.organization).filter(pair=way.pair).first()
    known = found or (held.path if held else None)
    if known is None and verdict != JoinVerdict.DRAWN:
        raise NotFound("There is no such connection. It can be drawn by hand.")
    if found is not None and verdict == JoinVerdict.DRAWN:
        verdict = JoinVerdict.CONFIRMED
    path = known or _measured(by.organization, way)  # outside of the transaction: it reads the files
    with transaction.atomic():
        catalog_lock(by.organization)
        if _version(by.organization) != version:
            raise Conflict("The files have just changed. Please try again.", code="changed")
        if _write(by, way, verdict, path):
            _changed(by, source, way)
    return source


@transaction.atomic
def join_undo(*, by: User, file_name: str, way: Way) -> Source:
    """Takes the last change of a way back; the one before it holds again. Raises NotFound, Refused, Conflict."""
    assert by.organization is not None, "only members reach the services"
    catalog_lock(by.organization)
    source = source_named(by.organization, file_name)
    demand(by, Action.EDIT_DICTIONARY)
    changes = _changes(by.organization, way)
    last = changes.filter(current=True).first()
    if last is None or not source.tables.filter(name_key=name_key(way.one.table)).exists():
        raise Conflict("There is no change to take back.", code="nothing_to_undo")
    changes.filter(pk=last.pk).update(current=False, undone_at=timezone.now(), undone_by=by)
    earlier = changes.filter(undone_at=None).order_by("-number").first()
    if earlier is not None:
        changes.filter(pk=earlier.pk).update(current=True)
    _changed(by, source, way)
    return source


def joins_forget(*, organization: Organization, name_keys: Collection[str]) -> None:
    """Removes what was said of ways to tables that are gone, inside the caller's transaction."""
    gone = list(name_keys)
    rows = JoinTeaching.objects.of(organization)
    rows.filter(Q(one_key__in=gone) | Q(other_key__in=gone)).delete()


def _measured(organization: Organization, way: Way) -> JoinJson:
    """The join of columns in pairs. Raises Invalid, in words, where they can not be joined."""
    for end in way.ends():
        if len(set(end.columns)) < len(end.columns):
            raise Invalid("A connection names each column once.", code="column_twice")
    try:
        return join_measured(way, {name_key(table.name): table for table in catalog_of(organization).tables()})
    except JoinRefused as error:
        raise Invalid(error.message, code="no_match") from error


def _present(organization: Organization, source: Source, way: Way) -> Way:
    """The way with its tables' names as they are spelt. Raises NotFound for what is not there, Invalid."""
    tables = {name_key(table.name): table for table in catalog_of(organization).tables()}
    ends = []
    for end in (way.one, way.other):
        table = tables.get(name_key(end.table))
        if table is None or (end is way.one and table.file_name != source.file_name):
            raise NotFound(f"There is no table named {visible(end.table)[:200]}.")
        for column in end.columns:
            if table.column(column) is None:
                raise NotFound(f"{table.name} has no column named {visible(column)[:200]}.")
        ends.append(End(table.name, end.columns))
    if ends[0].table == ends[1].table:
        raise Invalid("Choose a column of another file: a table is not connected to itself.", code="same_table")
    return Way(*ends)


def _found(organization: Organization, way: Way) -> JoinJson | None:
    """The join of that way as it was found out, if it was."""
    state = CatalogState.objects.of(organization).first()
    return next((join for join in (state.joins if state else []) if way_of(join).pair == way.pair), None)


def _version(organization: Organization) -> tuple[int, int] | None:
    return CatalogState.objects.of(organization).values_list("version", "joins_version").first()


def _changes(organization: Organization, way: Way) -> QuerySet[JoinTeaching]:
    return JoinTeaching.objects.of(organization).filter(pair=way.pair)


def _write(by: User, way: Way, verdict: str, path: JoinJson) -> bool:
    """False where nothing changes. Raises Conflict where an organization says more than it may."""
    organization: Any = by.organization
    changes = _changes(organization, way)
    held = changes.filter(current=True).first()
    before = held.after if held else ""
    if before == verdict:
        return False
    if held is None and joins_said(organization).count() >= MAX_SAID_JOINS:
        raise Conflict(f"No more than {MAX_SAID_JOINS} connections can be changed.", code="too_many")
    changes.filter(current=True).update(current=False)
    JoinTeaching.objects.create(
        organization=organization,
        pair=way.pair,
        one_key=name_key(way.one.table),
        other_key=name_key(way.other.table),
        ends=way.as_json(),
        number=(changes.aggregate(last=Max("number"))["last"] or 0) + 1,
        before=before,
        after=verdict,
        path=path,
        by=by,
    )
    return True


def _changed(by: User, source: Source, way: Way) -> None:
    CatalogState.objects.of(source.organization).update(taught_version=F("taught_version") + 1)
    ends = " - ".join(f"{end.table}: {', '.join(end.columns)}" for end in (way.one, way.other))
    record(AuditAction.CONTEXT_CHANGED, organization=source.organization, actor=by, target=ends)
