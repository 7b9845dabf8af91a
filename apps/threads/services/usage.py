"""What language models took, run by run, and whether an organization's month still has budget."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db.models import QuerySet, Sum
from django.utils import timezone

from apps.threads.models import ModelBudget, ModelTranscript, ModelUsage, OwnModelBudget, Run
from apps.threads.providers import OWN

if TYPE_CHECKING:
    from apps.accounts.models import Organization, User
    from apps.analyst.approaches.models.specs import ModelSpec, Usage


def usage_record(*, run: Run, usage: Iterable[Usage]) -> None:
    """Writes down what each model took for the run, and what it was told."""
    asked = list(usage)
    whose = {"organization_id": run.thread.organization_id, "member_id": run.thread.owner_id}
    rows = ModelUsage.objects.bulk_create(_row(one, run=run, **whose) for one in asked)
    ModelTranscript.objects.bulk_create(
        ModelTranscript(usage=row, turns=[list(turn) for turn in one.told])
        for row, one in zip(rows, asked, strict=True)
        if one.told
    )


def usage_of_test(*, by: User, organization: Organization, took: Usage) -> None:
    """Writes down what a model took that an admin tried: no run, and the same budget."""
    _row(took, organization_id=organization.pk, member_id=by.pk).save(force_insert=True)


def _row(one: Usage, **whose: Any) -> ModelUsage:
    return ModelUsage(
        **whose,
        model=one.spec.id,
        calls=one.calls,
        input_tokens=one.input_tokens,
        output_tokens=one.output_tokens,
        cost=one.cost,
        seconds=round(one.seconds, 3),
        failed=one.failed,
    )


def used_this_month(organization: Organization | None) -> QuerySet[ModelUsage]:
    """What models took since the first of the month; `None` stands for all organizations."""
    used = ModelUsage.objects.all() if organization is None else ModelUsage.objects.of(organization)
    return used.filter(created_at__gte=timezone.now().replace(day=1, hour=0, minute=0, second=0, microsecond=0))


def spent_this_month(organization: Organization, *, own: bool = False) -> Decimal:
    """What models of the installation, or the organization's `own`, cost since the first of the month."""
    used = used_this_month(organization)
    used = used.filter(model__startswith=OWN) if own else used.exclude(model__startswith=OWN)
    spent = used.aggregate(all=Sum("cost"))["all"]
    return Decimal(spent or 0)


def budget_of(organization: Organization) -> Decimal:
    """What the organization may spend in a month: its own figure, else that of the settings. 0 is no limit."""
    own = ModelBudget.objects.of(organization).values_list("monthly", flat=True).first()
    return Decimal(str(settings.MODEL_MONTHLY_BUDGET)) if own is None else own


def own_budget_of(organization: Organization) -> Decimal:
    """What the organization's admins allow a month for the models that they added. 0 is no limit."""
    monthly = OwnModelBudget.objects.of(organization).values_list("monthly", flat=True).first()
    return Decimal(0) if monthly is None else monthly


def budget_left(organization: Organization, *, own: bool = False) -> bool:
    """True where models of the installation, or the organization's `own`, may still be asked this month."""
    limit = own_budget_of(organization) if own else budget_of(organization)
    return limit <= 0 or spent_this_month(organization, own=own) < limit


def affordable(specs: Iterable[ModelSpec], organization: Organization) -> list[ModelSpec]:
    """The models whose budget is not spent."""
    left = {own: budget_left(organization, own=own) for own in (True, False)}
    return [spec for spec in specs if left[spec.id.startswith(OWN)]]
