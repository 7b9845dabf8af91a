"""Rates count only cases that are decided, where the data know others, and say what they leave out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from apps.analyst.computing.metrics.decided import undecided_notes
from apps.analyst.plan import Aggregate, Arithmetic, ColumnRef, Compare, Constant, Output, Part, Query
from apps.analyst.plan.conditions import together
from apps.analyst.tables.catalog import catalog_from_files
from apps.analyst.types import Answer

Asked = Callable[..., Callable[[str], Answer]]
APPLICATIONS = "application_id,applied_on,segment,status\n" + "".join(
    f"{place},2025-0{1 + place % 6}-1{place % 9},{segment},{status}\n"
    for place, (segment, status) in enumerate(
        [("Consumer", "Approved")] * 6
        + [("Consumer", "Rejected")] * 2
        + [("Consumer", "Pending")] * 8
        + [("Business", "Approved")] * 1
        + [("Business", "Rejected")] * 3
        + [("Business", "In review")] * 4
    )
)
DEALS = "deal_id,owner,region,stage,amount,close_date\n" + "".join(
    f"D{place},{('Ann', 'Bob')[place % 2]},{region},{stage},{1000 + place},2025-0{1 + place % 6}-1{place % 9}\n"
    for place, (region, stage) in enumerate(
        [("West", "Closed won")] * 6
        + [("West", "Closed lost")] * 2
        + [("East", "Closed won")] * 3
        + [("East", "Closed lost")] * 5
        + [("West", "Proposal")] * 4
        + [("East", "Demo")] * 3
        + [("East", "")] * 2
    )
)
DECIDED_ALL = APPLICATIONS.replace("Pending", "Rejected").replace("In review", "Rejected")


def rates(answer: Answer) -> list[tuple[object, ...]]:
    assert answer.result is not None
    return [tuple(round(v, 1) if isinstance(v, float) else v for v in row) for row in answer.result.rows]


def test_a_rate_leaves_out_what_is_not_decided_and_says_so(asked: Asked) -> None:
    said = asked(applications=APPLICATIONS)("What is the approval rate?")
    assert rates(said) == [(58.3,)]
    assert "Based on 12 of 24 applications: the others are Pending or In review." in said.text
    assert said.read_as is not None
    definition = next(chip.label for chip in said.read_as.chips if chip.part == "definition")
    assert definition == ("Approval rate = Approved / (Approved + Rejected); Pending and In review are not decided yet")


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("approval rate by segment", [("Consumer", 75.0), ("Business", 25.0)]),
        ("What is the rejection rate of applications by segment?", [("Business", 75.0), ("Consumer", 25.0)]),
        ("Which segment has the highest approval rate?", [("Consumer", 75.0)]),
        ("Which segment has the lowest approval rate?", [("Business", 25.0)]),
    ],
)
def test_rates_are_told_apart_as_counts_are(asked: Asked, text: str, rows: list[tuple[object, ...]]) -> None:
    assert rates(asked(applications=APPLICATIONS)(text)) == rows


def test_where_everything_is_decided_no_rate_is_read_differently(asked: Asked) -> None:
    said = asked(applications=DECIDED_ALL)("What percentage of applications were approved?")
    assert not [note for note in said.evidence.notes if "decided" in note]


def test_a_share_of_all_rows_says_that_undecided_ones_count_in_it(asked: Asked) -> None:
    said = asked(applications=APPLICATIONS)("What percentage of applications were approved?")
    assert rates(said)[0][0] == 29.2
    assert said.evidence.notes == (
        "The whole includes rows whose status is Pending or In review, which are not decided yet.",
    )


LEFT = "Based on 16 of 25 deals: the others are Proposal, Demo or without a stage."


@pytest.mark.parametrize(
    "text", ["What is our win rate?", "Win rate by region", "Which region has the highest win rate?"]
)
def test_a_rate_whose_rows_are_decided_beforehand_says_what_is_left_out_all_the_same(asked: Asked, text: str) -> None:
    assert asked(deals=DEALS)(text).text.split("\n")[0].endswith(LEFT)


def test_a_rate_in_a_period_is_told_of_the_cases_of_that_period(asked: Asked) -> None:
    said = asked(deals=DEALS)("What was our win rate in January 2025?")
    assert "Based on 3 of 5 deals: the others are" in said.text


def test_a_rate_by_amount_leaves_out_what_has_none(asked: Asked) -> None:
    said = asked(deals=DEALS.replace(",1000,", ",,"))("What is our win rate by value?")
    assert "Based on 15 of 25 deals: the others are Proposal, Demo, without a stage or without an amount." in said.text


def test_a_share_of_all_deals_says_that_open_ones_count_in_it(tmp_path: Path) -> None:
    """Also where part and whole are of one year."""
    path = tmp_path / "deals.csv"
    path.write_text(DEALS, encoding="utf-8")
    catalog = catalog_from_files([path], tmp_path)
    stage, closed = (ColumnRef(table="deals", column=name) for name in ("stage", "close_date"))
    won = Compare(op="=", left=stage, right=Constant(value="Closed won"))
    year = Compare(op="=", left=Part(part="year", of=closed), right=Constant(value=2025, type="number"))
    for both in (None, year):
        counts = (
            Aggregate(fn="count", where=together([test for test in (won, both) if test])),
            Aggregate(fn="count", where=both),
        )
        share = Output(label="Share", expr=Arithmetic(op="/", left=counts[0], right=counts[1]))
        plan = Query(source="deals", measures=(share,))
        assert list(undecided_notes(plan, catalog)) == [
            "The whole includes rows whose stage is Proposal or Demo, which are not decided yet."
        ]
