"""A member's thumb on an answer: set once, then kept."""

from __future__ import annotations

from apps.core.errors import Invalid
from apps.threads import copy
from apps.threads.models import Message, Role


def answer_rate(*, message: Message, is_thumbs_up: bool) -> bool:
    """Rates an answer. False where it was rated before: the first thumb stays. Raises Invalid for a question."""
    if message.role != Role.ASSISTANT:
        raise Invalid(copy.NOT_RATEABLE, code="not_an_answer")
    unrated = Message.objects.filter(pk=message.pk, is_thumbs_up__isnull=True)
    return bool(unrated.update(is_thumbs_up=is_thumbs_up))
