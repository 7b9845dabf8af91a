"""What of this app stops with an organization that is deactivated (apps.accounts.services.organizations)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import QuerySet

from apps.threads.models import UNFINISHED, Run, Thread
from apps.threads.services.runs import run_cancel

if TYPE_CHECKING:
    from apps.accounts.models import Organization


def stops(organization: Organization) -> dict[str, int]:
    """How many threads nobody can read meanwhile, and how many questions and checks are canceled."""
    return {
        "Threads": Thread.objects.of(organization).filter(deleted_at=None).count(),
        "Questions under way": _under_way(organization).count(),
    }


def runs_stop(organization: Organization) -> None:
    """Cancels what is worked on and what waits for a worker."""
    for run in _under_way(organization):
        run_cancel(run=run)


def _under_way(organization: Organization) -> QuerySet[Run]:
    return Run.objects.of(organization).filter(state__in=UNFINISHED)
