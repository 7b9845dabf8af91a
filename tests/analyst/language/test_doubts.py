"""Words that leave no trace in a plan make its reading doubtful, each kind as much as it weighs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from apps.analyst.language import ANSWER_THRESHOLD, Reading
from apps.analyst.language.doubt import doubted
from apps.analyst.plan import Aggregate, ColumnRef, Output, Query

Best = Callable[..., Reading]
TOTAL = Output(label="Total", expr=Aggregate(fn="sum", of=ColumnRef(table="trips", column="amount")))
STATUS = Output(label="status", expr=ColumnRef(table="trips", column="status"))


def reading(*unused: str, plan: Query | None = None) -> Reading:
    return Reading(plan or Query(source="trips", measures=(TOTAL,)), 0.9, unused=unused)


def test_a_question_that_is_used_up_keeps_its_score() -> None:
    assert doubted("total amount", reading()) == 0.9


@pytest.mark.parametrize("word", ["highest", "increased", "except", "Same"])
def test_a_lost_word_that_works_on_figures_stops_the_answer(word: str) -> None:
    assert doubted("total amount", reading(word)) < ANSWER_THRESHOLD


@pytest.mark.parametrize("word", ["gridlines", "depicting", "colours"])
def test_words_about_looks_do_not_matter(word: str) -> None:
    assert doubted("total amount", reading(word, "legend", "axis", "labels")) == 0.9


def test_one_word_of_scenery_is_borne_and_many_are_not() -> None:
    assert doubted("total amount", reading("hikers")) == 0.9
    assert (
        doubted("total amount", reading("hikers", "carried", "summit", "ropes", "guides", "winter")) < ANSWER_THRESHOLD
    )


def test_groups_nobody_asked_for_do_not_answer_a_question_for_one_figure() -> None:
    grouped = Query(source="trips", groups=(STATUS,), measures=(TOTAL,))
    assert doubted("What is the total amount of cancelled trips?", reading(plan=grouped)) < ANSWER_THRESHOLD
    assert doubted("What is the total amount per status?", reading(plan=grouped)) == 0.9


def test_no_doubt_goes_below_the_scale() -> None:
    assert doubted("total", reading("highest", *(f"word{i}" for i in range(40)))) == 0.05


def test_a_change_that_cannot_be_read_is_not_answered_with_a_plain_sum(best: Best) -> None:
    assert best("What increased amount did trips surpass assuming twice the discount?").score < ANSWER_THRESHOLD
