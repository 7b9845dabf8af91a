"""How much of a figure the few make up: the top 3 of 24 customers 52% of it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate

from apps.analyst.plan import Aggregate, Output
from apps.analyst.telling import formats
from apps.analyst.types import Result, Table

FEWEST = 5
"""Groups below which nobody speaks of a few."""
HALF, PART = 0.5, 4
"""Groups make up much of a figure where so many of them as make up half of it are no more than one in four."""


@dataclass(frozen=True, slots=True)
class Few:
    """So many of the groups, the first, with the name of the very first, and the share that they make up."""

    first: str
    count: int
    groups: int
    share: float

    def words(self, figure: Output, things: str, table: Table) -> str:
        """The sentence: "The top 3 of 24 customers make up 52% of the total amount."."""
        counts = isinstance(figure.expr, Aggregate) and figure.expr.fn == "count"
        whole = f"all {formats.rows_noun(table.name)}" if counts else f"the {formats.spoken(figure.label)}"
        share = formats.figure(100 * self.share, "%")
        if self.count == 1:
            return f"**{self.first}** alone makes up **{share}** of {whole}; there are {self.groups:,} {things}."
        return f"The top **{self.count:,} of {self.groups:,} {things}** make up **{share}** of {whole}."


def few_of(result: Result) -> Few | None:
    """The first groups of a ranking that make up half of it; None where they are no few, or some are below nothing."""
    rows = [(row[0], float(row[1])) for row in result.rows if row[1] is not None]  # type: ignore[arg-type]
    named, whole = [row for row in rows if row[0] is not None], sum(value for _, value in rows)
    if len(named) < FEWEST or result.truncated or whole <= 0 or min(value for _, value in rows) < 0:
        return None
    held = list(accumulate(value for _, value in named))
    count = next((n for n, sum_ in enumerate(held, 1) if sum_ >= HALF * whole), len(named))
    if count * PART > len(named):
        return None
    return Few(formats.cell_text(named[0][0]), count, len(named), held[count - 1] / whole)
