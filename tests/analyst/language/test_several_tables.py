"""What is asked of tables that belong together, of tables that refer to themselves, and of uploads that look alike."""

from __future__ import annotations

from datetime import date

import pytest

from tests.analyst.language.asking import Desk

TODAY = date(2026, 2, 1)
STAFF = """staff_id,first_name,last_name,reports_to
1,Ida,Berg,
2,Jon,Dahl,1
3,Kai,Ek,1
4,Lea,Falk,2
5,Mia,Gran,2
6,Nils,Holm,2
"""
MAKERS = """maker_id,maker_name,country
1,Nord Tools,Norway
2,Sud Tools,Italy
3,Ost Tools,Italy
"""
TOOLS = """tool_id,tool_name,maker_id,price
1,Axe,1,40
2,Bit,1,12
3,Chisel,2,18
4,Drill,2,95
5,Edger,3,60
"""
BUYERS = """buyer_id,buyer_name
1,Harbour
2,Island
3,Jetty
"""
SALES = "sale_id,buyer_id,tool_id,postage,pieces\n" + "".join(
    f"{n},{1 + n % 2},{1 + n % 5},{n % 7 + 0.5},{1 + n % 3}\n" for n in range(1, 31)
)
FILES = {"staff.csv": STAFF, "makers.csv": MAKERS, "tools.csv": TOOLS, "buyers.csv": BUYERS, "sales.csv": SALES}


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    return Desk(tmp_path_factory.mktemp("several"), FILES, TODAY)


def test_rows_that_refer_to_rows_of_their_own_table(desk: Desk) -> None:
    assert sorted(desk.first("Who reports to Jon Dahl?")) == [["Lea", "Falk"], ["Mia", "Gran"], ["Nils", "Holm"]]
    assert desk.first("How many people report to Jon Dahl?") == [[3]]
    assert desk.first("Who does Kai Ek report to?") == [["Ida", "Berg"]]


def test_nobody_is_found_below_a_stranger(desk: Desk) -> None:
    assert desk.ask("Who reports to Zoe Zander?").status == "declined" or desk.rows("Who reports to Zoe Zander?") == []


def test_a_word_behind_a_figure_may_only_say_that_it_is_one(desk: Desk) -> None:
    assert desk.rows("Find the sale that has the highest postage charge")[0][-1] == 6.5


def test_not_by_anyone_from_a_place_leaves_those_out(desk: Desk) -> None:
    assert {row[0] for row in desk.rows("tools that are not made by any maker from Italy")} == {"Axe", "Bit"}


def test_a_condition_on_named_rows_is_not_their_total(desk: Desk) -> None:
    assert {row[0] for row in desk.rows("buyers with sales with postage over 6")} == {"Harbour", "Island"}


def test_things_that_have_none_are_found(desk: Desk) -> None:
    assert desk.rows("Which buyers have no sales?") == [["Jetty"]]


def uploads(first: int) -> dict[str, str]:
    """The same columns in two files: one file a year."""
    return {
        f"trips_{year}.csv": "trip_no,trip_date,town,amount\n"
        + "".join(f"{year}{n:03d},{year}-{1 + n % 12:02d}-09,Town {n % 3},{n + year - first}\n" for n in range(24))
        for year in (first, first + 1)
    }


@pytest.fixture(scope="module")
def twins(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    return Desk(tmp_path_factory.mktemp("twins"), uploads(2024), TODAY)


def test_of_two_uploads_alike_the_one_used_is_said_and_the_other_offered(twins: Desk) -> None:
    answered = twins.ask("total amount by town")
    assert any("trips_2024" in text and "trips_2025" in text for text in answered.assumptions)
    (choice,) = answered.choices
    assert twins.rows(choice.question) != twins.rows("total amount by town")
    assert sum(float(str(row[1])) for row in twins.rows(choice.question)) == sum(n + 1 for n in range(24))


def test_a_year_chooses_the_upload_that_holds_it(twins: Desk) -> None:
    assert twins.figure("total amount in 2024") == sum(range(24))
    assert twins.figure("total amount in 2025") == sum(n + 1 for n in range(24))


def test_an_upload_that_is_named_is_not_doubted(twins: Desk) -> None:
    answered = twins.ask("total amount by town in trips 2025")
    assert not any("same columns" in text for text in answered.assumptions)


def test_things_of_two_tables_said_side_by_side_are_both_shown(desk: Desk) -> None:
    found = desk.rows("List all makers and the tools they make, including the tool price.")
    assert ["Nord Tools", "Axe", 40] in found
    assert len(found) == 5
