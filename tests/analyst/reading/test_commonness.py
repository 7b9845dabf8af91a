"""Words that people use whatever their data are about say less of one's own."""

from __future__ import annotations

import pytest

from apps.analyst.reading.commonness import PATH, rarity


@pytest.mark.parametrize(("common", "rare"), [("each", "invoices"), ("invoices", "reels"), ("month", "frontlist")])
def test_a_word_of_fewer_trades_is_rarer(common: str, rare: str) -> None:
    assert 0 <= rarity(common) < rarity(rare) <= 1


def test_the_words_are_counted_once_and_by_no_more_databases_than_there_are() -> None:
    total, *lines = PATH.read_text(encoding="utf-8").splitlines()
    counts = [int(line.split(" ", 1)[0]) for line in lines]
    words = [word for line in lines for word in line.split(" ")[1:]]
    assert counts == sorted(set(counts), reverse=True)
    assert counts[0] <= int(total)
    assert len(words) == len(set(words)) > 1000
