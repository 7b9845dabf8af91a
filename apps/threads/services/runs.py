"""The life of a run, and the only writers of it: claim, step, complete, fail, cancel, release.

Every change of state is one conditional UPDATE: whoever changes no row has lost, and stops. No transaction here is open
while anything is computed.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from apps.core import workers
from apps.threads import limits
from apps.threads.drafts import AnswerDraft
from apps.threads.events import run_changed
from apps.threads.models import UNFINISHED, Message, Run, RunState, Thread
from apps.threads.services.written import answer_write

DESCRIPTION_LENGTH = 300


class RunStopped(Exception):
    """The run is no longer the caller's: cancelled, failed by the sweep, or claimed by another worker."""


class RunLate(Exception):
    """The run has used up its time."""


@dataclass(slots=True)
class Claim:
    """The right to work on a run, until its lease ends without a step."""

    run: Run
    token: str
    steps: list[dict[str, str]] = field(default_factory=list)
    told: int = 0
    """How many of the steps stand in the run's row."""
    guard: threading.Lock = field(default_factory=threading.Lock)
    """Held while the row is written, by the one who works as by the one who watches: fewer steps never follow more."""

    @property
    def member_id(self) -> UUID:
        """Who asked."""
        return self.run.thread.owner_id


def run_claim(run_id: UUID) -> Claim | None:
    """Takes a queued run, or one whose lease has ended, for this worker. None where there is nothing to do, or the
    organization was deactivated."""
    now = timezone.now()
    token = f"{workers.ME}.{uuid4().hex}"
    free = Q(state=RunState.QUEUED) | Q(state=RunState.RUNNING, lease_until__lt=now)
    claimed = (
        Run.objects.at_work()
        .filter(free, pk=run_id, attempt__lt=limits.MAX_ATTEMPTS_IN_COMPANY)
        .update(
            state=RunState.RUNNING,
            attempt=F("attempt") + 1,
            owner=token,
            lease_until=now + limits.LEASE,
            started_at=Coalesce("started_at", now),
            steps=[],
            step_description="",
            text_so_far="",
        )
    )
    if not claimed:
        return None
    run = Run.objects.select_related("thread__owner", "thread__organization", "question").get(pk=run_id)
    # What shapes the answer is the organization the question was asked in, wherever its member is by now.
    run.thread.owner.organization = run.thread.organization
    return Claim(run=run, token=token) if run.owner == token else None


def run_step(
    *, claim: Claim, label: str, detail: str = "", brief: bool = False, data_sources: list[str] | None = None
) -> None:
    """Says what is being done now and renews the lease; a brief step waits for the next one. RunStopped or RunLate."""
    if timezone.now() > claim.run.deadline_at:
        raise RunLate
    claim.steps.append({"label": label, "detail": detail})
    if data_sources is not None:
        claim.run.data_sources = data_sources
    if not brief:
        _tell(claim)


def run_check(*, claim: Claim) -> None:
    """Whether work may go on where nothing is told: between steps that take longer. Raises RunStopped or RunLate."""
    if timezone.now() > claim.run.deadline_at:
        raise RunLate
    if not _mine(claim).exists():
        raise RunStopped


def run_keep(*, claim: Claim) -> None:
    """Renews the lease of a run that is worked on, and tells the steps that have not been. Raises RunStopped or
    RunLate."""
    now = timezone.now()
    if now > claim.run.deadline_at:
        raise RunLate
    if claim.told < len(claim.steps):
        _tell(claim)
    elif not _mine(claim).update(lease_until=now + limits.LEASE):
        raise RunStopped


def run_show(*, claim: Claim, text: str) -> None:
    """Shows the answer's text as far as it is written and checked; "" takes it back. RunStopped or RunLate."""
    now = timezone.now()
    if now > claim.run.deadline_at:
        raise RunLate
    run = claim.run
    run.text_so_far, run.lease_until = text, now + limits.LEASE
    if not _mine(claim).update(text_so_far=text, lease_until=run.lease_until):
        raise RunStopped
    run_changed(run, member_id=claim.member_id)


@transaction.atomic
def run_complete(*, claim: Claim, draft: AnswerDraft, beside: Sequence[AnswerDraft] = ()) -> Message:
    """Ends the run with its answer, selected, and those of other approaches beside it.

    Raises RunStopped, and writes nothing, where the run was lost.
    """
    run, now = claim.run, timezone.now()
    run.data_sources = draft.data_sources or run.data_sources
    _end(claim, RunState.COMPLETED, now)
    answer = answer_write(run=run, draft=draft, at=now, selected=True, best=True)
    for place, other in enumerate(beside, 1):  # a moment apart, so that they stay in their order
        answer_write(run=run, draft=other, at=now + timedelta(microseconds=place), selected=False, best=False)
    Thread.objects.filter(pk=run.thread_id).update(updated_at=now)
    run_changed(run, member_id=claim.member_id)
    return answer


def run_finish(*, claim: Claim) -> None:
    """Ends a run whose results are written in the same transaction. Raises RunStopped where the run was lost."""
    _end(claim, RunState.COMPLETED, timezone.now())
    run_changed(claim.run, member_id=claim.member_id)


def run_fail(*, claim: Claim, error: str) -> None:
    """Ends the run with a sentence for the person who asked. Raises RunStopped where the run was lost."""
    claim.run.error = error
    _end(claim, RunState.FAILED, timezone.now())
    run_changed(claim.run, member_id=claim.member_id)


def run_release(*, claim: Claim) -> bool:
    """Gives the run back unfinished (the worker is being stopped); the attempt does not count. False where lost."""
    return bool(
        _mine(claim).update(state=RunState.QUEUED, owner="", lease_until=timezone.now(), attempt=F("attempt") - 1)
    )


def run_cancel(*, run: Run) -> Run:
    """Stops a run on its member's wish; one that has ended stays as it is. Returns the run as it is now."""
    Run.objects.filter(pk=run.pk, state__in=UNFINISHED).update(
        state=RunState.CANCELLED, finished_at=timezone.now(), owner="", lease_until=None, text_so_far=""
    )
    now = Run.objects.select_related("thread").get(pk=run.pk)
    run_changed(now, member_id=now.thread.owner_id)
    return now


def run_give_up(*, run: Run, error: str) -> bool:
    """Fails a run that nobody works on any more or whose time is over, unless its state changed meanwhile."""
    failed = Run.objects.filter(pk=run.pk, state=run.state, owner=run.owner, lease_until=run.lease_until).update(
        state=RunState.FAILED, finished_at=timezone.now(), owner="", lease_until=None, text_so_far="", error=error
    )
    if failed:
        now = Run.objects.select_related("thread").get(pk=run.pk)
        run_changed(now, member_id=now.thread.owner_id)
    return bool(failed)


def run_requeue(*, run: Run, deadline_at: datetime | None = None) -> bool:
    """Puts a lost run back in the queue, unless its state changed meanwhile. A new deadline is given after a restart.

    The caller sends it to the workers; the sweep looks at it again when REQUEUE_AFTER has passed.
    """
    return bool(
        Run.objects.filter(pk=run.pk, state=run.state, owner=run.owner, lease_until=run.lease_until).update(
            state=RunState.QUEUED,
            owner="",
            lease_until=timezone.now() + limits.REQUEUE_AFTER,
            deadline_at=deadline_at or run.deadline_at,
        )
    )


def _tell(claim: Claim) -> None:
    """Writes the steps so far with a new lease, and pushes them. Raises RunStopped."""
    run = claim.run
    with claim.guard:
        run.steps = list(claim.steps)
        label, detail = run.steps[-1]["label"], run.steps[-1]["detail"]
        run.step_description = (f"{label}: {detail}" if detail else label)[:DESCRIPTION_LENGTH]
        run.lease_until = timezone.now() + limits.LEASE
        kept = _mine(claim).update(
            steps=run.steps,
            step_description=run.step_description,
            lease_until=run.lease_until,
            data_sources=run.data_sources,
        )
        if not kept:
            raise RunStopped
        claim.told = len(run.steps)
    run_changed(run, member_id=claim.member_id)


def _mine(claim: Claim) -> QuerySet[Run]:
    return Run.objects.at_work().filter(pk=claim.run.pk, state=RunState.RUNNING, owner=claim.token)


def _end(claim: Claim, state: RunState, now: datetime) -> None:
    run = claim.run
    run.state, run.finished_at, run.owner, run.lease_until, run.text_so_far = state, now, "", None, ""
    run.steps = list(claim.steps)
    ended = _mine(claim).update(
        state=state,
        finished_at=now,
        owner="",
        lease_until=None,
        error=run.error,
        data_sources=run.data_sources,
        steps=run.steps,
        text_so_far="",
    )
    if not ended:
        raise RunStopped
