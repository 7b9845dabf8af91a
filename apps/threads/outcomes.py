"""How questions ended, counted: answered, asked back, declined, failed or stopped, and how the answers were rated."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.db.models import Count, Q, QuerySet
from django.db.models.functions import TruncWeek

from apps.threads.models import Role, Run, RunKind, RunState

if TYPE_CHECKING:
    from apps.accounts.models import Organization

MONTH = timedelta(days=30)
WEEKS = timedelta(weeks=8)
"""How far back admins are told how questions ended: in sums and by member, and week by week."""
ASKED_BACK, DECLINED = "clarify", "declined"
"""What an answer that is none says of itself (apps.analyst.types.Answer.status)."""


@dataclass(slots=True)
class Outcomes:
    """Of so many questions, how many ended in which way. Those that are still worked on are in `asked` alone."""

    asked: int = 0
    answered: int = 0
    asked_back: int = 0
    declined: int = 0
    failed: int = 0
    stopped: int = 0
    rated_up: int = 0
    rated_down: int = 0


def questions_since(moment: datetime, organization: Organization | None) -> QuerySet[Run]:
    """The questions asked since then, each with the `week` it was asked in; of all organizations where none is said."""
    mine = {} if organization is None else {"thread__organization": organization}
    runs = Run.objects.filter(kind=RunKind.QUESTION, created_at__gt=moment, **mine)
    return runs.annotate(week=TruncWeek("created_at"))


def outcomes(runs: QuerySet[Run], *by: str) -> dict[tuple[Any, ...], Outcomes]:
    """The counts of these questions for each value of the fields; one entry, under (), where none is named."""
    found: dict[tuple[Any, ...], Outcomes] = defaultdict(Outcomes)
    width = len(by)
    for *key, asked, failed, stopped in _each(
        runs,
        by,
        Count("pk"),
        Count("pk", filter=Q(state=RunState.FAILED)),
        Count("pk", filter=Q(state=RunState.CANCELLED)),
    ):
        entry = found[tuple(key[:width])]
        entry.asked, entry.failed, entry.stopped = asked, failed, stopped
    told = runs.filter(messages__role=Role.ASSISTANT, messages__is_selected_assistant=True)
    for *key, every, back, declined in _each(
        told,
        by,
        Count("pk"),
        Count("pk", filter=Q(messages__answer__status=ASKED_BACK)),
        Count("pk", filter=Q(messages__answer__status=DECLINED)),
    ):
        entry = found[tuple(key[:width])]
        entry.answered, entry.asked_back, entry.declined = every - back - declined, back, declined
    rated = runs.filter(messages__is_thumbs_up__isnull=False)
    for *key, up, down in _each(
        rated,
        by,
        Count("pk", filter=Q(messages__is_thumbs_up=True)),
        Count("pk", filter=Q(messages__is_thumbs_up=False)),
    ):
        entry = found[tuple(key[:width])]
        entry.rated_up, entry.rated_down = up, down
    return dict(found)


def _each(runs: QuerySet[Run], by: tuple[str, ...], *counts: Count) -> list[tuple[Any, ...]]:
    named = {f"count_{place}": count for place, count in enumerate(counts)}
    if not by:
        return [tuple(runs.aggregate(**named)[name] for name in named)]
    return list(runs.order_by().values(*by).annotate(**named).values_list(*by, *named))
