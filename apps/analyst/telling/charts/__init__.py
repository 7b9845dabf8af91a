"""Charts: which one shows a result best, as a chart file and as an encoding."""

from __future__ import annotations

import re

from apps.analyst.computing.compute import Computed
from apps.analyst.language.reading import ChartWish
from apps.analyst.plan import Statistic
from apps.analyst.telling.charts.choice import choose, refused
from apps.analyst.telling.charts.document import document
from apps.analyst.telling.charts.encode import encoding
from apps.analyst.telling.narrate.view import View
from apps.analyst.types import Chart

_OF_PAIRS = frozenset({"correlation", "covariance", "regression"})


def draw(view: View, wish: ChartWish | None = None) -> Chart | None:
    """The chart of a computed result, or None where none helps. `wish` is what the question asked to see."""
    view = _drawn(view)
    choice = choose(view, wish)
    if choice is None:
        return None
    made = document(view, choice)
    if not any(dataset["data"] for dataset in made["datasets"]):
        return None
    return Chart(file_name=f"{slug(str(made['title']))}.json", document=made, encoding=encoding(view, choice))


def why_not(view: View, wish: ChartWish | None) -> str:
    """Why a result is not drawn as slices, where they were asked for; else ""."""
    return refused(_drawn(view), wish)


def _drawn(view: View) -> View:
    """What is drawn: the result, or the rows behind a statistic on how two figures go together."""
    plan, listed = view.plan, view.computed.listed
    if not isinstance(plan, Statistic) or listed is None or plan.name not in _OF_PAIRS:
        return view
    rows = View(Computed(plan.query, listed), view.catalog)
    return rows if len(rows.numbers()) == 2 and len(listed.rows) > 2 else view


def slug(title: str) -> str:
    """A title as a file name: "total-amount-by-region"."""
    words = re.findall(r"[a-z0-9]+", title.lower())
    return "-".join(words)[:60].strip("-") or "chart"
