"""Who works on a refresh, and the only writers of where it stands: claim, place, done, failed, later.

Every change is one conditional UPDATE: a worker that changes no row has lost the refresh (disconnected, taken over).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from apps.integrations.hubspot.models import SyncState
from apps.integrations.models import ConnectionState, HubSpotSync
from apps.integrations.services.marks import connection_mark

LEASE = timedelta(seconds=90)
"""How long a worker may be silent: longer than one call with its waits."""
MAX_ATTEMPTS = 3
"""After so many workers that died at the same place the refresh is given up."""


class SyncLost(Exception):
    """The refresh is no longer this worker's."""


@dataclass(slots=True)
class SyncLease:
    """The right to work on a refresh, until it ends without a sign of life."""

    sync: HubSpotSync
    token: str

    def mine(self) -> QuerySet[HubSpotSync]:
        """The refresh's row, as long as this worker holds it."""
        return HubSpotSync.objects.at_work().filter(pk=self.sync.pk, state=SyncState.RUNNING, worker=self.token)

    def place(self, cursor: dict[str, Any], *, read: int = 0, changed: int = 0, calls: int = 0) -> None:
        """Remembers how far it is. Call it in the transaction that keeps the rows. Raises SyncLost."""
        kept = self.mine().update(
            cursor=cursor,
            read=F("read") + read,
            changed=F("changed") + changed,
            calls=F("calls") + calls,
            attempt=0,
            lease_until=timezone.now() + LEASE,
        )
        if not kept:
            raise SyncLost
        self.sync.cursor = cursor

    def renew(self) -> None:
        """Holds the refresh for another while. Raises SyncLost."""
        if not self.mine().update(lease_until=timezone.now() + LEASE):
            raise SyncLost

    def pausing(self, pause: Callable[[float], None]) -> Callable[[float], None]:
        """The same pause in short pieces, between which the refresh is held."""

        def held(seconds: float) -> None:
            left = seconds
            while left > 0:
                piece = min(left, 5.0)
                pause(piece)
                left -= piece
                self.renew()

        return held


def sync_claim(sync_id: UUID) -> SyncLease | None:
    """Takes a waiting refresh, or one whose worker has been silent for too long. None where there is nothing to do."""
    now, token = timezone.now(), uuid4().hex
    free = Q(state=SyncState.QUEUED, due_at__lte=now) | Q(state=SyncState.RUNNING, lease_until__lt=now)
    claimed = (
        HubSpotSync.objects.at_work()
        .filter(free, pk=sync_id, attempt__lt=MAX_ATTEMPTS)
        .update(state=SyncState.RUNNING, attempt=F("attempt") + 1, worker=token, lease_until=now + LEASE)
    )
    if not claimed:
        return None
    HubSpotSync.objects.filter(pk=sync_id, started_at=None).update(started_at=now)
    found = HubSpotSync.objects.select_related("connection__organization").filter(pk=sync_id, worker=token).first()
    return SyncLease(found, token) if found else None


def sync_done(lease: SyncLease) -> None:
    """Everything is in and shown. Raises SyncLost."""
    with transaction.atomic():
        if not lease.mine().update(state=SyncState.DONE, lease_until=None, error="", finished_at=timezone.now()):
            raise SyncLost
        connection_mark(lease.sync.connection_id, ConnectionState.CONNECTED, refreshed=True)


def sync_failed(lease: SyncLease, message: str) -> None:
    """It cannot go on; what was there before stays usable, and the place is kept for the next one. Raises SyncLost."""
    with transaction.atomic():
        now = timezone.now()
        if not lease.mine().update(
            state=SyncState.FAILED, lease_until=None, error=message, finished_at=now, updated_at=now
        ):
            raise SyncLost
        connection_mark(lease.sync.connection_id, ConnectionState.FAILED, message)


def sync_later(lease: SyncLease, message: str, seconds: float) -> None:
    """HubSpot asks us to wait for longer than a worker should: it goes on by itself then. Raises SyncLost."""
    with transaction.atomic():
        now = timezone.now()
        if not lease.mine().update(
            state=SyncState.QUEUED, lease_until=None, attempt=0, due_at=now + timedelta(seconds=seconds), updated_at=now
        ):
            raise SyncLost
        connection_mark(lease.sync.connection_id, ConnectionState.REFRESHING, message)


def sync_give_back(lease: SyncLease) -> None:
    """The process ends: somebody else goes on at once."""
    lease.mine().update(state=SyncState.QUEUED, lease_until=None, attempt=0, due_at=timezone.now())
