"""The language models that the settings name, as the engine and the picker see them. Keys never leave here unasked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any, cast

from django.conf import settings

from apps.analyst.approaches.models.specs import ModelSpec, Provider
from apps.analyst.approaches.names import BUILTIN

BUILTIN_NAME = "Built-in analyst"
_NAMES = {"openai": "OpenAI", "anthropic": "Anthropic", "google": "Google"}


def model_specs() -> list[ModelSpec]:
    """All models of providers that have a key or an address."""
    return list(_specs())


def specs_for(ids: Sequence[str]) -> list[ModelSpec]:
    """The models of these ids, in their order; unknown ones are left out, and so is the built-in analyst."""
    known = {spec.id: spec for spec in _specs()}
    return [known[name] for name in ids if name in known]


def stand_ins(specs: Sequence[ModelSpec]) -> list[ModelSpec]:
    """The first model of each provider that none of `specs` is of: asked where those fail, and in checks."""
    if not settings.MODEL_STAND_INS:
        return []
    of_provider: dict[str, ModelSpec] = {}
    for spec in _specs():
        of_provider.setdefault(spec.provider, spec)
    return [spec for provider, spec in of_provider.items() if all(one.provider != provider for one in specs)]


def model_choices() -> list[dict[str, Any]]:
    """What may be picked for a question."""
    builtin = {"id": BUILTIN, "name": BUILTIN_NAME, "provider": BUILTIN, "takes_temperature": False}
    return [
        builtin,
        *(
            {"id": s.id, "name": s.name, "provider": s.provider, "takes_temperature": s.takes_temperature}
            for s in _specs()
        ),
    ]


def _specs() -> Iterator[ModelSpec]:
    for provider, told in settings.MODEL_PROVIDERS.items():
        if not told["api_key"] and not told["base_url"]:
            continue
        for model in told["models"]:
            prices = settings.MODEL_PRICES.get(model, (0, 0))
            yield ModelSpec(
                id=model,
                name=f"{_NAMES[provider]} {model}",
                provider=cast(Provider, provider),
                model=model,
                api_key=told["api_key"] or "none",
                base_url=told["base_url"] or None,
                input_price=Decimal(str(prices[0])),
                output_price=Decimal(str(prices[1])),
                takes_temperature=model not in settings.MODELS_WITHOUT_TEMPERATURE,
            )
