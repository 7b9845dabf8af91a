"""Words that people use whatever their data are about say less of one's own."""

from __future__ import annotations

import pytest

from apps.analyst.computing.compute import compute
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.reading.candidates import proposed
from apps.analyst.reading.commonness import PATH, rarity
from apps.analyst.reading.features import Computed, features
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.types import Question
from tests.analyst.reading.conftest import TODAY


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


def test_a_reading_that_has_no_place_for_a_rare_word_is_seen_to(stays: FixedCatalog) -> None:
    warehouse = LocalWarehouse(threads=1)

    def seen(text: str) -> dict[str, float]:
        found = proposed(Question(text, today=TODAY), stays)
        plan = found.candidates[0].plan
        return features([Computed(plan, compute(plan, stays, warehouse).result, -0.1)], found)[0]

    plain, common, rare = (seen(f"how many {word}bookings arrived in march 2025") for word in ("", "still ", "zither "))
    assert plain["rare_unread"] <= common["rare_unread"] < rare["rare_unread"] == 1.0
    assert rare["rare_used"] < plain["rare_used"]
    assert rare["sense_rare_missed"] > plain["sense_rare_missed"]
