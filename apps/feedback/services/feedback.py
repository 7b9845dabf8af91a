"""Keeping what members say: first the row, then, where an outside endpoint is set, the word to a worker."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.conf import settings
from django.utils import timezone

from apps.core.errors import Invalid
from apps.core.jobs.sending import send_after_commit
from apps.feedback import tasks
from apps.feedback.models import Feedback, Kind, Passing

if TYPE_CHECKING:
    from apps.accounts.models import User
    from apps.threads.models import Message

EMPTY = "Please provide feedback before submitting."
"""SPEC section 8."""


def feedback_give(
    *,
    author: User,
    kind: str,
    text: str,
    chat_history: str = "",
    files: Sequence[str] = (),
    is_thumbs_up: bool | None = None,
    answer: Message | None = None,
) -> Feedback:
    """Stores feedback, to be passed on where somebody outside wants it. Raises Invalid where it says nothing."""
    if not text:
        raise Invalid(EMPTY, code="empty_feedback")
    assert author.organization is not None, "only members reach the services"
    wanted = bool(settings.FEEDBACK_WEBHOOK_URL)
    feedback = Feedback.objects.create(
        organization=author.organization,
        author=author,
        kind=Kind(kind),
        text=text,
        chat_history=chat_history,
        files=list(files),
        is_thumbs_up=is_thumbs_up,
        answer=answer,
        passing=Passing.WAITING if wanted else Passing.KEPT,
        next_try_at=timezone.now() if wanted else None,
    )
    if wanted:
        send_after_commit(tasks.pass_on, feedback.pk)
    return feedback
