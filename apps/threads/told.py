"""What language models were told for an answer, word for word, as whoever may see the thread reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import Q

from apps.threads.models import Message, ModelTranscript
from apps.threads.providers import model_choices

if TYPE_CHECKING:
    from apps.accounts.models import Organization


def told_for(message: Message, organization: Organization) -> list[dict[str, Any]]:
    """Of each model that was asked for the answer: its name, whether it gave way to another, and what was said.

    The caller has made sure that the thread is the member's. A check asks in a run of its own.
    """
    of_question = Q(usage__run_id=message.run_id)
    of_answer = Q(usage__model=message.model) & (of_question | Q(usage__run__validates_id=message.run_id))
    found = (
        ModelTranscript.objects.of(organization)
        .filter(of_answer | (of_question & Q(usage__failed=True)))
        .select_related("usage")
        .order_by("usage__created_at", "pk")
    )
    names = {one["id"]: one["name"] for one in model_choices(organization)}
    return [
        {
            "name": names.get(one.usage.model, one.usage.model),
            "gave_way": one.usage.failed,
            "turns": [{"by": by, "text": text} for by, text in one.turns],
        }
        for one in found
    ]
