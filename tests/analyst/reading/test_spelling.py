"""Misspelled words of the calendar, and unknown words beside one of the data or of a trade, are read as that."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from apps.analyst.plan import Constant
from apps.analyst.plan.nodes import every
from apps.analyst.reading.amended import is_heeded
from apps.analyst.reading.candidates import proposed
from apps.analyst.reading.linking import link, tokens_of
from apps.analyst.reading.spelling import spelled
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Question

TODAY = date(2025, 6, 18)


def read(text: str, *stored: str) -> list[str]:
    return spelled(tokens_of(text), lambda word: word in stored)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("leavers this quater", "quarter"), ("leavers per qaurter", "quarter"), ("orders in Febuary", "february"),
        ("orders in feburary", "february"), ("orders of septemeber 2024", "september"), ("due tommorow", "tomorrow"),
        ("due tomorow", "tomorrow"), ("on wendesday", "wednesday"), ("by wensday", None), ("last moth", "month"),
        ("the last 3 moths", "months"), ("this yaer", "year"), ("per yaer", "year"), ("last mnth", "month"),
        ("last monht", "month"), ("in ocotber", "october"), ("janurary sales", "january"), ("in agust", "august"),
        ("sold yestarday", "yesterday"), ("on thrusday", "thursday"), ("next wek", None), ("last weeek", "week"),
        ("last quater's leavers", "quarter's"), ("tickets by mnoth", "month"),
    ],
)  # fmt: skip
def test_a_misspelled_word_of_the_calendar_is_read_as_it(said: str, meant: str | None) -> None:
    changed = [word for word, before in zip(read(said), tokens_of(said), strict=True) if word != before]
    assert changed == ([meant] if meant is not None else [])


@pytest.mark.parametrize(
    "text",
    [
        "moth traps", "moths caught per trap", "match results", "orders of Marsh Ltd", "stores in Augusta",
        "mouth wash", "the last mouth wash sold", "fuel per gear", "quart bottles", "yeast sold this year",
        "orders in March", "sales by month", "monthly sales", "each weak link", "this wear part", "sales of summers",
        "decent orders", "per head", "orders last week", "quartile of price", "todays orders", "yearling sales",
    ],
)  # fmt: skip
def test_other_words_stay_as_they_are(text: str) -> None:
    assert read(text) == tokens_of(text)


@pytest.mark.parametrize(("text", "word"), [("leavers this quater", "quater"), ("catches last moth", "moth")])
def test_a_word_of_the_catalog_is_never_changed(text: str, word: str) -> None:
    assert word in read(text, word)


@pytest.fixture(scope="module")
def staff(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    """200 leavers of two teams, one of them called Febuary."""
    folder: Path = tmp_path_factory.mktemp("staff")
    lines = ["leaver_id,team,left_on,reason"]
    for n in range(200):
        left = date(2023, 1, 1) + timedelta(days=n * 4)
        lines.append(f"L{n:03d},{('Sales', 'Febuary')[n % 2]},{left},{('Pay', 'Move', 'Other')[n % 3]}")
    (folder / "leavers.csv").write_text("\n".join(lines))
    return catalog_from_files([folder / "leavers.csv"], folder / "tables")


def test_a_misspelled_period_is_not_passed_over(staff: FixedCatalog) -> None:
    asked = Question("How many leavers this quater?", today=TODAY)
    plan = proposed(asked, staff).candidates[0].plan
    said = {str(n.value) for n in every(plan) if isinstance(n, Constant) and n.type == "date"}
    assert said == {"2025-04-01", "2025-07-01"}
    every_leaver = proposed(Question("How many leavers?", today=TODAY), staff).candidates[0].plan
    assert not is_heeded(every_leaver, link(asked, staff))


def test_a_value_that_looks_like_a_misspelled_month_stays_a_value(staff: FixedCatalog) -> None:
    assert link(Question("leavers of Febuary", today=TODAY), staff).periods == []


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("which resturant", "restaurant"), ("total by custommer", "customer"), ("goods recieved", "received"),
        ("headcount by deparment", "department"), ("per regoin", "region"), ("the last thirty days", None),
        ("sales of Lumenor", None), ("orders from Narnia", None), ("how many were blorked", None),
        ("the fourteenth of May", None), ("visits to Maltings", None),
    ],
)  # fmt: skip
def test_a_word_that_nobody_knows_is_a_slip_of_one_that_is_known(said: str, meant: str | None) -> None:
    read_as = spelled(tokens_of(said), lambda word: word in ("lumenor", "maltings"), lambda: {"region", "mailings"})
    changed = [word for word, before in zip(read_as, tokens_of(said), strict=True) if word != before]
    assert changed == ([meant] if meant is not None else [])


def test_a_word_of_a_stored_value_is_no_slip(tmp_path: Path) -> None:
    (tmp_path / "flats.csv").write_text("flat,block,mailings\n1,The Maltings,2\n2,Old Mill,3\n")
    catalog = catalog_from_files([tmp_path / "flats.csv"], tmp_path / "tables")
    assert "maltings" in link(Question("flats in the Maltings", today=TODAY), catalog).tokens
    assert "mailings" in link(Question("total mailngs", today=TODAY), catalog).tokens
