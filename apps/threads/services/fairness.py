"""Whose run is next. A message to the workers says that some run waits; which one is taken is decided here, so that an
organization with many questions keeps no other's waiting.

There are as many messages as runs that wait: whoever takes another run than the message named leaves that one to the
message of the run it took. Nothing here is locked; a run is claimed by `services.runs` alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from uuid import UUID

from django.conf import settings
from django.db.models import Min, QuerySet

from apps.threads import limits
from apps.threads.models import UNFINISHED, Run, RunState

_ORGANIZATION = "thread__organization_id"


def share() -> int:
    """How many of a worker's threads one organization may hold while others wait: half."""
    return max(1, settings.WORKER_THREADS // 2)


def runs_in_turn(run_id: UUID, at_work: Collection[UUID]) -> Iterator[UUID]:
    """The runs that may be taken for a message about `run_id`, first choice first.

    It is that run, unless its organization holds its share of this process and others wait. Where it is taken already,
    it is what waits longest, of the organizations with the least at work first.

    Args:
        at_work: The runs that this process works on.
    """
    if len(at_work) >= share():
        yield from _others_first(run_id, at_work)
    yield run_id
    yield from _first_of_each(_waiting(), _held(at_work))


def _others_first(run_id: UUID, at_work: Collection[UUID]) -> Iterator[UUID]:
    """The runs of organizations below their share, where that of the run holds its own."""
    held = _held(at_work)
    full = [organization for organization, count in held.items() if count >= share()]
    if full and Run.objects.filter(pk=run_id, **{f"{_ORGANIZATION}__in": full}).exists():
        yield from _first_of_each(_waiting().exclude(**{f"{_ORGANIZATION}__in": full}), held)


def _first_of_each(waiting: QuerySet[Run], held: Counter[UUID]) -> Iterator[UUID]:
    """The longest waiting run of each organization."""
    since = dict(waiting.order_by().values_list(_ORGANIZATION).annotate(Min("created_at")))
    for organization in sorted(since, key=lambda one: (held[one], since[one])):
        yield from (
            waiting.filter(**{_ORGANIZATION: organization}).order_by("created_at").values_list("pk", flat=True)[:1]
        )


def _waiting() -> QuerySet[Run]:
    """Runs that wait for a worker (`UNFINISHED` is what their index is made for)."""
    return (
        Run.objects.at_work()
        .filter(state__in=UNFINISHED, attempt__lt=limits.MAX_ATTEMPTS_IN_COMPANY)
        .filter(state=RunState.QUEUED)
    )


def _held(at_work: Collection[UUID]) -> Counter[UUID]:
    """How many runs of this process each organization has."""
    return Counter(Run.objects.filter(pk__in=at_work).values_list(_ORGANIZATION, flat=True))
