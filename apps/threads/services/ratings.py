"""A member's thumb on an answer: set once, then kept, and remembered for the same question later."""

from __future__ import annotations

from django.db import transaction

from apps.core.errors import Invalid
from apps.threads import copy
from apps.threads.models import Message, ProvenReason, Role
from apps.threads.services.memory import proven_doubt, proven_keep


@transaction.atomic
def answer_rate(*, message: Message, is_thumbs_up: bool) -> bool:
    """Rates an answer. False where it was rated before: the first thumb stays. Raises Invalid for a question."""
    if message.role != Role.ASSISTANT:
        raise Invalid(copy.NOT_RATEABLE, code="not_an_answer")
    unrated = Message.objects.filter(pk=message.pk, is_thumbs_up__isnull=True)
    if not unrated.update(is_thumbs_up=is_thumbs_up):
        return False
    if is_thumbs_up:
        proven_keep(answer=message, reason=ProvenReason.RATED)
    else:
        proven_doubt(answer=message)
    return True
