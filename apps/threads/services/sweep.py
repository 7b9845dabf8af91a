"""Finding runs that were lost: a worker that died, a message that never arrived, a time that is over.

Every change is conditional, so sweeps of several processes may meet. Messages sent twice are refused at the claim.
"""

from __future__ import annotations

import logging

from django.db.models import Q
from django.utils import timezone

from apps.threads import copy, limits, tasks
from apps.threads.models import UNFINISHED, Run, RunKind, RunState
from apps.threads.services.runs import run_give_up, run_requeue

logger = logging.getLogger("apps.threads.sweep")

FETCHED = 100
"""More messages than a worker fetches before it begins them."""


def orphans_requeue() -> int:
    """At the start of the only process every unfinished run is an orphan: queued again, or failed after too many tries.

    A restart may come long after the question, so each gets its time anew. Returns how many were sent.
    """
    sent = 0
    for run in Run.objects.filter(state__in=UNFINISHED).select_related("thread").order_by("created_at"):
        if run.attempt >= limits.MAX_ATTEMPTS:
            _give_up(run)
        elif run_requeue(run=run, deadline_at=timezone.now() + limits.DEADLINE):
            tasks.answer_run.send(str(run.pk))
            sent += 1
    return sent


def runs_sweep() -> int:
    """Ends runs whose time is over and sends lost ones to the workers again. Returns how many were sent."""
    now = timezone.now()
    lost = Q(lease_until__lt=now) | Q(deadline_at__lt=now)
    sent = 0
    for run in Run.objects.filter(lost, state__in=UNFINISHED).select_related("thread").order_by("created_at"):
        if run.deadline_at < now or run.attempt >= limits.MAX_ATTEMPTS:
            _give_up(run)
        elif run_requeue(run=run):
            tasks.answer_run.send(str(run.pk))
            sent += 1
    return sent


def worker_buried(worker: str) -> int:
    """A worker process died: its runs need not wait for the end of their leases. Returns how many were sent.

    Messages that it had fetched and not begun are lost with it, so the oldest that wait are sent again as well.
    """
    theirs = Run.objects.filter(state=RunState.RUNNING, owner__startswith=f"{worker}.").select_related("thread")
    sent = 0
    for run in theirs.order_by("created_at"):
        if run.attempt >= limits.MAX_ATTEMPTS:
            _give_up(run)
        elif run_requeue(run=run):
            tasks.answer_run.send(str(run.pk))
            sent += 1
    waiting = Run.objects.filter(state=RunState.QUEUED).order_by("created_at").values_list("pk", flat=True)
    for pk in waiting[:FETCHED]:
        tasks.answer_run.send(str(pk))
        sent += 1
    return sent


def _give_up(run: Run) -> None:
    checking = run.kind == RunKind.VALIDATION
    if run_give_up(run=run, error=copy.VALIDATION_FAILED if checking else copy.PROCESSING_FAILED):
        logger.error("run %s was given up in attempt %s", run.pk, run.attempt)
