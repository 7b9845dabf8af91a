"""A frame program prepares a table by typed steps and takes the named figures from it."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.analyst.computing.statistics.program import Program, half_up, parse, worded
from apps.analyst.computing.statistics.registry import check, run
from apps.analyst.computing.statistics.result import StatisticResult
from apps.analyst.errors import AnalystError, PlanRejected


def program(steps: list[dict[str, Any]], figures: list[dict[str, Any]]) -> str:
    return json.dumps({"steps": steps, "figures": figures})


def of(name: str, figure: str, *columns: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "study": "summary", "figure": figure, "columns": list(columns), **more}


def computed(frame: pd.DataFrame, steps: list[dict[str, Any]], *figures: dict[str, Any]) -> StatisticResult:
    return run("program", frame, {"program": program(steps, list(figures))})


def col(name: str) -> dict[str, Any]:
    return {"kind": "col", "name": name}


def minus(left: str, right: str) -> dict[str, Any]:
    return {"kind": "op", "op": "-", "left": col(left), "right": col(right)}


def test_a_made_column_can_be_summed_up(plants: pd.DataFrame) -> None:
    step = {"do": "derive", "name": "gap", "formula": minus("stem_height", "Water Litres")}
    found = computed(plants, [step], of("m", "median", "gap", decimals=2), of("s", "std", "gap"))
    gap = plants["stem_height"] - plants["Water Litres"]
    assert found.figures["m"] == pytest.approx(round(gap.median(), 2), abs=0.011)
    assert found.figures["s"] == pytest.approx(gap.std())
    assert "compute gap = stem_height - Water Litres" in found.rule


def test_figures_before_and_after_outliers_are_removed_differ(plants: pd.DataFrame) -> None:
    step = {"do": "outliers", "column": "stem_height", "method": "zscore", "threshold": 3}
    found = computed(plants, [step], of("before", "mean", "stem_height", at=0), of("after", "mean", "stem_height"))
    z = (plants["stem_height"] - plants["stem_height"].mean()) / plants["stem_height"].std(ddof=0)
    assert found.figures["before"] == pytest.approx(plants["stem_height"].mean())
    assert found.figures["after"] == pytest.approx(plants["stem_height"][z.abs() <= 3].mean())


@pytest.mark.parametrize(
    ("by", "wanted"),
    [
        ("mean", lambda c: c.fillna(c.mean())),
        ("median", lambda c: c.fillna(c.median())),
        ("forward", lambda c: c.ffill()),
    ],
)
def test_gaps_are_filled_as_told(plants: pd.DataFrame, by: str, wanted: Any) -> None:
    step = {"do": "fill_missing", "columns": ["FruitWeight"], "by": by}
    found = computed(plants, [step], of("std", "std", "FruitWeight"), of("n", "count", "FruitWeight"))
    assert found.figures["std"] == pytest.approx(wanted(plants["FruitWeight"]).std())
    assert found.figures["n"] == 90


def test_gaps_can_be_filled_within_groups_first(plants: pd.DataFrame) -> None:
    step = {"do": "fill_missing", "columns": ["FruitWeight"], "by": "mean", "per": "House"}
    own = plants.groupby("House")["FruitWeight"].transform("mean")
    found = computed(plants, [step], of("m", "mean", "FruitWeight"))
    assert found.figures["m"] == pytest.approx(plants["FruitWeight"].fillna(own).mean())


def test_classes_by_percentile_hold_every_row_once(plants: pd.DataFrame) -> None:
    step = {
        "do": "classify", "name": "size", "column": "Leaves", "edges": [0.25, 0.75], "quantiles": True,
        "labels": ["small", "middle", "large"],
    }  # fmt: skip
    figures = [
        {"name": label, "study": "rows", "figure": "count", "where": [{"column": "size", "op": "=", "value": label}]}
        for label in ("small", "middle", "large")
    ]
    found = computed(plants, [step], *figures).figures
    low, high = plants["Leaves"].quantile([0.25, 0.75])
    assert found["small"] == int((plants["Leaves"] < low).sum())
    assert found["large"] == int((plants["Leaves"] >= high).sum())
    assert sum(int(str(v)) for v in found.values()) == 90


def test_scaling_numbering_and_dropping_duplicates_work_together() -> None:
    frame = pd.DataFrame({"kind": ["b", "a", "b", "b"], "size": [1.0, 3.0, 5.0, 5.0]})
    steps: list[dict[str, Any]] = [
        {"do": "drop_duplicates"},
        {"do": "encode", "columns": ["kind"]},
        {"do": "scale", "columns": ["size"]},
    ]
    found = computed(frame, steps, of("kind", "mean", "kind"), of("size", "mean", "size"))
    assert found.figures == {"kind": pytest.approx(2 / 3), "size": pytest.approx(0.5)}


def test_a_label_is_the_first_whose_tests_hold(plants: pd.DataFrame) -> None:
    labels = [
        {"text": "linear", "when": [[
            {"figure": "p", "op": "<", "value": 0.05}, {"figure": "r", "op": ">=", "value": 0.3, "absolute": True},
        ]]},
        {"text": "none"},
    ]  # fmt: skip
    figure = {"name": "kind", "study": "correlation", "figure": "", "labels": labels}
    close = {**figure, "columns": ["Water Litres", "stem_height"]}
    apart = {**figure, "columns": ["Leaves", "Water Litres"]}
    assert computed(plants, [], close).figures == {"kind": "linear"}
    assert computed(plants, [], apart).figures == {"kind": "none"}


def test_names_of_outlier_rows_are_listed_with_the_asked_separator(plants: pd.DataFrame) -> None:
    figure = {
        "name": "who", "study": "outlier_rows", "figure": "names", "separator": "; ",
        "columns": ["stem_height", "Plant"],
    }  # fmt: skip
    assert computed(plants, [], figure).figures["who"] == "P005; P040; P077"


def test_the_name_at_the_highest_average_is_found_per_group(plants: pd.DataFrame) -> None:
    figure = {
        "name": "best", "study": "at_maximum", "figure": "name", "columns": ["House", "Leaves"],
        "options": {"per": "mean"},
    }  # fmt: skip
    assert computed(plants, [], figure).figures["best"] == plants.groupby("House")["Leaves"].mean().idxmax()


@pytest.mark.parametrize(
    ("name", "wanted"),
    [("log10", np.log10), ("ln", np.log), ("sqrt", np.sqrt), ("percent_change", lambda s: s.pct_change() * 100)],
)
def test_functions_of_a_column_agree_with_numpy(plants: pd.DataFrame, name: str, wanted: Any) -> None:
    step = {"do": "derive", "name": "new", "formula": {"kind": "fn", "name": name, "args": [col("stem_height")]}}
    found = computed(plants, [step], of("m", "mean", "new"))
    assert found.figures["m"] == pytest.approx(wanted(plants["stem_height"]).mean())


def test_weekends_and_hours_come_from_dates(plants: pd.DataFrame) -> None:
    steps = [
        {"do": "derive", "name": "weekend", "formula": {"kind": "fn", "name": "weekend", "args": [col("Planted")]}},
        {"do": "derive", "name": "hour", "formula": {"kind": "fn", "name": "hour", "args": [col("at")]}},
    ]
    frame = plants.assign(at=["07:15 AM"] * 45 + ["11:30 PM"] * 45)
    found = computed(frame, steps, of("w", "sum", "weekend"), of("h", "maximum", "hour"))
    assert found.figures["w"] == int((plants["Planted"].dt.dayofweek >= 5).sum())
    assert found.figures["h"] == 23


def test_halves_are_rounded_up_as_people_do() -> None:
    assert half_up(1.305, 2) == 1.31
    assert half_up(-2.5, 0) == -3.0


def test_a_program_is_told_as_instructions() -> None:
    read = parse(program([{"do": "drop_missing", "columns": ["a"]}], [of("m", "mean", "a")]))
    assert worded(read) == "leave out rows without a; then give mean of a"


@pytest.mark.parametrize(
    "text",
    [
        "", "no json", "{}", '{"figures": []}',
        program([{"do": "eval", "code": "1"}], [of("m", "mean", "a")]),
        program([], [{"name": "m", "study": "os.system", "figure": "mean"}]),
        program([], [of("m", "mean", "a", at=4)]),
    ],
)  # fmt: skip
def test_what_is_no_program_is_rejected(text: str) -> None:
    with pytest.raises(PlanRejected):
        check("program", {"program": text})


def test_a_missing_column_is_named_in_the_refusal(plants: pd.DataFrame) -> None:
    with pytest.raises(AnalystError, match="There is no column “nowhere”"):
        computed(plants, [], of("m", "mean", "nowhere"))


@given(st.text(max_size=200))
def test_any_text_is_a_program_or_rejected(text: str) -> None:
    read: Program | None = None
    with contextlib.suppress(PlanRejected):
        read = parse(text)
    assert read is None or read.figures


def test_a_program_never_changes_the_frame_it_gets(plants: pd.DataFrame) -> None:
    before = plants.copy(deep=True)
    computed(plants, [{"do": "scale", "columns": ["Leaves"]}], of("m", "mean", "Leaves"))
    pd.testing.assert_frame_equal(plants, before)
