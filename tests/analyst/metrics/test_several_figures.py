"""Several figures asked for at once: each is what it is by itself, and none is dropped."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from apps.analyst.language.several import figures_asked
from tests.analyst.metrics.conftest import DEALS, Ask

Asked = Callable[..., Ask]
VISITS = """Visit,Deal Name,Owner,Day
V1,Acorn,Ada,2025-01-03
V2,Acorn,Ada,2025-01-09
V3,Elm,Bob,2025-04-03
V4,Elm,Bob,2025-04-05
V5,Elm,Cyn,2025-04-07
"""


def rows(ask: Ask, text: str) -> dict[object, list[float]]:
    result = ask(text).result
    assert result is not None, text
    return {row[0]: [float(str(cell)) for cell in row[1:]] for row in result.rows}


def test_a_rate_beside_a_mean_is_that_of_all_decided_deals(asked: Asked) -> None:
    told = rows(asked(deals=DEALS), "Win rate and average deal size by owner")
    assert told["Bob"] == [100, 3000]
    assert told["Ada"] == [pytest.approx(100 / 3), 1000]


def test_how_they_came_about_is_said_as_of_each_by_itself(asked: Asked) -> None:
    said = asked(deals=DEALS)("Win rate and average deal size by owner").evidence
    assert said.plan_sentence.startswith("Win rate and average amount of won deals by owner in (win rate by owner in")
    assert any(told.startswith("Win rate: 100 × (number of rows where stage is") for told in said.definitions)


def test_the_amount_beside_what_is_counted_is_that_of_what_is_counted(asked: Asked) -> None:
    ask = asked(deals=DEALS)
    assert rows(ask, "Number of won deals and total amount by owner") == {"Ada": [1, 1000], "Bob": [1, 3000]}
    said = ask("How many deals did we win and what was their total amount?")
    assert said.result is not None
    assert [list(map(float, row)) for row in said.result.rows] == [[2, 4000]]


def test_what_is_shown_by_something_is_counted_by_it(asked: Asked) -> None:
    assert rows(asked(deals=DEALS), "Show me lost deals by owner") == {"Ada": [2]}


def test_figures_over_time_run_in_time(asked: Asked) -> None:
    said = asked(deals=DEALS)("Number of won deals and total amount by quarter")
    assert said.result is not None
    assert [list(map(float, row[1:])) for row in said.result.rows] == [[1, 1000], [1, 3000]]


def test_rows_of_another_table_multiply_nothing(asked: Asked) -> None:
    """Joined, Elm's 4,000 would belong to Bob and Cyn, and deals without a visit to nobody."""
    ask = asked(deals=DEALS, visits=VISITS)
    assert rows(ask, "Number of visits and total deal amount by owner") == {
        "Ada": [2, 1000 + 500 + 2500 + 2000 + 800 + 700],
        "Bob": [2, 3000 + 4000],
        "Cyn": [1, 0],
    }


def test_one_that_is_not_understood_is_not_passed_over(asked: Asked) -> None:
    assert asked(deals=DEALS)("Win rate and average shoe size by owner").status == "declined"


@pytest.mark.parametrize(
    ("text", "each"),
    [
        ("win rate and average deal size by owner", ("win rate by owner", "average deal size by owner")),
        ("For each region, show the win rate and the number of deals",
         ("show the win rate For each region", "the number of deals For each region")),
        ("total amount and number of open deals in 2025",
         ("total amount of open deals in 2025", "number of open deals in 2025")),
        ("won and lost deals by owner", ()),
        ("number of deals in Spain and France", ()),
        ("deals between 10 and 20", ()),
        ("and", ()),
    ],
)  # fmt: skip
def test_a_question_is_parted_where_each_part_names_a_figure(text: str, each: tuple[str, ...]) -> None:
    assert figures_asked(text) == each
