"""Figures of one column agree with NumPy, pandas and SciPy computed apart."""

from __future__ import annotations

import contextlib
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from apps.analyst.computing.statistics.registry import run
from apps.analyst.computing.statistics.result import StatisticResult, figure_text, words
from apps.analyst.errors import AnalystError, PlanRejected


def test_a_summary_agrees_with_pandas(plants: pd.DataFrame) -> None:
    found = run("summary", plants[["FruitWeight"]], {}).figures
    column = plants["FruitWeight"]
    wanted = {
        "count": 86, "missing": 4, "mean": column.mean(), "median": column.median(), "std": column.std(),
        "std_pop": column.std(ddof=0), "variance": column.var(), "minimum": column.min(), "maximum": column.max(),
        "range": column.max() - column.min(), "q1": column.quantile(0.25), "q3": column.quantile(0.75),
        "iqr": column.quantile(0.75) - column.quantile(0.25), "sum": column.sum(), "standard_error": column.sem(),
    }  # fmt: skip
    for name, value in wanted.items():
        assert found[name] == pytest.approx(value), name


@pytest.mark.parametrize("q", [0.0, 0.1, 0.5, 0.9, 1.0])
def test_a_percentile_interpolates_linearly(plants: pd.DataFrame, q: float) -> None:
    assert run("quantile", plants[["stem_height"]], {"q": q}).figures["value"] == pytest.approx(
        plants["stem_height"].quantile(q)
    )


def test_skewness_follows_the_convention_that_is_asked_for(plants: pd.DataFrame) -> None:
    column = plants["stem_height"]
    as_pandas = run("shape", plants[["stem_height"]], {}).figures
    as_scipy = run("shape", plants[["stem_height"]], {"convention": "scipy"}).figures
    assert as_pandas["skewness"] == pytest.approx(column.skew())
    assert as_pandas["kurtosis"] == pytest.approx(column.kurt())
    assert as_scipy["skewness"] == pytest.approx(stats.skew(column))
    assert as_scipy["kurtosis"] == pytest.approx(stats.kurtosis(column))


def test_a_distribution_puts_every_value_into_one_class(plants: pd.DataFrame) -> None:
    found = run("distribution", plants[["Leaves"]], {"bins": 6})
    assert len(found.rows) == 6
    assert sum(int(str(row[2])) for row in found.rows) == 90
    assert math.isclose(sum(float(str(row[3])) for row in found.rows), 100.0)


def test_frequencies_leave_missing_values_out() -> None:
    found = run("frequency", pd.DataFrame({"colour": ["red", "blue", None, "red"]}), {})
    assert found.rows == (("red", 2, pytest.approx(200 / 3)), ("blue", 1, pytest.approx(100 / 3)))
    assert "red, in 2 of 3 rows" in words(found)


def test_entropy_of_two_even_values_is_one_bit() -> None:
    assert run("entropy", pd.DataFrame({"side": ["a", "b"] * 8}), {}).figures["entropy"] == pytest.approx(1.0)


def test_z_scores_agree_with_scipy(plants: pd.DataFrame) -> None:
    found = [row[1] for row in run("zscores", plants[["Leaves"]], {}).rows]
    assert found == pytest.approx(list(stats.zscore(plants["Leaves"])))


def test_texts_that_read_as_numbers_are_numbers_and_the_note_says_so() -> None:
    found = run("summary", pd.DataFrame({"price": ["$1,200", "€800", "n/a", "400"]}), {})
    assert found.figures["sum"] == 2400
    assert found.notes == ("price: texts read as numbers; 1 values that are no numbers left out",)


def test_times_of_day_are_read_as_seconds() -> None:
    found = run("summary", pd.DataFrame({"wait": ["00:01:30", "00:00:30", "1:00:00"]}), {})
    assert found.figures["mean"] == pytest.approx((90 + 30 + 3600) / 3)


def test_lengths_of_time_are_minutes_and_seconds_where_times_of_day_are_hours_and_minutes() -> None:
    lengths = run("summary", pd.DataFrame({"lap": ["4:30", "4:10,5", "1:02:15", "DNF", "59.5"]}), {})
    assert lengths.figures["mean"] == pytest.approx((270 + 250.5 + 3735 + 59.5) / 4)
    assert lengths.notes == ("lap: lengths of time read as seconds; 1 values that are no numbers left out",)
    day = run("summary", pd.DataFrame({"opens": ["09:30", "08:00", "10:30"]}), {})
    assert day.figures["mean"] == pytest.approx((9.5 + 8 + 10.5) / 3 * 3600)
    assert day.notes == ("opens: times of day read as seconds",)


def test_a_column_of_names_is_refused_in_plain_words() -> None:
    with pytest.raises(AnalystError, match="holds text, not numbers"):
        run("summary", pd.DataFrame({"who": ["Ann", "Bob"]}), {})


def test_an_unknown_statistic_or_option_is_refused() -> None:
    frame = pd.DataFrame({"x": [1.0, 2.0]})
    with pytest.raises(PlanRejected):
        run("magic", frame, {})
    with pytest.raises(AnalystError, match="q must be a number from 0 to 1"):
        run("quantile", frame, {"q": 7})


def test_only_the_wished_figures_are_shown_under_their_labels(plants: pd.DataFrame) -> None:
    found = run("missing", plants[["FruitWeight"]], {"show": "count=gaps,percent"})
    assert found.result().columns[0].name == "gaps"
    assert found.result().rows[0][0] == 4
    with pytest.raises(PlanRejected):
        run("missing", plants[["FruitWeight"]], {"show": "price"})


def test_missing_values_are_counted_per_column(plants: pd.DataFrame) -> None:
    found = run("missing", plants, {})
    assert found.figures["most"] == "FruitWeight"
    assert found.figures["columns"] == "FruitWeight"
    assert found.figures["count"] == 4


def test_duplicates_are_rows_that_repeat_an_earlier_one() -> None:
    frame = pd.DataFrame({"a": [1, 1, 2, 1], "b": ["x", "x", "y", "z"]})
    assert run("duplicates", frame, {}).figures == {"count": 1, "remaining": 3, "any": True}


def test_figures_of_conditions_are_written_as_people_write_them() -> None:
    assert [figure_text(v) for v in (1234567, 0.123456, 1234.5, 3.0, None, True)] == [
        "1,234,567", "0.1235", "1,234.50", "3", "nothing", "yes",
    ]  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(st.floats(allow_nan=True, allow_infinity=True, width=32), min_size=0, max_size=30))
def test_any_numbers_give_figures_or_a_plain_refusal(values: list[float]) -> None:
    frame = pd.DataFrame({"x": np.array(values, dtype=float), "y": np.arange(len(values), dtype=float)})
    for name in (
        "summary",
        "shape",
        "outliers",
        "normality",
        "distribution",
        "correlation",
        "trend",
        "growth",
        "zscores",
    ):
        found = StatisticResult(name)
        with contextlib.suppress(AnalystError):
            found = run(name, frame, {})
        assert all(not (isinstance(v, float) and math.isinf(v)) for v in found.figures.values()), name
