"""What an organization has found right: proven questions with their plans, kept, doubted, and found again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils import timezone

from apps.analyst.plan import Plan
from apps.analyst.types import Proven
from apps.threads import limits
from apps.threads.models import Message, ProvenQuestion, ProvenReason, Role
from apps.threads.plans import plan_of

if TYPE_CHECKING:
    from apps.accounts.models import Organization, User
    from apps.analyst.ports import Catalog

_WEIGHT = {reason: place for place, reason in enumerate(ProvenReason.values)}
_WORDS = {
    ProvenReason.AGREED: "several approaches agreed on {day}",
    ProvenReason.RATED: "its answer was rated up on {day}",
    ProvenReason.VERIFIED: "verified by an admin on {day}",
}


def proven_keep(*, answer: Message, reason: ProvenReason, by: User | None = None) -> ProvenQuestion | None:
    """Remembers the answer's plan for its question. None where it has no plan, or the question cannot stand alone.

    A weightier reason is never replaced by a lighter one. What `by` keeps for everybody outlives the conversation.
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
        defaults={
            "message": answer if by is None else None,
            "by": by,
            "question": asked.content,
            "plan": answer.plan,
            "reason": reason,
            "created_at": timezone.now(),
        },
    )
    return made


def proven_doubt(*, answer: Message) -> int:
    """Forgets the plan of the answer's question after a thumb down, unless an admin verified it. Returns how many."""
    key = key_of(answer.parent.content) if answer.parent is not None else ""
    if not key:
        return 0
    doubted = ProvenQuestion.objects.of(answer.thread.organization).filter(key=key)
    return doubted.exclude(reason=ProvenReason.VERIFIED).delete()[0]


def proven_forget(*, organization: Organization, text: str) -> None:
    """Forgets the plan that is kept for a question: what words mean says from now on how it is read."""
    ProvenQuestion.objects.of(organization).filter(key=key_of(text)).delete()


def proven_questions(organization: Organization, catalog: Catalog, count: int) -> list[str]:
    """The newest proven questions, as they were asked, whose plans still hold over the catalog."""
    from apps.analyst.plan.validate import holds

    rows = ProvenQuestion.objects.of(organization)[: 2 * count]
    plans = [(row.question, plan_of(row.plan)) for row in rows]
    return [question for question, plan in plans if plan is not None and holds(plan, catalog)][:count]


def proven_for(organization: Organization, text: str) -> tuple[Proven, ...]:
    """Proven questions that ask the same as `text`; plans that an older version wrote and this one cannot read are
    none."""
    key = key_of(text)
    found: list[Proven] = []
    for row in ProvenQuestion.objects.of(organization).filter(key=key) if key else ():
        plan = plan_of(row.plan)
        if plan is not None:
            found.append(_told(row, plan))
    return tuple(found)


def proven_near(organization: Organization, text: str) -> tuple[Proven, ...]:
    """Proven questions that share words with `text`, the likest first: examples for a model, and no answer to it."""
    from apps.analyst.conversation.memory import words_said

    said = set(words_said(text))
    scored: list[tuple[float, ProvenQuestion]] = []
    for row in ProvenQuestion.objects.of(organization)[: limits.EXAMPLES_LOOKED_AT]:
        words = set(row.key.split())
        alike = len(words & said) / len(words | said)
        if limits.EXAMPLES_ALIKE <= alike < 1:
            scored.append((alike, row))
    scored.sort(key=lambda pair: -pair[0])
    plans = [(row, plan_of(row.plan)) for _, row in scored[: limits.EXAMPLES]]
    return tuple(_told(row, plan) for row, plan in plans if plan is not None)


def _told(row: ProvenQuestion, plan: Plan) -> Proven:
    why = _WORDS[ProvenReason(row.reason)].format(day=f"{row.created_at:%-d %B %Y}")
    return Proven(row.question, plan, why)


def key_of(text: str) -> str:
    """The key of a question. Its language loads when first needed: a start must not wait for it."""
    from apps.analyst.conversation import memory

    return memory.key_of(text)
