"""Passing feedback on to the outside endpoint, from a worker: again and again with growing pauses, for a week.

The row is what lasts. A message to a worker may come twice or never; whoever claims the row sends it.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.db.models import F
from django.utils import timezone

from apps.core.jobs.sending import actor_named
from apps.feedback import outside
from apps.feedback.fields import feedback_fields
from apps.feedback.models import Feedback, Passing

logger = logging.getLogger("apps.feedback")

FIRST_PAUSE = timedelta(seconds=30)
LONGEST_PAUSE = timedelta(hours=6)
GIVE_UP_AFTER = timedelta(days=7)
SWEPT_AT_ONCE = 100


def feedback_pass_on(feedback_id: UUID) -> None:
    """Sends the feedback if it is due and nobody else does; notes how that went."""
    url = settings.FEEDBACK_WEBHOOK_URL
    feedback = _claim(feedback_id) if url else None
    if feedback is None:
        return
    mine = Feedback.objects.filter(pk=feedback.pk, passing=Passing.WAITING)
    try:
        outside.form_post(url, feedback_fields(feedback))
    except outside.NotTaken as failure:
        logger.warning("feedback %s was not taken in try %s: %s", feedback.pk, feedback.tries, failure)
        over = timezone.now() - feedback.created_at > GIVE_UP_AFTER
        mine.update(last_failure=str(failure)[:200], passing=Passing.GIVEN_UP if over else Passing.WAITING)
    else:
        mine.update(passing=Passing.PASSED_ON, passed_on_at=timezone.now(), next_try_at=None, last_failure="")


def feedback_sweep() -> int:
    """Sends what is due: pauses that are over, messages that were lost. Returns how many."""
    if not settings.FEEDBACK_WEBHOOK_URL:
        return 0
    due = Feedback.objects.at_work().filter(passing=Passing.WAITING, next_try_at__lte=timezone.now())
    ids = list(due.order_by("next_try_at").values_list("pk", flat=True)[:SWEPT_AT_ONCE])
    for pk in ids:
        actor_named("feedback.pass_on").send(str(pk))
    return len(ids)


def feedback_pass_again(ids: Sequence[UUID]) -> int:
    """Lets feedback wait once more that was passed on, given up, or kept before there was an endpoint. How many."""
    rows = Feedback.objects.filter(pk__in=ids).exclude(passing=Passing.WAITING)
    return rows.update(passing=Passing.WAITING, tries=0, next_try_at=timezone.now(), last_failure="")


def _claim(feedback_id: UUID) -> Feedback | None:
    """The feedback, if it is due; its next try is put off first, so that no other worker sends it as well."""
    now = timezone.now()
    due = Feedback.objects.at_work().filter(pk=feedback_id, passing=Passing.WAITING, next_try_at__lte=now)
    feedback = due.first()
    if feedback is None:
        return None
    claimed = due.filter(tries=feedback.tries).update(tries=F("tries") + 1, next_try_at=now + _pause(feedback.tries))
    if not claimed:
        return None
    feedback.tries += 1
    return feedback


def _pause(tries: int) -> timedelta:
    doublings: int = 2 ** min(tries, 20)
    return min(LONGEST_PAUSE, FIRST_PAUSE * doublings)
