"""Business questions over joined tables of an invented plant nursery: what happened most, own groups, nested firsts."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from tests.analyst.language.asking import Desk

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
