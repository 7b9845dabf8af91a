"""What an organization decides about language models: how much of its data they see, and which one answers first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django.db import transaction

from apps.accounts.audit import AuditAction, record
from apps.accounts.policy import Action, allowed, demand
from apps.core.errors import Invalid
from apps.threads import copy
from apps.threads.models import ModelPolicy, ToldLevel
from apps.threads.providers import model_choices

if TYPE_CHECKING:
    from apps.accounts.models import Organization, User
    from apps.analyst.approaches.models.told import Told


def told_of(organization: Organization) -> Told:
    """How much of the organization's data models see."""
    found = ModelPolicy.objects.of(organization).values_list("told", flat=True).first()
    return cast("Told", found or ToldLevel.VALUES.value)


def model_policy(*, by: User) -> dict[str, Any]:
    """What holds for the member's organization, and what may be chosen."""
    assert by.organization is not None
    choices = model_choices(by.organization)
    return {
        "may_manage": allowed(by, Action.MANAGE_CONNECTIONS),
        "told": told_of(by.organization),
        "first": next(one["id"] for one in choices if one["first"]),
        "choices": [{"id": one["id"], "name": one["name"]} for one in choices],
    }


@transaction.atomic
def model_policy_set(*, by: User, told: str | None = None, first: str | None = None) -> None:
    """Changes what is given. Raises Refused for members, Invalid for what cannot be chosen."""
    demand(by, Action.MANAGE_CONNECTIONS)
    assert by.organization is not None
    if told is not None and told not in ToldLevel.values:
        raise Invalid(copy.TOLD_UNKNOWN)
    if first is not None and first not in {one["id"] for one in model_choices(by.organization)}:
        raise Invalid(copy.FIRST_UNKNOWN)
    policy, _ = ModelPolicy.objects.select_for_update().get_or_create(organization=by.organization)
    for name, wanted, target in (
        ("told", told, "what language models see"),
        ("first", first, "which approach answers first"),
    ):
        before = getattr(policy, name)
        if wanted is None or wanted == before:
            continue
        setattr(policy, name, wanted)
        record(
            AuditAction.ORGANIZATION_CHANGED,
            organization=by.organization,
            actor=by,
            target=target,
            before=before,
            after=wanted,
        )
    policy.save()
