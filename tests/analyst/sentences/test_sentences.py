"""What the engine says is kept in `said.txt`, which is read from top to bottom, and holds to the house's rules.

`make sentences` writes the file anew.
"""

from __future__ import annotations

import difflib
import re
from pathlib import Path

import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.telling.wording import BOLD, an, be, marked, the, told
from tests.analyst.sentences.said import everything_said
from tests.analyst.sentences.tables import catalog_of

GOLDEN = Path(__file__).parent / "said.txt"
STIFF = {
    "a space before the percent sign": r"\d %",
    "a word that is not ours": r"\bsurely\b|\bper cent\b",
    "a plural with a verb for one": r"(?<!of )(?<!of total )\b(?:sales|discounts|seats|nights|clicks|goals) is\b",
    "an article before a plural total": r"\b(?:is|are|for) the total sales\b|^The total (?:sales|discounts)\b",
    "the same word twice": r"\b(total|average|number of|the|of) \1\b",
    "an abbreviation told as what it may not be": r"\baverage hour\b",
    "an order told as a program does": r"\b(?:seats|amount|sales|price|fee|goals) (?:a|de)scending\b",
    "a sign of the drawing": BOLD,
}


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory, warehouse: LocalWarehouse) -> str:
    return everything_said(catalog_of(tmp_path_factory.mktemp("trades")), warehouse)


def test_every_sentence_is_the_one_that_was_read(said: str) -> None:
    kept = GOLDEN.read_text(encoding="utf-8").splitlines()
    changed = list(difflib.unified_diff(kept, said.splitlines(), "kept", "said", lineterm="", n=0))
    assert not changed, "Read what changed, then run `make sentences`:\n" + "\n".join(changed[:60])


@pytest.mark.parametrize("fault", STIFF)
def test_no_sentence_is_stiff(said: str, fault: str) -> None:
    lines = [line for line in said.splitlines() if re.search(STIFF[fault], line, re.IGNORECASE)]
    assert lines == []


@pytest.mark.parametrize(
    ("name", "subject"),
    [
        ("total sales", "total sales are"),
        ("total amount", "the total amount is"),
        ("number of sales", "the number of sales is"),
        ("highest discounts", "the highest discounts are"),
        ("average units sold", "average units sold are"),
        ("bonus", "the bonus is"),
        ("share of total sales", "the share of total sales is"),
        ("days to close", "days to close are"),
    ],
)
def test_number_and_article_follow_the_name(name: str, subject: str) -> None:
    assert f"{the(name)} {be(name)}" == subject


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (24_612_345_678.9, "USD", "$24.6 billion"),
        (9_200_000, "USD", "$9.2 million"),
        (-1_234_567, "EUR", "−€1.23 million"),
        (999_999_999, None, "1 billion"),
        (48_213, None, "48,213"),
        (12.4, "%", "12.4%"),
        (30.0, "%", "30%"),
        (170.53, "%", "171%"),
        (20.9167, None, "20.9"),
        (0.012345, None, "0.0123"),
        (14, "days", "14 days"),
    ],
)
def test_prose_says_three_digits_of_what_is_large(value: float, unit: str | None, text: str) -> None:
    assert told(value, unit) == text


def test_marks_in_values_are_read_as_they_are() -> None:
    assert marked(f"{BOLD}5* suite{BOLD} has a_b, [x] and _y_") == r"**5\* suite** has a_b, \[x\] and \_y\_"


def test_an_hour_and_a_month_have_their_articles() -> None:
    assert [an(word) for word in ("hour", "month", "order", "unit")] == ["an hour", "a month", "an order", "a unit"]
