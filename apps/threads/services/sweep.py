"""Finding runs that were lost: a worker that died, a message that never arrived, a time that is over.

Every change is conditional, so sweeps of several processes may meet. Messages sent twice are refused at the claim.
"""

from __future__ import annotations

import logging
from collections import Counter
from datetime import datetime

from django.db.models import Q, QuerySet
from django.utils import timezone

from apps.threads import copy, limits, tasks
from apps.threads.models import UNFINISHED, Run, RunKind, RunState
from apps.threads.services.history import threads_purge
from apps.threads.services.runs import run_give_up, run_requeue

logger = logging.getLogger("apps.threads.sweep")

FETCHED = 100
"""More messages than a worker fetches before it begins them."""


def orphans_requeue() -> int:
    """At the start of the only process every unfinished run is an orphan: queued again, or failed after too many tries.

    A restart may come long after the question, so each gets its time anew. Returns how many were sent.
    """
    return _send_again(Run.objects.filter(state__in=UNFINISHED), deadline_at=timezone.now() + limits.DEADLINE)


def sweep() -> int:
    """Everything of this app that time alone brings about. Returns how many runs were sent."""
    threads_purge()
    return runs_sweep()


def runs_sweep() -> int:
    """Ends runs whose time is over and sends lost ones to the workers again. Returns how many were sent."""
    now = timezone.now()
    lost = Q(lease_until__lt=now) | Q(deadline_at__lt=now)
    return _send_again(Run.objects.filter(lost, state__in=UNFINISHED))


def worker_buried(worker: str) -> int:
    """A worker process died: its runs need not wait for the end of their leases. Returns how many were sent.

    Messages that it had fetched and not begun are lost with it, so the oldest that wait are sent again as well.
    """
    sent = _send_again(Run.objects.filter(state=RunState.RUNNING, owner__startswith=f"{worker}."))
    waiting = Run.objects.filter(state=RunState.QUEUED).order_by("created_at").values_list("pk", flat=True)
    for pk in waiting[:FETCHED]:
        tasks.answer_run.send(str(pk))
        sent += 1
    return sent


def _send_again(lost: QuerySet[Run], *, deadline_at: datetime | None = None) -> int:
    """Sends lost runs to the workers, but for those whose time is over and those that ended their workers too often."""
    runs = list(lost.select_related("thread").order_by("created_at"))
    companies = Counter(_worker(run) for run in runs)
    sent = 0
    for run in runs:
        late = (deadline_at or run.deadline_at) < timezone.now()
        if late or run.attempt >= _tries(run, companies):
            _give_up(run)
        elif run_requeue(run=run, deadline_at=deadline_at):
            tasks.answer_run.send(str(run.pk))
            sent += 1
    return sent


def _tries(run: Run, companies: Counter[str]) -> int:
    """A run that was alone on a worker is why it died; one of several may only have been near."""
    alone = run.state == RunState.RUNNING and companies[_worker(run)] == 1
    return limits.MAX_ATTEMPTS if alone else limits.MAX_ATTEMPTS_IN_COMPANY


def _worker(run: Run) -> str:
    return run.owner.partition(".")[0]


def _give_up(run: Run) -> None:
    checking = run.kind == RunKind.VALIDATION
    if run_give_up(run=run, error=copy.VALIDATION_FAILED if checking else copy.PROCESSING_FAILED):
        logger.error("run %s was given up in attempt %s", run.pk, run.attempt)
