"""Shortened words that no list has are guessed at from the words of known names, where something speaks for them."""

from __future__ import annotations

import pytest

from apps.analyst.dictionary.guessing import guesses, shortens
from apps.analyst.dictionary.names import expanded, shown


def words(token: str) -> list[str]:
    return [word for word, _ in guesses(token)]


@pytest.mark.parametrize(
    ("token", "word"),
    [
        ("offcr", "officer"),
        ("mrchnt", "merchant"),
        ("cnslt", "consultant"),
        ("narr", "narrative"),
        ("hndlr", "handler"),
    ],
)
def test_a_word_is_guessed_that_begins_so_or_whose_consonants_do(token: str, word: str) -> None:
    assert words(token)[0] == word


@pytest.mark.parametrize("token", ["zz", "qx", "x1y2", "ab", "customers", ""])
def test_nothing_is_guessed_from_two_letters_digits_and_whole_words(token: str) -> None:
    assert words(token) == []


def test_what_stands_around_a_name_chooses_between_guesses() -> None:
    assert expanded("trrtr", ("reps", "trrtr", "quota")) == ("territory",)
    assert expanded("prscr", ("pharmacy", "drug", "prscr", "dose")) == ("prescription",)


def test_a_word_that_says_what_it_means_is_left_alone() -> None:
    assert expanded("cove", ("quays", "berth", "cove")) == ("cove",)
    assert expanded("rate") == ("rate",)
    assert expanded("net_total") == ("net", "total")


def test_people_read_a_token_as_it_is_written_where_it_may_as_well_stand_for_something_else() -> None:
    around = ("things", "crt_no", "prm_fl")
    said = expanded("prm_fl", around)
    assert shown("prm_fl", said, around).split()[0] == "prm"


def test_a_value_by_itself_is_never_guessed_at() -> None:
    assert expanded("Trrtr") == ("trrtr",)


@pytest.mark.parametrize(
    ("code", "word", "is_short"),
    [
        ("csh", "cash", True), ("sprk", "sparkling", True), ("mgr", "manager", True), ("rtn", "returned", True),
        ("cn", "cancelled", True), ("pd", "paid", True), ("co", "company", False), ("can", "cancelled", False),
        ("dlv", "sold", False), ("x1", "x10", False),
    ],
)  # fmt: skip
def test_a_code_is_short_for_words_whose_letters_it_keeps(code: str, word: str, is_short: bool) -> None:
    assert shortens(code, word) is is_short
