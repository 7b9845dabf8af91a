"""Connecting an account, and starting refreshes: on demand, by the clock, and again where one was lost.

Queueing only; the work is `sync`.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from apps.core.jobs.sending import send_after_commit
from apps.datasources.services.removal import examples_discard
from apps.integrations import tasks
from apps.integrations.hubspot.leases import MAX_ATTEMPTS, SyncLease, sync_failed
from apps.integrations.hubspot.models import SyncState
from apps.integrations.models import Connection, ConnectionState, HubSpotSync
from apps.integrations.selectors import connected
from apps.integrations.services.connections import connection_finish
from apps.integrations.services.marks import connection_mark
from apps.integrations.services.schedules import schedule_of, schedules_due

if TYPE_CHECKING:
    from apps.accounts.models import User

RESEND_AFTER = timedelta(seconds=30)
RESUMED_WITHIN = timedelta(hours=1)
"""A failed refresh's place is gone on from within this time; later everything is asked anew."""
GIVEN_UP = "The refresh was interrupted several times at the same place. The data from before is kept."


def connect(*, by: User, session_key: str, code: str, state: str, redirect_uri: str) -> Connection:
    """Ends a sign-in at HubSpot. The product's example files go: questions are about the account's data from here on.

    Raises what `connection_finish` raises.
    """
    connection = connection_finish(
        by=by, session_key=session_key, service="hubspot", code=code, state=state, redirect_uri=redirect_uri
    )
    examples_discard(organization=connection.organization, by=by)
    return connection


def refresh(*, by: User) -> HubSpotSync:
    """A member asks for fresh data; one refresh runs at a time. Raises Conflict where nothing is connected."""
    return sync_start(connected(by, "hubspot"))


def scheduled_sweep() -> None:
    """Starts what is due."""
    for connection in schedules_due("hubspot"):
        sync_start(connection)


def sync_start(connection: Connection) -> HubSpotSync:
    """Queues a refresh, or gives the one under way. It goes on where a lately failed one stopped."""
    schedule_of(connection)
    under_way = _under_way(connection.pk)
    if under_way is not None:
        return under_way
    last = HubSpotSync.objects.filter(connection=connection).first()
    cursor: dict[str, Any] = {}
    if last is not None and last.state == SyncState.FAILED and last.updated_at > timezone.now() - RESUMED_WITHIN:
        # What was read whole is asked for its changes again; only the kind that was cut off goes on from its place.
        cursor = {**last.cursor, "done": []}
    try:
        with transaction.atomic():
            sync = HubSpotSync.objects.create(connection=connection, cursor=cursor)
            connection_mark(connection.pk, ConnectionState.REFRESHING)
            send_after_commit(tasks.refresh_hubspot, sync.pk)
    except IntegrityError:  # another one was faster
        found = _under_way(connection.pk)
        if found is None:
            raise
        return found
    return sync


def syncs_sweep() -> None:
    """Sends what was lost again: its worker is silent, its message never came, or its time has come."""
    now = timezone.now()
    silent = Q(state=SyncState.RUNNING, lease_until__lt=now)
    unheard = Q(state=SyncState.QUEUED, due_at__lte=now, updated_at__lt=now - RESEND_AFTER)
    for sync in HubSpotSync.objects.at_work().filter(silent | unheard):
        _send_again(sync)


def syncs_take_over() -> None:
    """At the start of the only process every refresh under way is an orphan."""
    for sync in HubSpotSync.objects.at_work().filter(state__in=[SyncState.QUEUED, SyncState.RUNNING]):
        _send_again(sync)


def _send_again(sync: HubSpotSync) -> None:
    seen = HubSpotSync.objects.filter(pk=sync.pk, state=sync.state, worker=sync.worker)
    if sync.attempt >= MAX_ATTEMPTS:
        if seen.update(state=SyncState.RUNNING, worker="given up"):
            sync_failed(SyncLease(sync, "given up"), GIVEN_UP)
        return
    if (
        seen.update(state=SyncState.QUEUED, lease_until=None, updated_at=timezone.now())
        and sync.due_at <= timezone.now()
    ):
        tasks.refresh_hubspot.send(str(sync.pk))


def _under_way(connection_id: UUID) -> HubSpotSync | None:
    states = [SyncState.QUEUED, SyncState.RUNNING]
    return HubSpotSync.objects.filter(connection_id=connection_id, state__in=states).first()
