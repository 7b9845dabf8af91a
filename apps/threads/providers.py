"""The language models of the settings and of organizations, as engine and picker see them. No key leaves here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from decimal import Decimal
from typing import TYPE_CHECKING, Any, cast

from django.conf import settings

from apps.analyst.approaches.models.specs import ModelSpec, Provider
from apps.analyst.approaches.names import BUILTIN
from apps.integrations.crypto import Unopenable, unseal
from apps.threads.models import ModelPolicy, ModelProvider, OwnModel

if TYPE_CHECKING:
    from apps.accounts.models import Organization

BUILTIN_NAME = "Built-in analyst"
OWN = "own:"
"""How the ids of models begin that an organization added."""


def model_specs() -> list[ModelSpec]:
    """All models of the installation: of providers that have a key or an address in the settings."""
    return list(_specs())


def specs_for(ids: Sequence[str], organization: Organization) -> list[ModelSpec]:
    """The models of these ids, in their order; unknown ones are left out, and so is the built-in analyst."""
    known = {spec.id: spec for spec in _all(organization, ids)}
    return [known[name] for name in ids if name in known]


def stand_ins(specs: Sequence[ModelSpec], organization: Organization) -> list[ModelSpec]:
    """The first model of each provider that none of `specs` is of: asked where those fail, and in checks."""
    if not settings.MODEL_STAND_INS:
        return []
    of_provider: dict[str, ModelSpec] = {}
    for spec in _all(organization):
        of_provider.setdefault(spec.provider, spec)
    return [spec for provider, spec in of_provider.items() if all(one.provider != provider for one in specs)]


def model_choices(organization: Organization) -> list[dict[str, Any]]:
    """What may be picked for a question; one of them is the `first`, picked where a member has picked nothing."""
    own = [spec_of(row, key="") for row in OwnModel.objects.of(organization)]
    choices: list[dict[str, Any]] = [
        {"id": BUILTIN, "name": BUILTIN_NAME, "provider": BUILTIN, "takes_temperature": False},
        *(
            {"id": s.id, "name": s.name, "provider": s.provider, "takes_temperature": s.takes_temperature}
            for s in (*own, *_specs())
        ),
    ]
    first = _first(organization, [one["id"] for one in choices])
    return [{**one, "first": one["id"] == first} for one in choices]


def _first(organization: Organization, ids: Sequence[str]) -> str:
    """Who answers where a member has picked nobody: as the admins chose, else a model where there is one."""
    chosen = ModelPolicy.objects.of(organization).values_list("first", flat=True).first()
    if chosen in ids:
        return str(chosen)
    return ids[1] if len(ids) > 1 else ids[0]


def spec_of(row: OwnModel, *, key: str | None = None) -> ModelSpec:
    """A model that the organization added, as the engine asks it. Raises Unopenable unless its key is given."""
    return ModelSpec(
        id=f"{OWN}{row.model}",
        name=f"{ModelProvider(row.provider).label} {row.model}" if not row.base_url else row.model,
        provider=cast(Provider, row.provider),
        model=row.model,
        api_key=(unseal(row.sealed) if key is None else key) or "none",
        base_url=row.base_url or None,
        input_price=row.input_price,
        output_price=row.output_price,
        takes_temperature=row.model not in settings.MODELS_WITHOUT_TEMPERATURE,
        public_only=bool(row.base_url) and not settings.MODEL_PRIVATE_ADDRESSES,
    )


def _all(organization: Organization, ids: Sequence[str] | None = None) -> Iterator[ModelSpec]:
    """The organization's own models, those that can be opened, before the installation's."""
    for row in OwnModel.objects.of(organization):
        if ids is None or f"{OWN}{row.model}" in ids:
            with suppress(Unopenable):
                yield spec_of(row)
    yield from _specs()


def _specs() -> Iterator[ModelSpec]:
    for provider, told in settings.MODEL_PROVIDERS.items():
        if not told["api_key"] and not told["base_url"]:
            continue
        for model in told["models"]:
            prices = settings.MODEL_PRICES.get(model, (0, 0))
            yield ModelSpec(
                id=model,
                name=f"{ModelProvider(provider).label} {model}",
                provider=cast(Provider, provider),
                model=model,
                api_key=told["api_key"] or "none",
                base_url=told["base_url"] or None,
                input_price=Decimal(str(prices[0])),
                output_price=Decimal(str(prices[1])),
                takes_temperature=model not in settings.MODELS_WITHOUT_TEMPERATURE,
            )
