"""What an organisation has found right: proven questions with their plans, kept, doubted, and found again."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from pydantic import TypeAdapter, ValidationError

from apps.analyst.plan import Plan
from apps.analyst.types import Proven
from apps.threads.models import Message, ProvenQuestion, ProvenReason, Role

if TYPE_CHECKING:
    from apps.accounts.models import Organization

_WEIGHT = {reason: place for place, reason in enumerate(ProvenReason.values)}
_WORDS = {
    ProvenReason.AGREED: "several approaches agreed on {day}",
    ProvenReason.RATED: "its answer was rated up on {day}",
    ProvenReason.VERIFIED: "verified by an admin on {day}",
}


def proven_keep(*, answer: Message, reason: ProvenReason) -> ProvenQuestion | None:
    """Remembers the answer's plan for its question. None where it has no plan, or the question cannot stand alone.

    A weightier reason is never replaced by a lighter one.
    """
    asked = answer.parent
    parts = answer.answer or {}
    if answer.role != Role.ASSISTANT or asked is None or answer.plan is None or parts.get("status") != "answered":
        return None
    key = key_of(asked.content)
    organization = answer.thread.organization
    if not key or asked.user_specified_files:
        return None
    known = ProvenQuestion.objects.of(organization).filter(key=key).first()
    if known is not None and _WEIGHT[known.reason] > _WEIGHT[reason]:
        return known
    made, _ = ProvenQuestion.objects.update_or_create(
        organization=organization,
        key=key,
        defaults={"message": answer, "question": asked.content, "plan": answer.plan, "reason": reason},
    )
    return made


def proven_doubt(*, answer: Message) -> int:
    """Forgets the plan of the answer's question after a thumb down, unless an admin verified it. Returns how many."""
    key = key_of(answer.parent.content) if answer.parent is not None else ""
    if not key:
        return 0
    doubted = ProvenQuestion.objects.of(answer.thread.organization).filter(key=key)
    return doubted.exclude(reason=ProvenReason.VERIFIED).delete()[0]


def proven_questions(organization: Organization, count: int) -> list[str]:
    """The newest proven questions, as they were asked."""
    return list(ProvenQuestion.objects.of(organization).values_list("question", flat=True)[:count])


def proven_for(organization: Organization, text: str) -> tuple[Proven, ...]:
    """Proven questions that ask the same as `text`; plans that an older version wrote and this one cannot read are
    none."""
    key = key_of(text)
    found: list[Proven] = []
    for row in ProvenQuestion.objects.of(organization).filter(key=key) if key else ():
        try:
            plan = _plans().validate_python(row.plan)
        except ValidationError:
            continue
        why = _WORDS[ProvenReason(row.reason)].format(day=f"{row.created_at:%-d %B %Y}")
        found.append(Proven(row.question, plan, why))
    return tuple(found)


@cache
def _plans() -> TypeAdapter[Plan]:
    return TypeAdapter(Plan)


def key_of(text: str) -> str:
    """The key of a question. Its language loads when first needed: a start must not wait for it."""
    from apps.analyst import memory

    return memory.key_of(text)
