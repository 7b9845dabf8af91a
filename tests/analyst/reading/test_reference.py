"""A named day takes today's place in what is counted up to today."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from apps.analyst.conversation.readas.marks import unread
from apps.analyst.plan import Call, Constant, Plan
from apps.analyst.plan.nodes import every
from apps.analyst.reading.amended import is_heeded
from apps.analyst.reading.candidates import proposed
from apps.analyst.reading.linking import link, tokens_of
from apps.analyst.reading.periods import periods
from apps.analyst.reading.reference import reference
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Question

TODAY = date(2025, 6, 18)


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    """200 members with their days of birth and joining."""
    folder: Path = tmp_path_factory.mktemp("club")
    lines = ["member_id,name,date_of_birth,joined_on,branch,fee"]
    for n in range(200):
        born, joined = date(1960, 1, 1) + timedelta(days=n * 61), date(2015, 1, 1) + timedelta(days=n * 19)
        lines.append(f"M{n:03d},Member {n},{born},{joined},{('North', 'South')[n % 2]},{20 + n % 7}")
    (folder / "members.csv").write_text("\n".join(lines))
    return catalog_from_files([folder / "members.csv"], folder / "tables")


def counted_to(plan: Plan) -> set[str]:
    """The days that the plan counts to."""
    calls = (node for node in every(plan) if isinstance(node, Call))
    return {str(arg.value) for call in calls for arg in call.args if isinstance(arg, Constant) and arg.type == "date"}


@pytest.mark.parametrize(
    ("text", "day", "sure"),
    [
        ("average tenure as at 30 June 2024", "2024-06-30", True),
        ("age of open invoices as of 31 March", "2025-03-31", True),
        ("tenure as of the end of March 2024", "2024-03-31", True),
        ("tenure as on 2024-06-30", "2024-06-30", True),
        ("members as of 2024", "2024-12-31", True),
        ("how old were members on 1 Jan 2024", "2024-01-01", False),
        ("age per 31 December 2024", "2024-12-31", False),
        ("age at 31 December 2024", "2024-12-31", False),
    ],
)
def test_words_before_a_day_say_that_it_takes_todays_place(text: str, day: str, sure: bool) -> None:
    tokens = tokens_of(text)
    found = reference(tokens, periods(tokens, TODAY, TODAY), TODAY)
    assert found is not None
    assert (str(found.day), found.sure) == (day, sure)


@pytest.mark.parametrize(
    "text",
    ["orders in March 2024", "orders since 1 March 2024", "fees per month of 2024", "fee at the door in 2024", "fees"],
)
def test_a_period_that_rows_lie_in_is_no_day_of_reference(text: str) -> None:
    tokens = tokens_of(text)
    assert reference(tokens, periods(tokens, TODAY, TODAY), TODAY) is None


@pytest.mark.parametrize(
    ("text", "range_"),
    [
        ("fees of the last 12 months as of 30 June 2024", ("2023-07-01", "2024-07-01")),
        ("year to date as at 31 March 2024", ("2024-01-01", "2024-04-01")),
        ("invoices older than 30 days as of 31 March 2024", ("2024-03-01", "2024-04-01")),
        ("fees last month as of today", ("2025-05-01", "2025-06-01")),
        ("fees of the last 30 days on 1 March 2024", ("2025-05-20", "2025-06-19")),
    ],
)
def test_times_are_counted_from_a_day_that_takes_todays_place(text: str, range_: tuple[str, str]) -> None:
    start, end = periods(tokens_of(text), TODAY, TODAY)[0].ranges[0]
    assert (str(start), str(end)) == range_


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("average age of members as at 30 June 2024", "2024-06-30"),
        ("average age of members in years as of 31 March", "2025-03-31"),
        ("how old were members on average on 1 Jan 2024", "2024-01-01"),
        ("average age of members in years", str(TODAY)),
        ("average age of members today", str(TODAY)),
    ],
)
def test_what_is_counted_to_today_is_counted_to_the_named_day(text: str, day: str, club: FixedCatalog) -> None:
    plan = proposed(Question(text, today=TODAY), club).candidates[0].plan
    assert counted_to(plan) == {day}


def test_no_condition_is_left_of_a_day_that_takes_todays_place(club: FixedCatalog) -> None:
    made = proposed(Question("average age of members as at 30 June 2024", today=TODAY), club)
    for candidate in made.candidates:
        if counted_to(candidate.plan) == {"2024-06-30"}:
            said = {str(n.value) for n in every(candidate.plan) if isinstance(n, Constant) and n.type == "date"}
            assert said == {"2024-06-30"}


def test_a_reading_that_counts_to_today_passes_the_named_day_over(club: FixedCatalog) -> None:
    plan = proposed(Question("average age of members", today=TODAY), club).candidates[0].plan
    assert not is_heeded(plan, link(Question("average age of members as at 30 June 2024", today=TODAY), club))
    assert is_heeded(plan, link(Question("average age of members", today=TODAY), club))


def test_a_plan_that_counts_nothing_to_today_is_left_as_it_is(club: FixedCatalog) -> None:
    made = proposed(Question("how many members joined on 1 March 2020", today=TODAY), club).candidates[0].plan
    assert {str(n.value) for n in every(made) if isinstance(n, Constant) and n.type == "date"} == {
        "2020-03-01",
        "2020-03-02",
    }


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("average age of members as of 2024", "2024-12-31"),
        ("how many members joined in the last 90 days as of 31 March 2024", "2024-01-02"),
    ],
)
def test_a_day_that_took_todays_place_counts_as_read(text: str, day: str, club: FixedCatalog) -> None:
    asked = Question(text, today=TODAY)
    plan = proposed(asked, club).candidates[0].plan
    assert day in {str(node.value) for node in every(plan) if isinstance(node, Constant)}
    assert unread(asked, plan, club) == ()
