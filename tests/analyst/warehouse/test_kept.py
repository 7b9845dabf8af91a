"""What is made once is kept for whoever asks again, as much of it as was allowed."""

from __future__ import annotations

import pytest

from apps.analyst.kept import Kept


def test_a_value_is_made_once_also_one_that_is_none() -> None:
    made: list[str] = []
    kept: Kept[str, None] = Kept(2)
    for _ in range(3):
        assert kept.get("a", lambda: made.append("a")) is None
    assert made == ["a"]


def test_those_that_nobody_asked_for_longest_are_let_go() -> None:
    kept: Kept[str, int] = Kept(2)
    kept.get("a", lambda: 1)
    kept.get("b", lambda: 2)
    kept.get("a", lambda: 9)
    kept.get("c", lambda: 3)
    assert (kept.held("a"), kept.held("b"), kept.held("c")) == (1, None, 3)


def test_nothing_is_kept_of_what_failed_and_all_can_be_forgotten() -> None:
    kept: Kept[str, int] = Kept(2)
    with pytest.raises(ZeroDivisionError):
        kept.get("a", lambda: 1 // 0)
    assert kept.get("a", lambda: 5) == 5
    kept.forget()
    assert kept.held("a") is None
