"""Figures of unlike quantities are neither added nor compared, as far as units tell."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.dictionary.types import ColumnMeaning, TableMeaning
from apps.analyst.reading.candidates import proposed
from apps.analyst.reading.quantities import is_mixed
from apps.analyst.reading.sketch import Sketch
from apps.analyst.tables.catalog import catalog_from_files
from apps.analyst.types import Question

BILLS = TableMeaning(
    table="bills",
    row="bill",
    rows="bills",
    columns=(
        ColumnMeaning("amount", "amount", "measure", money=True),
        ColumnMeaning("paid", "paid", "measure", unit="EUR", money=True),
        ColumnMeaning("used", "consumption", "measure", unit="kWh"),
        ColumnMeaning("calls", "calls", "measure"),
        ColumnMeaning("talk", "talk minutes", "measure", unit="minutes"),
        ColumnMeaning("opened", "opened", "time"),
    ),
)


def c(column: str) -> Sketch:
    return ("C", "bills", column)


@pytest.mark.parametrize(
    "sketch",
    [
        ("agg", ("m1", ("sum", ("vsub", ("vadd", c("amount"), c("used")), c("paid")))), ("any",)),
        ("agg", ("m1", ("minus", ("sum", c("amount")), ("sum", c("talk")))), ("any",)),
        ("rows", ("v1", c("calls")), ("vgt", c("amount"), c("talk")), ("all",)),
        ("rows", ("v1", c("calls")), ("vgt", ("age", ("in_days",), c("opened")), c("used")), ("all",)),
    ],
)
def test_money_is_neither_added_to_other_quantities_nor_held_against_them(sketch: Sketch) -> None:
    assert is_mixed(sketch, {"bills": BILLS})


@pytest.mark.parametrize(
    "sketch",
    [
        ("agg", ("m1", ("sum", ("vsub", c("amount"), c("paid")))), ("any",)),
        ("agg", ("m1", ("ratio", ("sum", c("amount")), ("sum", c("used")))), ("any",)),
        ("agg", ("m1", ("sum", ("vmul", c("amount"), c("used")))), ("any",)),
        ("agg", ("m2", ("sum", c("amount")), ("sum", c("used"))), ("any",)),
        ("agg", ("m1", ("plus", ("sum", c("amount")), ("sum", c("calls")))), ("any",)),
        ("rows", ("v1", c("calls")), ("vgt", ("age", ("in_days",), c("opened")), c("talk")), ("all",)),
    ],
)
def test_quantities_alike_are_and_unlike_ones_may_be_divided_or_stand_side_by_side(sketch: Sketch) -> None:
    assert not is_mixed(sketch, {"bills": BILLS})


@pytest.mark.parametrize("text", ["bill plus consumption by site", "what do we still owe by region"])
def test_no_reading_is_proposed_that_mixes_money_with_kilowatt_hours(tmp_path: Path, text: str) -> None:
    file = tmp_path / "bills.csv"
    rows = (f"{'AB'[n % 2]}x,{'NS'[n % 2]}o,2024-{1 + n % 12:02}-01,{700 + n},{240 + n}.5" for n in range(72))
    file.write_text("\n".join(["SITE_NM,RGN,MTH,Consumption (kWh),BLL_AMT", *rows]))
    bills = catalog_from_files([file], tmp_path / "tables")
    made = proposed(Question(text, today=date(2025, 6, 30)), bills).candidates
    assert made
    assert not [one for one in made if is_mixed(one.sketch, dictionary_of(bills))]
