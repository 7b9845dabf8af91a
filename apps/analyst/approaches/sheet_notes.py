"""Where a recount went its own way, noted while it works and told at the end."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from apps.analyst.plan.parting import Parting


@dataclass
class Notes:
    """What the hand did otherwise than the engine, as far as it made a difference to the rows that count."""

    repeated: dict[str, tuple[set[Any], int]] = field(default_factory=dict)
    """Tables whose rows a join repeated under a figure of theirs: the rows met, and how often in all."""
    looked_up: dict[str, int] = field(default_factory=dict)
    """Tables of which only the first of several matches was taken: the keys concerned."""
    blank_averages: Counter[str] = field(default_factory=Counter)
    blanks_kept: int = 0

    def partings(self) -> tuple[Parting, ...]:
        found = [
            Parting(
                "join",
                f"Joins first and adds up then: {len(met):,} rows of {table} become {times:,}, and each counts; the "
                "selected approach counts each of them once.",
            )
            for table, (met, times) in self.repeated.items()
        ]
        found += [
            Parting(
                "join",
                f"Looks up only the first match: {keys:,} keys stand in {table} more than once; the selected approach "
                "takes every match, so that rows count several times.",
            )
            for table, keys in self.looked_up.items()
        ]
        if self.blanks_kept:
            found.append(
                Parting(
                    "filter",
                    "Keeps rows whose cell is blank where values are excluded; the selected approach leaves them out.",
                )
            )
        found += [
            Parting(
                "measure", f"Counts {count:,} missing values of {name} as 0; the selected approach leaves them out."
            )
            for name, count in self.blank_averages.items()
        ]
        return tuple(found)
