"""Statistics are told with the figures that matter, and heads of their tables are words. Tables stay exact."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from apps.analyst.computing.statistics.result import prose
from apps.analyst.plan import Plan, Query, Statistic
from apps.analyst.telling.narrate import View, headed, story
from tests.analyst.plans.short import col, out

See = Callable[[Plan], View]
AMOUNT, SEATS, STAGE = (out(name, col(name)) for name in ("amount", "seats", "stage"))


def statistic(name: str, *columns: object, **options: str | int | float) -> Statistic:
    return Statistic(name=name, query=Query(source="deals", columns=columns), options=options)  # type: ignore[arg-type]


def heads(view: View) -> list[str]:
    return [column.name for column in headed(view).columns]


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (46700.62, "46,701"),
        (8_372_535.03, "8.37 million"),
        (5535.7, "5,536"),
        (0.12345, "0.123"),
        (-6144.74, "\u22126,145"),
        (11.0, "11"),
        (0.00001234, "1.23e-05"),
        (1234567, "1,234,567"),
        ("West", "West"),
    ],
)
def test_prose_rounds_what_is_no_whole_number(value: float | str, told: str) -> None:
    assert prose(value) == told


def test_the_figures_of_a_summary_have_heads_in_words(seen: See) -> None:
    view = seen(statistic("summary", AMOUNT))
    names = heads(view)
    assert names[:3] == ["Count", "Missing", "Mean"]
    assert {"Standard deviation", "Standard deviation (population)", "Lower quartile", "Standard error"} <= set(names)
    assert not [name for name in names if "_" in name or name[:1].islower()]


@pytest.mark.parametrize(
    ("plan", "told"),
    [
        (statistic("correlation", AMOUNT, SEATS), {"Correlation (r)", "P-value", "R²", "Number of values"}),
        (statistic("frequency", STAGE), {"Stage", "Rows", "Share"}),
        (statistic("outliers", AMOUNT), {"Lower bound", "Remaining standard deviation (population)"}),
        (statistic("regression", AMOUNT, SEATS), {"Root mean squared error", "Intercept"}),
    ],
    ids=["correlation", "frequency", "outliers", "regression"],
)
def test_other_statistics_have_heads_in_words(plan: Statistic, told: set[str], seen: See) -> None:
    names = heads(seen(plan))
    assert told <= set(names)
    assert not [name for name in names if "_" in name]


def test_a_figure_that_the_question_names_keeps_its_name(seen: See) -> None:
    view = seen(statistic("correlation", AMOUNT, SEATS, show="strength=relationship,r=correlation coefficient"))
    assert heads(view) == ["relationship", "correlation coefficient"]


def test_the_table_is_exact_where_the_sentence_is_not(seen: See) -> None:
    view = seen(statistic("summary", AMOUNT))
    mean = dict(zip((column.name for column in view.columns), view.rows[0], strict=True))["mean"]
    assert isinstance(mean, float)
    assert f"average {mean:,.0f} (" in story(view, "Standard")
    assert mean in headed(view).rows[0]
    assert mean != round(mean)


def test_the_column_that_a_statistic_is_told_for_has_its_unit_beside_its_name(seen: See) -> None:
    shown = headed(seen(statistic("trend", out("create_date", col("create_date")), AMOUNT)))
    assert [(column.name, column.unit) for column in shown.columns] == [
        ("Create date", None),
        ("Amount", "USD"),
        ("Trend line", None),
    ]
