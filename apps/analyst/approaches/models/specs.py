"""Which models there are and how they are reached. Values only; keys arrive as arguments and are never shown."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal

Provider = Literal["openai", "anthropic", "google"]
"""The three wire formats. "openai" is also any address that speaks its format."""


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """One model. Prices are per million tokens, in the currency of the budget."""

    id: str
    name: str
    provider: Provider
    model: str
    api_key: str = field(repr=False)
    base_url: str | None = None
    input_price: Decimal = Decimal(0)
    output_price: Decimal = Decimal(0)
    takes_temperature: bool = True
    public_only: bool = False
    """True where somebody named the address who may not reach the own network through it."""


@dataclass(slots=True)
class Usage:
    """What one model took for one run."""

    spec: ModelSpec
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    failed: bool = False
    told: list[tuple[str, str]] = field(default_factory=list)
    """Everything that was sent and came back, in its order: who said it (rules, form, us, model), and what."""

    @property
    def cost(self) -> Decimal:
        """Its price."""
        spent = self.input_tokens * self.spec.input_price + self.output_tokens * self.spec.output_price
        return (spent / 1_000_000).quantize(Decimal("0.000001"))
