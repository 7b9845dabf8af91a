"""All statistics by name, and the one function that runs them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from apps.analyst.computing.statistics.options import Options
from apps.analyst.computing.statistics.program import parse, run_program, worded
from apps.analyst.computing.statistics.result import StatisticResult
from apps.analyst.computing.statistics.studies import STUDIES, Study
from apps.analyst.errors import AnalystError, PlanRejected

if TYPE_CHECKING:
    import pandas as pd

STATISTICS: dict[str, Study] = {**STUDIES, "program": run_program}


def known(name: str) -> bool:
    """Whether there is a statistic of that name."""
    return name in STATISTICS


def check(name: str, options: Options) -> None:
    """Raises PlanRejected where a plan names an unknown statistic or an ill-formed program."""
    if name not in STATISTICS:
        raise PlanRejected(f"There is no statistic called “{name}”.")
    if name == "program":
        parse(options.get("program"))


def sentence(name: str, columns: tuple[str, ...], options: Options) -> str:
    """What a statistic of a plan does, in words for the evidence: "correlation of A and B (method: spearman)"."""
    if name == "program":
        return worded(parse(options.get("program")))
    told = ", ".join(
        f"{key.replace('_', ' ')}: {value}" for key, value in options.items() if value is not None and key != "show"
    )
    return f"{name.replace('_', ' ')} of {' and '.join(columns)}" + (f" ({told})" if told else "")


def run(name: str, frame: pd.DataFrame, options: Options) -> StatisticResult:
    """Compute a statistic over a frame of the plan's columns, in their order.

    Raises PlanRejected for an unknown name, AnalystError for wrong types or too few values. Never changes `frame`.
    """
    statistic = STATISTICS.get(name)
    if statistic is None:
        raise PlanRejected(f"There is no statistic called “{name}”.")
    if len(frame.columns) == 0:
        raise AnalystError("A statistic needs at least one column.")
    plain = {key: value for key, value in options.items() if key != "show"}
    try:
        found = statistic(frame, plain)
    except (ValueError, ArithmeticError) as error:
        # Numbers beyond what the libraries' algorithms can tell apart; they say so in words for programmers.
        raise AnalystError("These values are too extreme for this statistic.") from error
    return shown(found, str(options["show"])) if options.get("show") else found


def shown(found: StatisticResult, wish: str) -> StatisticResult:
    """Only the wished figures, as one row: "strength=relationship,r" renames the first and keeps the second's name.

    Raises PlanRejected for a figure that the statistic does not have."""
    figures, units = {}, {}
    for entry in wish.split(","):
        figure, _, label = entry.partition("=")
        if figure not in found.figures:
            raise PlanRejected(f"The statistic “{found.name}” has no figure “{figure}”.")
        figures[label or figure] = found.figures[figure]
        if figure in found.units:
            units[label or figure] = found.units[figure]
    return replace(found, figures=figures, units=units, columns=(), rows=())
