"""What those who operate the product watch of the answers: how many wait, how they end, how long people waited."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from statistics import quantiles

from django.db.models import Count
from django.utils import timezone

from apps.core.metrics import Figure
from apps.core.readiness import seconds_since
from apps.threads.models import UNFINISHED, Run, RunState
from apps.threads.selectors import oldest_unfinished

LOOKED_BACK = timedelta(minutes=15)


def figures() -> Iterator[Figure]:
    """Unfinished runs by state, the oldest's age; how runs of the last 15 minutes ended and how long people waited."""
    now = timezone.now()
    working = dict(Run.objects.filter(state__in=UNFINISHED).values_list("state").annotate(runs=Count("pk")))
    for waiting in UNFINISHED:
        yield Figure("runs_unfinished", "Questions and checks under way", working.get(waiting, 0), {"state": waiting})
    age = seconds_since(oldest_unfinished())
    yield Figure("run_age_seconds", "How long ago the oldest question or check under way was asked, in seconds", age)
    ended = Run.objects.filter(finished_at__gte=now - LOOKED_BACK).values_list("state", "created_at", "finished_at")
    seconds: dict[str, list[float]] = {state: [] for state in RunState.values if state not in UNFINISHED}
    for state, created, finished in ended:
        assert finished is not None, "those were asked for"
        seconds[state].append((finished - created).total_seconds())
    for state, waits in seconds.items():
        yield Figure("runs_ended_15m", "Runs that ended in the last 15 minutes", len(waits), {"state": state})
    answered = seconds[RunState.COMPLETED]
    if len(answered) > 1:
        cuts = quantiles(answered, n=20)
        meaning = "From the question to its answer in the last 15 minutes, in seconds"
        yield Figure("answer_seconds", meaning, cuts[9], {"quantile": "0.5"})
        yield Figure("answer_seconds", meaning, cuts[18], {"quantile": "0.95"})
