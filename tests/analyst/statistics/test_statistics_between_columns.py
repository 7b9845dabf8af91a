"""Figures between columns, along an order and between groups agree with SciPy computed apart."""

from __future__ import annotations

from datetime import date

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from apps.analyst.computing.statistics.registry import run
from apps.analyst.computing.statistics.result import words
from apps.analyst.errors import AnalystError


@pytest.mark.parametrize(
    ("method", "test"), [("pearson", stats.pearsonr), ("spearman", stats.spearmanr), ("kendall", stats.kendalltau)]
)
def test_a_correlation_agrees_with_scipy(plants: pd.DataFrame, method: str, test: object) -> None:
    found = run("correlation", plants[["Water Litres", "stem_height"]], {"method": method}).figures
    wanted = test(plants["Water Litres"], plants["stem_height"])  # type: ignore[operator]
    assert found["r"] == pytest.approx(wanted.statistic)
    assert found["p"] == pytest.approx(wanted.pvalue)


def test_a_correlation_leaves_out_rows_with_a_gap_and_says_how_many_it_stands_on(plants: pd.DataFrame) -> None:
    found = run("correlation", plants[["stem_height", "FruitWeight"]], {})
    assert found.rows_used == 86
    assert "over 86 rows" in words(found)
    assert found.picture is not None
    assert found.picture.total_rows == 86


def test_a_column_that_never_changes_cannot_be_correlated() -> None:
    with pytest.raises(AnalystError, match="same value in every row"):
        run("correlation", pd.DataFrame({"x": [1, 1, 1, 1], "y": [1, 2, 3, 4]}), {})


def test_a_correlation_matrix_leaves_texts_out_and_names_the_closest_pair(plants: pd.DataFrame) -> None:
    found = run("correlation_matrix", plants[["House", "Water Litres", "stem_height", "Leaves"]], {})
    assert [row[0] for row in found.rows] == ["Water Litres", "stem_height", "Leaves"]
    assert "left out, no numbers: House" in found.notes
    wanted = plants[["Water Litres", "stem_height", "Leaves"]].corr()
    assert found.rows[0][2] == pytest.approx(wanted.loc["Water Litres", "stem_height"])


def test_the_strongest_influence_is_named_and_none_is_no_clear_impact() -> None:
    base = np.arange(30.0)
    frame = pd.DataFrame({"goal": base, "follows": base * 2 + 1, "noise": np.tile([1.0, 2.0], 15)})
    assert run("influence", frame, {"threshold": 0.5}).figures["factors"] == "follows"
    assert run("influence", frame[["noise", "goal"]], {"threshold": 0.5}).figures["factors"] == "No clear impact"


def test_a_regression_line_agrees_with_scipy_and_predicts(plants: pd.DataFrame) -> None:
    found = run("regression", plants[["Water Litres", "stem_height"]], {"at": 5.0}).figures
    wanted = stats.linregress(plants["Water Litres"], plants["stem_height"])
    assert found["slope"] == pytest.approx(wanted.slope)
    assert found["intercept"] == pytest.approx(wanted.intercept)
    assert found["r_squared"] == pytest.approx(wanted.rvalue**2)
    assert found["prediction"] == pytest.approx(wanted.slope * 5 + wanted.intercept)


def test_covariance_divides_by_n_minus_one(plants: pd.DataFrame) -> None:
    wanted = np.cov(plants["Water Litres"], plants["stem_height"])[0, 1]
    assert run("covariance", plants[["Water Litres", "stem_height"]], {}).figures["covariance"] == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("test", "wanted"),
    [("shapiro", stats.shapiro), ("dagostino", stats.normaltest), ("jarque_bera", stats.jarque_bera)],
)
def test_normality_tests_agree_with_scipy(plants: pd.DataFrame, test: str, wanted: object) -> None:
    values = plants["FruitWeight"].dropna()
    found = run("normality", plants[["FruitWeight"]], {"test": test}).figures
    assert found["p"] == pytest.approx(wanted(values).pvalue)  # type: ignore[operator]


def test_kolmogorov_smirnov_compares_with_a_normal_of_the_same_mean_and_spread(plants: pd.DataFrame) -> None:
    values = plants["FruitWeight"].dropna()
    wanted = stats.kstest(values, "norm", args=(values.mean(), values.std()))
    assert run("normality", plants[["FruitWeight"]], {"test": "ks"}).figures["p"] == pytest.approx(wanted.pvalue)


def test_anderson_darling_refuses_a_skewed_column_and_accepts_a_normal_one(plants: pd.DataFrame) -> None:
    assert run("normality", plants[["stem_height"]], {"test": "anderson"}).figures["normal"] is False
    assert run("normality", plants[["FruitWeight"]], {"test": "anderson"}).figures["normal"] is True


def test_groups_are_compared_with_the_test_that_fits_their_number(plants: pd.DataFrame) -> None:
    groups = [part for _, part in plants.groupby("House")["Leaves"]]
    found = run("group_difference", plants[["Leaves", "House"]], {})
    assert found.figures["p"] == pytest.approx(stats.f_oneway(*groups).pvalue)
    two = plants[plants["House"] != "East"]
    parts = [part for _, part in two.groupby("House")["Leaves"]]
    assert run("group_difference", two[["Leaves", "House"]], {}).figures["p"] == pytest.approx(
        stats.ttest_ind(*parts).pvalue
    )
    with pytest.raises(AnalystError, match="exactly two groups; there are 3"):
        run("group_difference", plants[["Leaves", "House"]], {"test": "mannwhitney"})


def test_independence_of_categories_agrees_with_scipy() -> None:
    frame = pd.DataFrame({"a": ["x", "x", "y", "y", "y", "x"] * 9, "b": ["k", "l", "k", "k", "l", "k"] * 9})
    wanted = stats.chi2_contingency(pd.crosstab(frame["a"], frame["b"]))
    assert run("independence", frame, {}).figures["p"] == pytest.approx(wanted.pvalue)


def test_outliers_by_quartiles_are_the_three_tall_plants(plants: pd.DataFrame) -> None:
    found = run("outliers", plants[["stem_height", "Plant"]], {})
    assert found.figures["count"] == 3
    assert [row[0] for row in found.rows] == ["P005", "P040", "P077"]
    assert found.figures["remaining mean"] == pytest.approx(plants["stem_height"].drop([5, 40, 77]).mean())
    assert "below Q1 - 1.5 IQR" in found.rule


def test_outliers_by_z_score_stand_beyond_the_threshold(plants: pd.DataFrame) -> None:
    found = run("outliers", plants[["stem_height"]], {"method": "zscore", "threshold": 2})
    assert found.figures["count"] == int((np.abs(stats.zscore(plants["stem_height"])) > 2).sum())


def test_a_trend_is_the_least_squares_line_and_a_forecast_continues_it() -> None:
    frame = pd.DataFrame({"month": pd.date_range("2024-01-01", periods=6, freq="MS"), "sold": [10, 12, 14, 16, 18, 20]})
    found = run("trend", frame, {"ahead": 2, "grain": "month", "step": "month"})
    assert found.figures["direction"] == "rising"
    assert found.figures["forecast"] == pytest.approx(24)
    assert found.rows[-1][0] == date(2024, 8, 1)
    assert "rising by about 2 a month" in words(found)


def test_growth_knows_the_years_between_first_and_last() -> None:
    frame = pd.DataFrame({"year": [2020, 2015], "sales": [200.0, 100.0]})
    found = run("growth", frame, {}).figures
    assert found["percent"] == pytest.approx(100)
    assert found["cagr"] == pytest.approx(100 * (2 ** (1 / 5) - 1))
    assert found["average_change"] == pytest.approx(20)


def test_a_moving_average_begins_when_it_has_enough_rows() -> None:
    found = run("moving_average", pd.DataFrame({"day": [3, 1, 2, 4], "sold": [30, 10, 20, 40]}), {"span": 2})
    assert [row[2] for row in found.rows] == [None, 15.0, 25.0, 35.0]
