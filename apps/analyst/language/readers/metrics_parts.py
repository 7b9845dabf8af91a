"""The parts of a sales question and the words that stand for them. Values only."""

from __future__ import annotations

from dataclasses import dataclass, field

from apps.analyst.computing.metrics.roles import Part
from apps.analyst.language.periods import PeriodMention
from apps.analyst.plan import AggregateName, Grain

NOUNS = {
    "meetings": r"meetings?|appointments?",
    "emails": r"e ?- ?mails?|emails?|mails?",
    "tickets": r"tickets?|"
    r"cases|support requests?",
    "contacts": r"contacts?",
    "companies": r"customers?|compan(?:y|ies)|accounts?|"
    r"clients?",
    "deals": r"deals?|opportunit(?:y|ies)|opps?",
    "targets": r"targets?|quotas?|goals?",
}
GRAINS: dict[str, Grain] = {
    "day": "day",
    "daily": "day",
    "week": "week",
    "weekly": "week",
    "month": "month",
    "monthly": "month",
    "quarter": "quarter",
    "quarterly": "quarter",
    "year": "year",
    "yearly": "year",
    "annually": "year",
    "annual": "year",
}
GRAIN = r"days?|weeks?|months?|quarters?|years?"
OWNER = (
    r"(?:deal |sales |account )?(?:owners?|reps?|representatives?|executives?|sellers?|salespe(?:rson|ople)|"
    r"persons?|people|ae|aes)"
)
ROLE_WORDS = {
    "owner": OWNER,
    "company": r"(?:different )?(?:compan(?:y|ies)|accounts?|customers?|clients?)(?: "
    r"names?)?",
    "stage": r"(?:deal |sales )?stages?",
    "reason": r"(?:lost? |loss )?reasons?",
    "outcome": r"(?:meeting )?outcomes?",
    "status": r"(?:ticket |send "
    r")?status(?:es)?",
    "direction": r"directions?",
    "priority": r"priorit(?:y|ies)",
    "source": r"(?:deal |lead )?sources?",
    "pipeline": r"pipelines?",
}
AGGREGATES: tuple[tuple[str, AggregateName], ...] = (
    (r"average|mean|avg", "avg"),
    (r"median|typical", "median"),
    (r"minimum|min|smallest|lowest", "min"),
    (r"maximum|max", "max"),
    (r"total|sum of|sum|overall|combined", "sum"),
)
MONEY = r"(?:deal )?(?:amounts?|values?|worth|money|volume|size)"
REVENUE = r"(?:won |closed )?(?:revenues?|sales|bookings?|turnover)|sells?|sold|selling"
DOWN = r"largest|biggest|highest|most|best|greatest|top|leading|newest|latest|last|most recent|most valuable|strongest"
UP = r"smallest|lowest|fewest|least|worst|bottom|oldest|earliest|weakest|first|shortest"


@dataclass(slots=True)
class Dimension:
    """By what rows are told apart: a grain of time, or a column."""

    grain: Grain | None = None
    part: Part | None = None
    role: str = ""


@dataclass(slots=True)
class Ask:
    """A sales question in parts."""

    kind: str = ""
    metric: str = ""
    fn: AggregateName | None = None
    extremes: tuple[AggregateName, ...] = ()
    column: Part | None = None
    count: bool = False
    distinct: Part | None = None
    states: tuple[str, ...] = ()
    groups: list[Dimension] = field(default_factory=list)
    asked: bool = False
    """True where the first dimension is what is asked for ("which owner")."""
    listing: bool = False
    limit: int | None = None
    descending: bool | None = None
    key: str = ""
    """The role that listed rows are sorted by."""
    within: bool = False
    """True where rows are ranked inside each group ("top 3 deals per owner")."""
    periods: list[PeriodMention] = field(default_factory=list)
    moment: str = ""
    missing: list[Part] = field(default_factory=list)
    bounds: list[tuple[str, float]] = field(default_factory=list)
    values: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    silent: int | None = None
    older: int | None = None
    many: bool = False
    """True where the dimension is asked for in the plural ("which industries")."""
    compared: bool = False
    listed: bool = False
    """True where two periods are only named side by side ("this year and last year"): each is told whole."""
    share: bool = False
    change: bool = False
    below: bool = False
    why: bool = False
    assumed: list[str] = field(default_factory=list)
    lacking: str = ""
