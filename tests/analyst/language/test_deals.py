"""Deals under a CRM's own labels, asked about in the words of those who sell."""

from __future__ import annotations

from datetime import date

import pytest

from tests.analyst.language.asking import Desk

TODAY = date(2025, 7, 15)
DEALS = """Deal Name,Company,Deal owner,Deal Stage,Deal Type,Amount (USD),Create Date,Close Date,Chance
Alpha,Ash Ltd,Nia Fox,Closed Won,New,1500000,2025-01-02,2025-03-01,1.0
Beta,Ash Ltd,Nia Fox,Closed Won,New,900000,2025-01-12,2025-04-01,1.0
Gamma,Birch AG,Nia Fox,Closed Lost,Renewal,300000,2025-02-02,2025-05-01,0.0
Delta,Birch AG,Olu Marsh,Proposal,New,1200000,2025-03-02,2025-09-01,0.6
Epsilon,Cedar SA,Olu Marsh,Closed Won,Renewal,450000,2025-03-20,2025-06-01,1.0
Zeta,Cedar SA,Olu Marsh,Closed Lost,New,250000,2025-04-02,2025-06-11,0.0
Eta,Birch AG,Pia Stone,Closed Lost,New,800000,2025-05-02,2025-07-01,0.0
Theta,Dune Inc,Pia Stone,Proposal,Renewal,100000,2025-06-02,2025-10-01,0.4
"""
COMPANIES = """Company,Country,Staff,Turnover
Ash Ltd,Kenya,120,900
Birch AG,Germany,80,610
Cedar SA,Spain,40,290
Dune Inc,Kenya,20,170
"""
OWNERS = """Owner name,Team
Nia Fox,North
Olu Marsh,South
Pia Stone,South
"""
FILES = {"crm_deals.csv": DEALS, "crm_companies.csv": COMPANIES, "crm_owners.csv": OWNERS}


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    return Desk(tmp_path_factory.mktemp("crm"), FILES, TODAY)


@pytest.mark.parametrize("question", ["win rate by owner", "win rate by deal owner", "win rate per deal owner"])
def test_the_win_rate_is_told_apart_by_owner_in_either_wording(desk: Desk, question: str) -> None:
    assert {(row[0], row[1]) for row in desk.rows(question)} == {
        ("Nia Fox", 66.67), ("Olu Marsh", 50), ("Pia Stone", 0),
    }  # fmt: skip


@pytest.mark.parametrize("question", [
    "percentage of deals won", "What percentage of deals did we win?", "what share of our deals was won",
    "How often do we win deals?",
])  # fmt: skip
def test_the_share_of_won_deals_is_the_win_rate(desk: Desk, question: str) -> None:
    assert desk.figure(question) == 50


def test_a_share_of_deals_is_no_count(desk: Desk) -> None:
    assert desk.figure("What share of deals is in Germany?") == 37.5
    assert desk.figure("what percentage of deals are renewals") == 37.5
    assert desk.figure("percentage of companies in Kenya") == 50


def test_the_top_of_each_group_is_found(desk: Desk) -> None:
    found = desk.rows("top 2 deals per owner")
    assert [row[:2] for row in found] == [
        ["Nia Fox", "Alpha"], ["Nia Fox", "Beta"], ["Olu Marsh", "Delta"], ["Olu Marsh", "Epsilon"],
        ["Pia Stone", "Eta"], ["Pia Stone", "Theta"],
    ]  # fmt: skip
    assert [row[1] for row in desk.rows("largest deal of each owner")] == ["Alpha", "Delta", "Eta"]
    assert "For each deal owner" in desk.ask("largest deal of each owner").text


def test_the_biggest_deal_of_a_country_is_a_deal(desk: Desk) -> None:
    assert desk.rows("biggest deal in Germany")[0][0] == "Delta"
    assert desk.rows("smallest won deal")[0][0] == "Epsilon"


def test_spelled_out_scales_are_numbers(desk: Desk) -> None:
    assert [row[0] for row in desk.rows("owners with total amount over 2 million")] == ["Nia Fox"]
    assert [row[0] for row in desk.rows("deals over 1.2 million")] == ["Alpha"]
    assert [row[0] for row in desk.rows("deals over $1.2 million")] == ["Alpha"]


def test_a_bare_noun_with_conditions_lists_its_rows(desk: Desk) -> None:
    assert {row[0] for row in desk.rows("open deals in Kenya")} == {"Theta"}
    assert {row[0] for row in desk.rows("lost deals over 260000")} == {"Gamma", "Eta"}


def test_a_correlation_between_columns_is_a_figure_and_no_listing(desk: Desk) -> None:
    for question in ("correlation between amount and chance", "what is the correlation of staff and turnover"):
        assert "correlation coefficient" in [column.name for column in desk.ask(question).result.columns]


def test_a_state_nobody_stored_is_not_passed_over(desk: Desk) -> None:
    assert desk.ask("How many deals were postponed?").status == "declined"


def test_units_in_brackets_stay_whole_in_heads(desk: Desk) -> None:
    for question in ("total amount by company", "average amount of each company"):
        heads = [column.name for column in desk.ask(question).result.columns]
        assert all(head.count("(") == head.count(")") for head in heads)


def test_relative_times_of_old_deals_count_from_their_last_day(tmp_path_factory: pytest.TempPathFactory) -> None:
    old = Desk(tmp_path_factory.mktemp("old"), FILES, date(2031, 1, 5))
    answered = old.ask("How many deals did we win last quarter?")
    assert answered.result is not None
    assert [list(row) for row in answered.result.rows] == [[0]]
    assert any("1 Oct 2025" in text for text in answered.assumptions)


def test_companies_that_have_none_of_something_are_named(tmp_path_factory: pytest.TempPathFactory) -> None:
    contacts = "Contact ID,First name,Company\n1,Ann,Ash Ltd\n2,Bea,Birch AG\n3,Cid,Ash Ltd\n"
    more = Desk(tmp_path_factory.mktemp("contacts"), {**FILES, "crm_contacts.csv": contacts}, TODAY)
    assert {row[0] for row in more.rows("Which companies have no contacts?")} == {"Cedar SA", "Dune Inc"}


def test_a_date_is_not_what_makes_things_big(tmp_path_factory: pytest.TempPathFactory) -> None:
    text = "Member,Joined as member date\nAnn,2020-01-01\nBea,2021-01-01\n"
    made = Desk(tmp_path_factory.mktemp("members"), {"club.csv": text}, TODAY)
    assert made.ask("biggest member").status == "declined"
