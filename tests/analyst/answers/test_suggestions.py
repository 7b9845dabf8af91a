"""Questions to start with are such as people ask."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.analyst.catalog import catalog_from_files
from apps.analyst.followups import suggest

PLANS = """quarter_start,branch,plan_amount
2025-01-01,North,1000
2025-04-01,North,1100
2025-07-01,North,1250
2025-10-01,North,1300
2025-01-01,South,2000
2025-04-01,South,2050
2025-07-01,South,2100
2025-10-01,South,2200
"""
NOTES = """note_id,heard_from,note
1,Ana,Calls back on Monday
2,Ben,Wants a second look at the offer
3,Chloe,Asks for a smaller boat
"""


@pytest.fixture
def offered(tmp_path: Path) -> list[str]:
    """What is offered where there are plans of quarters only."""
    (tmp_path / "plans.csv").write_text(PLANS, encoding="utf-8")
    return suggest(catalog_from_files([tmp_path / "plans.csv"], tmp_path / "tables"), 12)


def test_a_column_that_is_named_after_its_period_is_asked_by_it(offered: list[str]) -> None:
    assert "What is the total plan amount by quarter?" in offered
    assert not any("of quarter start" in question for question in offered)


def test_the_bare_number_of_rows_is_left_to_tables_that_hold_nothing_else_to_ask(
    offered: list[str], tmp_path: Path
) -> None:
    assert "How many plans are there?" not in offered
    (tmp_path / "notes.csv").write_text(NOTES, encoding="utf-8")
    assert "How many notes are there?" in suggest(catalog_from_files([tmp_path / "notes.csv"], tmp_path / "more"), 12)
