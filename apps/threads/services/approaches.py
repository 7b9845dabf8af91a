"""Choosing between the answers to one question."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction

from apps.core.errors import NotFound
from apps.threads import copy
from apps.threads.models import Message, Role, Run


@transaction.atomic
def approach_select(*, run: Run, message_id: UUID) -> Message:
    """Makes an answer of the run the selected one. What followed the former one now follows it, so nothing gets lost.

    Raises NotFound where the message is no answer to the run's question.
    """
    answers = Message.objects.filter(parent_id=run.question_id, role=Role.ASSISTANT)
    chosen = answers.filter(run=run, pk=message_id).first()
    if chosen is None:
        raise NotFound(copy.NOT_AN_ANSWER)
    former = answers.filter(is_selected_assistant=True).exclude(pk=chosen.pk)
    Message.objects.filter(parent__in=list(former)).update(parent=chosen)
    former.update(is_selected_assistant=False)
    chosen.is_selected_assistant = True
    chosen.save(update_fields=["is_selected_assistant"])
    return chosen
