"""Models that an organization's admins add: kept with a sealed key, tried with a real question, taken away again."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import IntegrityError, transaction

from apps.accounts.audit import record
from apps.accounts.models import AuditAction
from apps.accounts.policy import Action, allowed, demand
from apps.analyst.approaches.models.reaching import checked
from apps.analyst.approaches.models.rules import REPLY_SCHEMA, SYSTEM
from apps.analyst.approaches.models.specs import ModelSpec, Usage
from apps.analyst.errors import ProviderFailed
from apps.core import rates
from apps.core.errors import Conflict, Invalid, NotFound
from apps.integrations.crypto import seal
from apps.threads import copy
from apps.threads.models import ModelProvider, OwnModel, OwnModelBudget
from apps.threads.providers import model_specs, spec_of
from apps.threads.services.usage import budget_left, own_budget_of, spent_this_month, usage_of_test

if TYPE_CHECKING:
    from uuid import UUID

    from apps.accounts.models import Organization, User

MOST = 20
TEST_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Wanted:
    """A model as an admin describes it."""

    provider: str
    model: str
    key: str
    base_url: str = ""
    input_price: Decimal = Decimal(0)
    output_price: Decimal = Decimal(0)


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of the question that a test asks."""

    works: bool
    message: str
    seconds: float
    cost: Decimal


def own_models(*, by: User) -> dict[str, Any]:
    """The models that the member's organization added, then those of the installation; the budget for the former."""
    assert by.organization is not None
    own = [(str(row.pk), spec_of(row, key="")) for row in OwnModel.objects.of(by.organization)]
    return {
        "may_manage": allowed(by, Action.MANAGE_CONNECTIONS),
        "models": [_told(pk, spec) for pk, spec in [*own, *((None, spec) for spec in model_specs())]],
        "monthly_budget": float(own_budget_of(by.organization)),
        "spent": float(spent_this_month(by.organization, own=True)),
    }


def own_model_add(*, by: User, wanted: Wanted) -> OwnModel:
    """Keeps a model for the organization of its admin."""
    organization = _managed(by)
    row = _row(organization, wanted)
    if OwnModel.objects.of(organization).count() >= MOST:
        raise Conflict(copy.MODELS_FULL.format(most=MOST))
    try:
        with transaction.atomic():
            row.save(force_insert=True)
            record(AuditAction.CONNECTED, organization=organization, actor=by, target=f"model {row.model}")
    except IntegrityError as error:
        raise Conflict(copy.MODEL_TWICE) from error
    return row


def own_model_remove(*, by: User, pk: UUID) -> None:
    """Takes a model away, with its key."""
    organization = _managed(by)
    row = _one(organization, pk)
    with transaction.atomic():
        row.delete()
        record(AuditAction.DISCONNECTED, organization=organization, actor=by, target=f"model {row.model}")


def own_model_test(*, by: User, pk: UUID) -> Tried:
    """Asks the model a real question, as the product would, and says what it took; the budget counts it."""
    # Imported here: what reaches the providers takes seconds to load, and only this asks from a web process.
    from apps.analyst.approaches.models import trial
    from apps.analyst.approaches.models.layer import Said, talk

    organization = _managed(by)
    _count(by)
    spec = spec_of(_one(organization, pk))
    if not budget_left(organization, own=True):
        raise Conflict(copy.BUDGET_SPENT_FOR_CHECKS)
    turns = [Said("us", trial.asked())]
    try:
        reply = talk(spec, SYSTEM, turns, seconds=TEST_SECONDS, temperature=0.0, form=REPLY_SCHEMA)
    except ProviderFailed as error:
        return Tried(False, error.message, 0.0, Decimal(0))
    found = trial.outcome(reply.text)
    took = Usage(spec, 1, reply.input_tokens, reply.output_tokens, reply.seconds, failed=found != "right")
    usage_of_test(by=by, organization=organization, took=took)
    return Tried(found == "right", copy.MODEL_TRIED[found], reply.seconds, took.cost)


def names_offered(*, by: User, wanted: Wanted) -> list[str]:
    """The models that a provider lists for a key; nothing is kept."""
    from apps.analyst.approaches.models.naming import offered

    row = _row(_managed(by), wanted)
    _count(by)
    try:
        return offered(spec_of(row, key=wanted.key.strip()))
    except ProviderFailed as error:
        raise Invalid(error.message) from error


def _count(by: User) -> None:
    """One more question to a provider. Raises TooOften past the member's own rate."""
    rate = settings.QUESTIONS_PER_MINUTE
    rates.count("model_tests", by.pk, most=rate, seconds=60, words=f"{rate:,} tests of models a minute", verb="run")


def budget_set(*, by: User, monthly: Decimal) -> None:
    """What the organization's own models may cost in a month; 0 is no limit."""
    organization = _managed(by)
    if not 0 <= monthly < 10_000_000:
        raise Invalid(copy.BUDGET_ODD)
    OwnModelBudget.objects.update_or_create(organization=organization, defaults={"monthly": monthly})


def _told(pk: str | None, spec: ModelSpec) -> dict[str, Any]:
    """A model without its key; the installation's without its address."""
    return {
        "id": pk,
        "name": spec.name,
        "provider": spec.provider,
        "base_url": (spec.base_url or "") if pk else "",
        "input_price": float(spec.input_price),
        "output_price": float(spec.output_price),
    }


def _managed(by: User) -> Organization:
    demand(by, Action.MANAGE_CONNECTIONS)
    assert by.organization is not None
    return by.organization


def _one(organization: Organization, pk: UUID) -> OwnModel:
    row = OwnModel.objects.of(organization).filter(pk=pk).first()
    if row is None:
        raise NotFound(copy.MODEL_GONE)
    return row


def _row(organization: Organization, wanted: Wanted) -> OwnModel:
    if wanted.provider not in ModelProvider.values:
        raise Invalid(copy.PROVIDER_UNKNOWN)
    if min(wanted.input_price, wanted.output_price) < 0 or max(wanted.input_price, wanted.output_price) >= 100_000:
        raise Invalid(copy.PRICE_ODD)
    base_url = wanted.base_url.strip()
    if base_url and wanted.provider != ModelProvider.OPENAI:
        raise Invalid(copy.ADDRESS_ONLY_OPENAI)
    if not base_url and not wanted.key.strip():
        raise Invalid(copy.KEY_NEEDED)
    try:
        base_url = checked(base_url, private=settings.MODEL_PRIVATE_ADDRESSES) if base_url else ""
    except ProviderFailed as error:
        raise Invalid(error.message) from error
    return OwnModel(
        organization=organization,
        provider=wanted.provider,
        model=wanted.model.strip(),
        base_url=base_url,
        sealed=seal(wanted.key.strip()),
        input_price=wanted.input_price,
        output_price=wanted.output_price,
    )
