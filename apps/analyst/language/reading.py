"""What a reader proposes: a plan, how sure it is, and what the person wished to see. Values only, no reading here."""

from __future__ import annotations

from dataclasses import dataclass, field

from apps.analyst.plan import Plan
from apps.analyst.types import ChartType

ANSWER_THRESHOLD = 0.61
"""The least score at which a reading may be answered."""
METRICS = "metrics"
"""The reader of the figures that sales teams know by name, which have definitions of their own."""


@dataclass(frozen=True, slots=True)
class ChartWish:
    """The chart a question asks for. `explicit` is True where the question names a chart or says "plot", "show a
    chart".

    `x`, `y` and `color` are output labels of the plan (for a listing: of its columns), None where the plan's order
    decides.
    """

    mark: ChartType | None = None
    explicit: bool = False
    x: str | None = None
    y: str | None = None
    color: str | None = None
    aggregate: str | None = None
    """The aggregate of `y` as people say it: "count", "sum", "mean", "min", "max", "median"; None for raw rows."""
    x_bin: bool = False
    stacked: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to understand a question.

    `score` (0 to 1) is the confidence that the plan answers what was asked: `ANSWER_THRESHOLD` is the least that
    may be answered. `understood` says in words what was recognised, `unused` holds content words that found no place.
    """

    plan: Plan
    score: float
    understood: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    chart: ChartWish | None = None
    asked: tuple[str, ...] = ()
    """Output labels that are the answer proper, in the order asked ("which shop sold most" asks for the shop; its sales
    only support it). Empty: every output was asked for."""
    reader: str = ""
    wording: str = ""
    """How this reading would be asked unmistakably; offered as a choice where two readings come close."""
    alternatives: tuple[str, ...] = field(default=())
    """Wordings of near readings with another plan."""
    definitions: tuple[str, ...] = ()
    """The organisation's keywords that were used, with what they mean."""
    notes: tuple[str, ...] = ()
    """What the person should know about how the question was read."""
