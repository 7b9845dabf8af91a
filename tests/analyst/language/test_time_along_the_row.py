"""Sheets with a column for each month, quarter or year: figures along the row."""

from __future__ import annotations

import pytest

from tests.analyst.language.asking import Desk, csv, uploaded

COSTS = csv(
    "Branch,Kind,Jan,Feb,Mar,Apr,May,Jun,Jul,Aug,Sep,Oct,Nov,Dec",
    [
        ("Osk", "Rent", *([10] * 12)),
        ("Osk", "Fuel", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12),
        ("Varn", "Rent", *([20] * 12)),
        ("Varn", "Fuel", 5, 5, 5, 5, 5, 5, "", 5, 5, 5, 5, 40),
    ],
)
FERRIES = csv(
    "Ferry,Coast,2019,2020,2021,2022",
    [("Ash", "North", 120, 60, 90, 150), ("Birch", "South", 80, 85, 70, 10), ("Cedar", "South", 300, 20, 200, 250)],
)
TEAMS = csv(
    "Team,Q1,Q2,Q3,Q4",
    [("Red", 4, 5, 6, 9), ("Blue", 8, 7, 3, 2)],
)
costs = uploaded(costs=COSTS)
ferries = uploaded(ferries=FERRIES)
teams = uploaded(teams=TEAMS)


@pytest.mark.parametrize(
    ("question", "figure"),
    [
        ("What were the total fuel costs in the second quarter?", 30),
        ("How much did Osk spend on fuel in the first half of the year?", 21),
        ("What is the total of Osk from January to March?", 36),
        ("What is the total rent in July and August?", 60),
        ("What was the total fuel cost for the whole year?", 168),
        ("total rent of Varn", 240),
        ("What is the average monthly fuel cost of Osk?", 6.5),
        ("What is the sum of Oct, Nov and Dec for fuel in Varn?", 50),
    ],
)
def test_months_along_the_row_are_added_up(costs: Desk, question: str, figure: float) -> None:
    assert costs.figure(question) == figure


def test_a_missing_month_adds_nothing(costs: Desk) -> None:
    assert costs.figure("What was the total fuel cost of Varn in the third quarter?") == 10


def test_the_sum_of_a_stretch_stands_for_each_thing(costs: Desk) -> None:
    assert costs.rows("What were the total costs in Q1 by branch?") == [["Varn", 75], ["Osk", 36]]
    assert costs.figure("Which branch had the highest costs in the fourth quarter?") == "Varn"


@pytest.mark.parametrize(
    ("question", "month"),
    [
        ("In which month was the fuel cost of Varn highest?", "Dec"),
        ("Which month had the lowest fuel cost for Osk?", "Jan"),
    ],
)
def test_the_month_of_an_extreme_is_a_column(costs: Desk, question: str, month: str) -> None:
    assert costs.figure(question) == month


def test_a_single_month_and_a_number_of_rows_are_no_sums_along_the_row(costs: Desk) -> None:
    assert costs.figure("What was the fuel cost of Osk in May?") == 5
    assert costs.figure("How many kinds does Osk have?") == 2


def test_years_along_the_row(ferries: Desk) -> None:
    assert ferries.figure("What is the total of Ash from 2019 to 2021?") == 270
    assert ferries.figure("In which year was the total lowest?") == "2020"
    assert ferries.figure("Which ferry had the highest total from 2020 to 2022?") == "Cedar"
    assert ferries.figure("What is the total for 2021?") == 360


def test_quarters_along_the_row(teams: Desk) -> None:
    assert teams.figure("What is the total of Red in the first half?") == 9
    assert teams.figure("What was the total in the last quarter?") == 11
    assert teams.figure("In which quarter did Blue have the lowest total?") == "Q4"


BUDGET = csv(
    "Unit,Jan,Feb,Mar,Apr,May,Jun",
    [("Kitchen", 5, 8, 9, 1, 2, 4), ("Bar", 7, 7, 7, 7, 7, 7), ("Garden", 1, 1, 30, 1, 1, 1)],
)
BILLS = csv("bill,billed on,amount", [(1, "2025-02-01", 10), (2, "2025-05-02", 30)])
SETTLED = csv("bill,settled on,amount paid", [(1, "2025-02-11", 10), (2, "2025-05-12", 30)])
alone = uploaded(budget=BUDGET)
among = uploaded(budget=BUDGET, bills=BILLS, settled=SETTLED)


@pytest.mark.parametrize("where", ["alone", "among"])
@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("What did Kitchen spend in Q2?", [[7]]),
        ("what is the budget of Kitchen in Q1?", [[22]]),
        ("Kitchen spend in March", [[9]]),
        ("What did Kitchen spend in Q2 by month?", [[1, 2, 4]]),
        ("budget by month for Bar", [[7] * 6]),
        ("total spend by unit", [["Bar", 42], ["Garden", 35], ["Kitchen", 29]]),
        ("In which month did Garden spend the most?", [["Mar", 30]]),
    ],
)
def test_what_is_spent_is_the_sum_of_the_cells(
    request: pytest.FixtureRequest, where: str, question: str, rows: list[list[object]]
) -> None:
    assert request.getfixturevalue(where).rows(question) == rows


def test_months_keep_their_capital(alone: Desk) -> None:
    assert "total Apr to Jun" in alone.ask("What did Kitchen spend in Q2?").text
    assert alone.rows("Which unit spent the most over the year?") == [["Bar", 42]]


leads = uploaded(**{"team costs": csv("team,lead", [("Red", "Ada"), ("Blue", "Bo")])})


def test_the_number_of_rows_is_no_cost(leads: Desk) -> None:
    assert leads.ask("total cost by team").status == "declined"
