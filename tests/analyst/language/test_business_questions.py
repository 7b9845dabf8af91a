"""Business questions over joined tables of an invented plant nursery: what happened most, own groups, nested firsts."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from tests.analyst.language.asking import Desk, uploaded

FILES = {
    "plants.csv": """plant_id,plant_name,family_id,grower_id,unit_price
1,Red Acer,1,1,40
2,White Acer,1,1,60
3,Moss Fern,2,2,8
4,Tree Fern,2,2,90
5,Dwarf Heather,3,1,5
6,Bell Heather,3,2,7
""",
    "families.csv": """family_id,family_name
1,Maples
2,Ferns
3,Heathers
""",
    "growers.csv": """grower_id,grower_name,country
1,Hill Farm,Wales
2,Dell Yard,Ireland
""",
    "clerks.csv": """clerk_id,first_name,last_name,hire_date
1,Mira,Kent,2019-04-01
2,Owen,Pike,2021-09-15
""",
    "sales.csv": """sale_id,clerk_id,shopper_id,sale_date,postage,town
1,1,1,2023-01-05,4.0,Bath
2,1,2,2023-01-19,9.0,Bath
3,2,1,2023-03-02,2.5,York
4,2,3,2024-03-11,7.5,York
5,1,3,2024-03-30,1.5,York
""",
    "sale_lines.csv": """line_id,sale_id,plant_id,unit_price,quantity
1,1,3,8,1
2,1,5,5,2
3,2,3,8,9
4,2,6,7,1
5,3,2,60,4
6,3,3,8,1
7,4,5,5,1
8,5,5,5,1
9,5,1,40,1
10,5,5,5,1
""",
    "shoppers.csv": """shopper_id,shopper_name
1,Ada Wren
2,Ben Teal
3,Cleo Finch
4,Dora Swift
""",
}


@pytest.fixture(scope="module")
def nursery(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    folder: Path = tmp_path_factory.mktemp("nursery")
    return Desk(folder, FILES, date(2024, 6, 1))


def names(desk: Desk, question: str) -> list[object]:
    """The first column of an answer's rows."""
    return [row[0] for row in desk.rows(question)]


def test_what_happened_most_often_counts_the_rows_that_refer_to_it(nursery: Desk) -> None:
    assert names(nursery, "Which is the most frequently sold plant?") == ["Dwarf Heather"]
    assert names(nursery, "Find the top 2 most frequently sold plants.") == ["Dwarf Heather", "Moss Fern"]


def test_what_was_sold_most_counts_the_pieces_and_says_so(nursery: Desk) -> None:
    answer = nursery.ask("What is the most ordered plant?")
    assert answer.result is not None
    assert answer.result.rows[0][0] == "Moss Fern"
    assert any("pieces" in said for said in answer.assumptions)


def test_a_row_is_held_against_the_average_of_its_own_group(nursery: Desk) -> None:
    dear = ["White Acer", "Tree Fern", "Bell Heather"]
    assert names(nursery, "Find plants that are more expensive than the average price in their family.") == dear
    assert names(nursery, "Which plants cost more than the average unit price of their respective family?") == dear
    assert nursery.figure("How many sales have a postage higher than the average postage of the same town?") == 2


def test_without_a_group_the_average_is_that_of_all_rows(nursery: Desk) -> None:
    assert names(nursery, "Find plants priced above the average price.") == ["Red Acer", "White Acer", "Tree Fern"]


def test_the_period_that_is_ranked_is_told_and_not_a_day(nursery: Desk) -> None:
    assert nursery.rows("Find the month with the highest number of sales.")[0][0] in ("2023-01-01", "2024-03-01")
    assert nursery.rows("What is the year that had the most sales?")[0][0] == 2023


def test_a_range_of_dates_is_the_first_and_the_last(nursery: Desk) -> None:
    assert nursery.rows("What is the date range of the sales?") == [["2023-01-05", "2024-03-30"]]


def test_things_named_beside_others_are_shown_by_name(nursery: Desk) -> None:
    shown = nursery.rows("Fetch plant names and their associated families.")
    assert len(shown) == 6
    assert ["Tree Fern", "Ferns"] in shown


def test_one_period_and_not_another(nursery: Desk) -> None:
    assert names(nursery, "List shoppers who bought something in 2023 but not in 2024.") == ["Ada Wren", "Ben Teal"]


def test_who_stands_behind_the_largest_transaction(nursery: Desk) -> None:
    assert nursery.rows("Find the clerk who handled the sale with the highest total sale value.")[0][:2] == [
        "Owen",
        "Pike",
    ]


def test_how_many_were_sold_adds_up_the_pieces(nursery: Desk) -> None:
    assert nursery.figure("How many plants were sold in total?") == 22
    assert nursery.rows("Total quantity of each plant ordered")[0] == ["Moss Fern", 11]


def test_a_participle_names_the_figure_that_ranks(nursery: Desk) -> None:
    assert names(nursery, "Identify the highest-priced plant.") == ["Tree Fern"]
    best = nursery.rows("Find the lowest priced plant in each family.")
    assert sorted(row[:2] for row in best) == [
        ["Ferns", "Moss Fern"],
        ["Heathers", "Dwarf Heather"],
        ["Maples", "Red Acer"],
    ]


def test_a_transaction_costs_what_its_lines_come_to(nursery: Desk) -> None:
    assert names(nursery, "Which is the most expensive sale?") == [3]
    assert nursery.figure("Calculate the total revenue generated from plant sales.") == 400


def test_times_of_day_name_nothing(tmp_path_factory: pytest.TempPathFactory) -> None:
    files = {
        "ferries.csv": "ferry_id,ferry_time,deck\n11,08:15:00,Upper\n12,09:40:00,Lower\n13,11:05:00,Upper\n",
        "tickets.csv": "ticket_id,ferry_id,fare\n1,11,4\n2,11,5\n3,13,6\n4,12,4\n5,13,5\n",
    }
    made = Desk(tmp_path_factory.mktemp("ferries"), files, date(2024, 6, 1))
    assert made.rows("Which ferry has the highest total fare?")[0] == [13, 11]


def test_things_are_named_beside_their_figures(nursery: Desk) -> None:
    shown = nursery.rows("List all plants in the Ferns family with their unit prices.")
    assert sorted(shown) == [["Moss Fern", 8], ["Tree Fern", 90]]


STAFF = """clerk_name,gender,team,start_date,pay,bonus,break_minutes
Ana,F,IT,2019-03-01,100,,30
Bo,M,IT,2018-07-01,80,5,20
Cy,M,HR,2021-01-01,120,,90
Di,F,HR,2022-05-05,95,7,45
"""
office = uploaded(today=date(2024, 6, 1), clerks=STAFF)


def test_values_joined_by_and_are_counted_side_by_side(office: Desk) -> None:
    assert sorted(office.rows("How many male and female clerks are there?")) == [["F", 2], ["M", 2]]
    assert office.figure("How many male or female clerks are there?") == 4


def test_the_second_highest_figure_is_a_figure(office: Desk) -> None:
    assert office.rows("Find the second highest pay.") == [[100]]


def test_without_something_means_a_gap(office: Desk) -> None:
    assert names(office, "List clerks without a bonus.") == ["Ana", "Cy"]


def test_an_abbreviation_in_capitals_is_a_value(office: Desk) -> None:
    assert office.figure("How many clerks work in IT?") == 2


def test_a_letter_at_the_end_is_looked_for(office: Desk) -> None:
    assert names(office, "Show the clerks whose name starts with A.") == ["Ana"]


def test_a_figure_is_held_against_the_columns_own_unit_of_time(office: Desk) -> None:
    assert names(office, "Which clerks have a break of more than 1 hour?") == ["Cy"]


def test_shares_are_computed_beside_a_column_of_other_shares(tmp_path_factory: pytest.TempPathFactory) -> None:
    made = Desk(tmp_path_factory.mktemp("shares"), {"cooks.csv": COOKS}, date(2024, 6, 1))
    assert made.figure("What percentage of cooks are female?") == 50


COOKS = "cook,gender,commission_pct\nAl,M,0.1\nBea,F,0.2\nCas,M,0.3\nDot,F,0.1\n"


def test_the_first_of_an_order_is_drawn_among_those_behind_it(nursery: Desk) -> None:
    answer = nursery.ask("Which family has the highest total revenue?")
    assert answer.result is not None
    assert len(answer.result.rows) == 1
    assert answer.chart is not None
    assert answer.chart.document["labels"] == ["Maples", "Ferns", "Heathers"]


WARDS = """year,nurses hired,beds
2019,14,200
2020,22,210
2021,9,215
"""


def test_a_column_that_holds_numbers_of_things_is_added_up(tmp_path_factory: pytest.TempPathFactory) -> None:
    wards = Desk(tmp_path_factory.mktemp("wards"), {"wards.csv": WARDS}, date(2024, 6, 1))
    assert wards.figure("How many nurses were hired in 2020?") == 22


def test_what_is_counted_in_the_only_table_are_its_rows(tmp_path_factory: pytest.TempPathFactory) -> None:
    wards = Desk(tmp_path_factory.mktemp("wards"), {"a7.csv": WARDS}, date(2024, 6, 1))
    assert wards.figure("How many hospitals have more than 205 beds?") == 2


def test_a_mean_beside_another_figure_is_one_of_each_shopper(nursery: Desk) -> None:
    shown = nursery.rows("Find the total sales and average postage per shopper.")
    assert sorted(row[-2:] for row in shown) == [[1, 9], [2, 3.25], [2, 4.5]]
