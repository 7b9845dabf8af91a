"""The SQL statement being written: its bound parameters, the tables it reads, and what should be said about it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from apps.analyst.ports import Catalog
from apps.analyst.types import Scalar


@dataclass(slots=True)
class Statement:
    """Collects while expressions are written. Parameters are numbered, so they may be bound in any order."""

    catalog: Catalog
    parameters: list[Scalar] = field(default_factory=list)
    tables: dict[str, Path] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    steady: bool = True
    """Whether floating-point sort keys are compared by the digits that count; off where people read the text."""

    def bind(self, value: Scalar) -> str:
        """The placeholder under which `value` travels to the query engine."""
        self.parameters.append(value)
        return f"${len(self.parameters)}"

    def note(self, text: str) -> None:
        """Keeps a sentence for the evidence, once."""
        if text not in self.notes:
            self.notes.append(text)
