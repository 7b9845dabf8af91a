"""What the reader promises about itself: it never fails, never differs from itself, and says when it is unsure."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import date

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.analyst.language import ANSWER_THRESHOLD, Reading
from apps.analyst.language.choose import read
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.types import Question

TODAY = date(2025, 7, 15)


Best = Callable[..., Reading]
_WORDS = st.sampled_from(
    [
        "show",
        "total",
        "average",
        "amount",
        "by",
        "status",
        "trail",
        "guide",
        "top",
        "3",
        "which",
        "has",
        "the",
        "most",
        "not",
        "without",
        "trips",
        "between",
        "2024",
        "and",
        "2025",
        "over",
        "percentage",
        "of",
        "each",
        "per",
        "month",
        "than",
        "more",
        "either",
        "or",
        "both",
        "first",
        "last",
        "same",
        "difference",
        "sorted",
        "desc",
        "chart",
        "pie",
        ",",
        "?",
        "'",
        '"',
        "(",
        ")",
        "%",
    ]
)


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(text=st.one_of(st.text(max_size=200), st.lists(_WORDS, max_size=25).map(" ".join)))
def test_any_text_is_read_without_an_error(catalog: FixedCatalog, text: str) -> None:
    for reading in read(Question(text, today=TODAY), catalog):
        assert 0.0 <= reading.score <= 1.0


def test_a_very_long_question_ends_soon(catalog: FixedCatalog) -> None:
    began = time.process_time()  # its own work, however busy the machine is
    read(Question("total amount by status and " * 2000, today=TODAY), catalog)
    assert time.process_time() - began < 10


def test_the_same_question_gives_the_same_plan(catalog: FixedCatalog) -> None:
    question = Question("Which guides have more than two trips in Germany?", today=TODAY)
    assert [r.plan for r in read(question, catalog)] == [r.plan for r in read(question, catalog)]


@pytest.mark.parametrize(
    "question", ["Will it rain in Paris tomorrow?", "Write me a poem about autumn leaves falling", "asdf qwer zxcv"]
)
def test_what_the_data_cannot_say_is_not_answered(catalog: FixedCatalog, question: str) -> None:
    readings = read(Question(question, today=TODAY), catalog)
    assert not readings or readings[0].score < ANSWER_THRESHOLD


def test_words_without_a_place_are_named(best: Best) -> None:
    assert "purple" in best("total amount by purple status").unused


def test_an_empty_catalog_has_no_readings() -> None:
    assert read(Question("total amount", today=TODAY), FixedCatalog("empty", ())) == []
