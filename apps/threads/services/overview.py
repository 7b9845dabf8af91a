"""How an organization's questions ended and what models took for them, as its admins read it in the product."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.db.models import Sum
from django.utils import timezone

from apps.accounts.models import Organization, User
from apps.accounts.policy import Action, demand
from apps.threads.outcomes import MONTH, WEEKS, Outcomes, outcomes, questions_since
from apps.threads.services.usage import budget_of, used_this_month


def usage_overview(*, by: User) -> dict[str, Any]:
    """The last month in sums and by member, the last weeks, and the models of the running month. Raises Refused."""
    demand(by, Action.READ_USAGE)
    assert by.organization is not None, "who has no organization is let in nowhere"
    now = timezone.now()
    month = questions_since(now - MONTH, by.organization)
    weeks = outcomes(questions_since(now - WEEKS, by.organization), "week")
    return {
        "month": asdict(outcomes(month).get((), Outcomes())),
        "members": _members(by.organization, outcomes(month, "thread__owner")),
        "weeks": [
            {"starts": week.isoformat(), **asdict(counts)}
            for (week,), counts in sorted(weeks.items(), key=lambda item: item[0], reverse=True)
        ],
        "models": _models(by.organization),
    }


def _members(organization: Organization, counts: dict[tuple[Any, ...], Outcomes]) -> list[dict[str, Any]]:
    """Whoever asked something, those who asked most first."""
    people = User.objects.filter(organization=organization).in_bulk([owner for (owner,) in counts])
    told = [
        {"id": str(owner), "name": people[owner].get_full_name(), **asdict(of)}
        for (owner,), of in counts.items()
        if owner in people
    ]
    return sorted(told, key=lambda one: (-one["asked"], one["name"].casefold()))


def _models(organization: Organization) -> dict[str, Any]:
    used = used_this_month(organization)
    each = used.values("model").annotate(made=Sum("calls"), spent=Sum("cost")).order_by("-spent", "model")
    limit = budget_of(organization)
    return {
        "budget": f"{limit:.2f}" if limit > 0 else None,
        "each": [{"model": row["model"], "calls": row["made"], "cost": f"{row['spent']:.2f}"} for row in each],
    }
