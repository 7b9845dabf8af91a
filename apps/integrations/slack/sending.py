"""Sending questions from Slack to the workers again: when their run has ended, and when a message was lost."""

from __future__ import annotations

from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from apps.integrations import tasks
from apps.integrations.slack import limits
from apps.integrations.slack.answering import OPEN
from apps.integrations.slack.models import SlackQuestion, SlackState


def run_ended(run_id: UUID) -> None:
    """A run has ended: where its question came from Slack, its answer is told there."""
    for pk in SlackQuestion.objects.filter(run_id=run_id, state=SlackState.ASKED).values_list("pk", flat=True):
        tasks.answer_slack.send(str(pk))


def questions_sweep() -> None:
    """Sends open questions again whose message was lost, gives up on the oldest, and forgets those long done."""
    now = timezone.now()
    questions = SlackQuestion.objects.filter(state__in=OPEN)
    questions.filter(created_at__lt=now - limits.FORGOTTEN_AFTER).update(
        state=SlackState.FAILED, reason="late", text=""
    )
    quiet = Q(lease_until=None, created_at__lt=now - limits.RESEND_AFTER) | Q(lease_until__lt=now)
    for pk in questions.filter(quiet).values_list("pk", flat=True)[:100]:
        tasks.answer_slack.send(str(pk))
    SlackQuestion.objects.exclude(state__in=OPEN).filter(created_at__lt=now - limits.KEPT).delete()
