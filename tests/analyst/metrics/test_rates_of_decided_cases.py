"""Rates count only cases that are decided, where the data know others, and say what they leave out."""

from __future__ import annotations

from collections.abc import Callable

import pytest

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
