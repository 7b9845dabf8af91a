"""Statistical questions and briefs become plans whose figures agree with pandas and SciPy."""

from __future__ import annotations

import string
from datetime import date

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from apps.analyst.computing.compute import compute
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.language.lexicon import build
from apps.analyst.language.readers import statistics
from apps.analyst.language.reading import Reading
from apps.analyst.language.tagging import tag
from apps.analyst.plan import Statistic
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.types import Question, Scalar

TODAY = date(2024, 6, 1)


class Desk:
    """Asks the reader over the made-up tables."""

    def __init__(self, catalog: FixedCatalog, warehouse: LocalWarehouse) -> None:
        self.catalog, self.warehouse, self.lexicon = catalog, warehouse, build(catalog)

    def read(self, text: str, context: str = "") -> list[Reading]:
        question = Question(text, TODAY, context=context)
        tagged = tag(text, self.lexicon)
        return statistics.read(question, self.catalog, self.lexicon, tagged)

    def ask(self, text: str, context: str = "") -> dict[str, Scalar]:
        result = compute(self.read(text, context)[0].plan, self.catalog, self.warehouse).result
        return {column.name: value for column, value in zip(result.columns, result.rows[0], strict=True)}

    def one(self, text: str) -> Scalar:
        return next(iter(self.ask(text).values()))


@pytest.fixture(scope="module")
def desk(plant_catalog: FixedCatalog, warehouse: LocalWarehouse) -> Desk:
    return Desk(plant_catalog, warehouse)


# ---------------------------------------------------------------- briefs
def test_named_values_come_back_under_their_names_and_rounded(desk: Desk, plants: pd.DataFrame) -> None:
    got = desk.ask(
        "Calculate the mean and standard deviation of the stem height.",
        "Format: @mean_height[mean], @std_height[sd] where each is a number rounded to two decimal places.",
    )
    assert got == {
        "mean_height": pytest.approx(plants["stem_height"].mean(), abs=0.0051),
        "std_height": pytest.approx(plants["stem_height"].std(), abs=0.0051),
    }


def test_a_population_standard_deviation_is_used_only_when_it_is_not_denied(desk: Desk, plants: pd.DataFrame) -> None:
    asked = "What is the standard deviation of the number of leaves?"
    form = "\nFormat: @std_leaves[sd]"
    plain = desk.ask(asked, "Use the sample standard deviation, not the population standard deviation." + form)
    whole = desk.ask(asked, "Use the population standard deviation, not the sample one." + form)
    assert plain["std_leaves"] == pytest.approx(plants["Leaves"].std())
    assert whole["std_leaves"] == pytest.approx(plants["Leaves"].std(ddof=0))


def test_a_stated_rule_picks_the_word_to_answer_with(desk: Desk) -> None:
    context = (
        "Calculate the Pearson correlation coefficient between Water Litres and stem_height. Consider the relationship "
        "to be linear if the p-value is less than 0.05 and the absolute value of r is greater than or equal to 0.9. "
        "Consider it to be nonlinear if the p-value is less than 0.05 and the absolute value of r is less than 0.9. "
        "If the p-value is greater than or equal to 0.05, report that there is no significant correlation.\n"
        'Format: @r[r_value] @kind[kind] where "r_value" is rounded to two decimals, and "kind" is a string that can '
        'either be "linear", "nonlinear", or "none".'
    )
    got = desk.ask("Is there a relationship between the water and the stem height?", context)
    assert got["kind"] == "nonlinear"


def test_a_skewness_range_decides_whether_a_column_counts_as_normal(desk: Desk) -> None:
    context = (
        "Assume a normal distribution if skewness is between -0.5 and 0.5.\n"
        'Format: @is_normal[answer] where "answer" is a string, either "Yes" or "No".'
    )
    assert desk.ask("Is FruitWeight normally distributed?", context) == {"is_normal": "Yes"}
    assert desk.ask("Is stem_height normally distributed?", context) == {"is_normal": "No"}


def test_outliers_are_counted_and_the_rest_is_summed_up(desk: Desk, plants: pd.DataFrame) -> None:
    got = desk.ask(
        "Identify the outliers in the stem height by the Z-score method and remove them.",
        "Values with a Z-score greater than 3 or less than -3 are outliers. After removing the outliers, calculate the "
        "mean.\nFormat: @number_of_outliers[integer] @new_mean[mean] where mean is rounded to two decimal places.",
    )
    inside = plants["stem_height"][np.abs(stats.zscore(plants["stem_height"])) <= 3]
    assert got["number_of_outliers"] == 90 - len(inside)
    assert got["new_mean"] == pytest.approx(inside.mean(), abs=0.0051)


def test_a_new_column_is_made_as_the_brief_says(desk: Desk, plants: pd.DataFrame) -> None:
    got = desk.ask(
        "Create a new column called 'Thirst' by dividing the Water Litres column by the Leaves column. "
        "Calculate the mean and median of 'Thirst'.",
        "Format: @mean_thirst[m] @median_thirst[md]",
    )
    thirst = plants["Water Litres"] / plants["Leaves"]
    assert got == {"mean_thirst": pytest.approx(thirst.mean()), "median_thirst": pytest.approx(thirst.median())}


def test_gaps_are_filled_before_the_figure_is_taken(desk: Desk, plants: pd.DataFrame) -> None:
    got = desk.ask(
        "Fill the missing values of FruitWeight with the median of the column and calculate its standard deviation.",
        "Format: @std_weight[sd]",
    )
    filled = plants["FruitWeight"].fillna(plants["FruitWeight"].median())
    assert got["std_weight"] == pytest.approx(filled.std())


def test_groups_named_in_the_asked_values_are_told_apart(desk: Desk, plants: pd.DataFrame) -> None:
    got = desk.ask(
        "Is there a significant difference in the number of leaves between the houses?",
        "Use a one-way ANOVA with a significance level of 0.05.\n"
        "Format: @north_mean_leaves[m] @south_mean_leaves[m] @p_value[p] @significance[significant/not significant]",
    )
    means = plants.groupby("House")["Leaves"].mean()
    groups = [part for _, part in plants.groupby("House")["Leaves"]]
    assert got["north_mean_leaves"] == pytest.approx(means["North"])
    assert got["south_mean_leaves"] == pytest.approx(means["South"])
    assert got["p_value"] == pytest.approx(stats.f_oneway(*groups).pvalue)
    assert got["significance"] == "not significant"


def test_a_filter_of_the_question_narrows_the_rows(desk: Desk, plants: pd.DataFrame) -> None:
    got = desk.ask("What is the mean stem height where Leaves is greater than 20?", "Format: @mean_height[m]")
    assert got["mean_height"] == pytest.approx(plants[plants["Leaves"] > 20]["stem_height"].mean())
    named = desk.ask("What is the mean stem height for plants in the 'North' House?", "Format: @mean_height[m]")
    assert named["mean_height"] == pytest.approx(plants[plants["House"] == "North"]["stem_height"].mean())


def test_a_quoted_value_that_is_not_stored_is_not_overlooked(desk: Desk) -> None:
    assert desk.read("What is the mean stem height in the 'West' House?", "Format: @mean_height[m]") == []


def test_values_that_cannot_be_told_apart_are_not_answered(desk: Desk) -> None:
    context = "Format: @tall_mean[a] @short_mean[b]"
    assert desk.read("What is the mean of Leaves for tall and for short plants?", context) == []


# ---------------------------------------------------------------- plain words
def test_a_correlation_is_told_in_words_with_its_coefficient(desk: Desk, plants: pd.DataFrame) -> None:
    got = desk.ask("Is there a correlation between water litres and stem height?")
    r = stats.pearsonr(plants["Water Litres"], plants["stem_height"]).statistic
    assert got["correlation coefficient"] == pytest.approx(r)
    assert abs(r) > 0.3
    assert "positive correlation" in str(got["relationship"])


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Are there any outliers in stem height?", "outliers"),
        ("Is the fruit weight normally distributed?", "normality"),
        ("What is the 90th percentile of leaves?", "quantile"),
        ("How many missing values are in fruit weight?", "missing"),
        ("How skewed is stem height?", "shape"),
        ("Is there a significant difference in leaves between houses?", "group_difference"),
        ("How is fruit weight distributed?", "distribution"),
        ("Are there duplicate rows in plants?", "duplicates"),
        ("Which factors, such as leaves or water litres, influence the stem height most?", "influence"),
        ("What is the trend of leaves by month?", "trend"),
    ],
)
def test_each_statistic_is_recognised(desk: Desk, text: str, name: str) -> None:
    plan = desk.read(text)[0].plan
    assert isinstance(plan, Statistic)
    assert plan.name == name


@pytest.mark.parametrize(
    "text",
    [
        "What is the average number of leaves by house?",
        "Show me a scatter plot of water litres and stem height",
        "How many plants are there?",
        "List all plants of the North house",
    ],
)
def test_plain_questions_are_left_to_the_plain_reader(desk: Desk, text: str) -> None:
    assert desk.read(text) == []


@settings(max_examples=120, deadline=None)
@given(question=st.text(string.printable, max_size=120), context=st.text(max_size=120))
def test_no_text_makes_the_reader_raise(plant_catalog: FixedCatalog, question: str, context: str) -> None:
    lexicon = build(plant_catalog)
    for extra in ("", " correlation between leaves and water litres", " @a[b] @c_mean[d]"):
        asked = Question(question + extra, TODAY, context=context + extra)
        tagged = tag(asked.text, lexicon)
        assert isinstance(statistics.read(asked, plant_catalog, lexicon, tagged), list)
