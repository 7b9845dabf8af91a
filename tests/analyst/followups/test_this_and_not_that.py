"""What is said to be meant and what not, words of form, and names that are said whole."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from tests.analyst.consensus.planted import write
from tests.analyst.followups.conftest import Ask, Talk, sentence

MECHANICS = ("Aino", "Bruno", "Celia")


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    folder = tmp_path_factory.mktemp("workshop")
    return catalog_from_files([_repairs(folder)], folder / "tables")


def _repairs(folder: Path) -> Path:
    rows = []
    for n in range(300):
        taken = date(2025, 1, 3) + timedelta(days=n)
        stage = ("Not Started", "In Work", "Done")[n % 7 % 3]
        bike = ("City Bike", "Road Bike", "Cargo Trike")[n % 5 % 3]
        paid, issuer = ("Visa", "Cash", "Mastercard")[n % 4 % 3], ("Fjord Bank", "Hill Bank")[n % 3 % 2]
        charge = 25.5 + 7 * (n % 17)
        mechanic = MECHANICS[n % 11 % 3]
        told = f"Bell {n} does not ring" if n % 2 else f"Chain {n} is off"
        rows.append([f"R{n:04d}", taken, mechanic, bike, stage, paid, issuer, told, charge, charge // 9, 1 + n % 6])
    head = ["repair_id", "taken_on", "mechanic", "bike", "stage", "paid_with", "card_issuer", "complaint", "charge",
            "discount", "hours"]  # fmt: skip
    return write(folder, "repairs.csv", head, rows)


COUNT = "How many repairs are there by mechanic in 2025?"
TOTAL = "What is the total charge by mechanic in 2025?"
MONTHS = "What is the total charge by month in 2025?"
CHARGE = "Total charge by mechanic in repairs, where taken on is in 2025"


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        ([COUNT, "charges not count"], CHARGE),
        ([COUNT, "not the count, the charge"], CHARGE),
        ([COUNT, "charge instead of count"], CHARGE),
        ([TOTAL, "the average, not the total"], "Average charge by mechanic in repairs, where taken on is in 2025"),
        ([TOTAL, "not the total, the average"], "Average charge by mechanic in repairs, where taken on is in 2025"),
        ([TOTAL, "hours, not charge"], "Total hours by mechanic in repairs, where taken on is in 2025"),
        ([TOTAL, "by bike, not by mechanic"], "Total charge by bike in repairs, where taken on is in 2025"),
        ([TOTAL, "by bike, not mechanic"], "Total charge by bike in repairs, where taken on is in 2025"),
        ([TOTAL, "by bike instead of by mechanic"], "Total charge by bike in repairs, where taken on is in 2025"),
        ([MONTHS, "no, I meant in total, not by month"], "Total charge in repairs, where taken on is in 2025."),
        ([MONTHS, "in total"], "Total charge in repairs, where taken on is in 2025."),
        ([MONTHS, "quarterly, not monthly"], "Total charge by quarter of taken on in repairs, where taken on is in"),
        ([TOTAL, "only Visa, not Cash"], f"{CHARGE} and paid with is Visa"),
    ],
)
def test_what_is_denied_says_only_what_is_meant_instead(texts: list[str], words: str, ask: Ask) -> None:
    assert sentence(ask(*texts)).startswith(words)


def test_what_is_not_to_be_counted_stays_out_where_nothing_is_meant_instead(ask: Ask) -> None:
    assert "paid with is not Cash" in sentence(ask(TOTAL, "not Cash"))


@pytest.mark.parametrize(
    ("text", "plain"),
    [("who's the best?", "who is the best?"), ("what's the average?", "what is the average?"),
     ("how's it by bike?", "how is it by bike?"), ("who’s the worst", "who is the worst")],
)  # fmt: skip
def test_words_drawn_together_are_read_as_they_are_written_out(text: str, plain: str, talk: Talk) -> None:
    short, long = talk(TOTAL, text)[1], talk(TOTAL, plain)[1]
    assert short.status == "answered"
    assert sentence(short) == sentence(long)


@pytest.mark.parametrize("text", ["show me his repairs", "list her repairs", "their repairs"])
def test_who_was_told_alone_is_meant_by_what_points_at_them(text: str, ask: Ask) -> None:
    given = ask(TOTAL, "who has the most?", text)
    leader = ask(TOTAL, "who has the most?").result
    assert leader is not None
    assert given.result is not None
    assert f"where taken on is in 2025 and mechanic is {leader.rows[0][0]}" in sentence(given)
    assert not sentence(given).startswith("Total")


@pytest.mark.parametrize("text", ["his average discount by bike", "what is his average discount by bike?"])
def test_so_it_is_before_a_figure(text: str, ask: Ask) -> None:
    given = ask(TOTAL, "who has the most?", text)
    assert sentence(given).startswith(
        "Average discount by bike in repairs, where taken on is in 2025 and mechanic is Bruno"
    )


def test_the_rows_of_several_that_were_told_are_all_of_theirs(ask: Ask) -> None:
    given = ask(TOTAL, "show me their repairs")
    assert "where taken on is in 2025." in sentence(given)
    assert not sentence(given).startswith("Total")


def test_rows_that_were_listed_are_cut_and_counted(talk: Talk) -> None:
    said = (TOTAL, "who has the most?", "show me his repairs", "only with a charge over 100", "how many is that?")
    *_, listed, counted = talk(*said)
    assert listed.result is not None
    assert "mechanic is Bruno and charge is over 100" in sentence(listed)
    assert counted.result is not None
    assert counted.result.rows[0][0] == listed.result.total_rows


@pytest.mark.parametrize("before", [[TOTAL], [TOTAL, "compare with the year before"], [TOTAL, "only Visa"]])
def test_the_whole_name_of_a_column_is_that_column(before: list[str], ask: Ask) -> None:
    given = ask(*before, "by card issuer")
    assert "card issuer" in sentence(given).partition(" in repairs")[0]
    assert not given.assumptions or "Visa" not in " ".join(given.assumptions)


def test_a_value_that_is_said_itself_stays_a_value(ask: Ask) -> None:
    assert "where taken on is in 2025 and paid with is Visa" in sentence(ask(TOTAL, "only Visa"))
