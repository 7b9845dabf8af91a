"""What the columns of composed plans are called, where the plain words would be stiff."""

from __future__ import annotations

import pytest

from apps.analyst.reading.labels import Namer, per_many_label, to_first_label

NAMER = Namer(column=lambda table, column: column.replace("_", " ").capitalize(), rows=lambda table: table)
AMOUNT, GUEST = ("C", "stays", "total_amount"), ("C", "stays", "guest_id")


@pytest.mark.parametrize(
    ("label", "scale", "told"),
    [
        ("Total revenue per total delivered", 1_000, "Total revenue per 1,000 delivered"),
        ("Total incidents per employee", 100, "Total incidents per 100 employees"),
        ("Number of calls per number of different customers", 10_000, "Number of calls per 10,000 customers"),
        ("Total revenue", 1_000, "Total revenue × 1,000"),
    ],
)
def test_a_ratio_for_so_many_is_called_by_what_it_is_for(label: str, scale: float, told: str) -> None:
    assert per_many_label(label, scale) == told


@pytest.mark.parametrize(
    ("label", "told"),
    [
        ("Average days from Signup date to Order date", "Average days from Signup date to first Order date"),
        ("Average days from Signup date to first order", "Average days from Signup date to first order"),
        ("Average days", "Average days"),
    ],
)
def test_a_time_to_the_first_event_is_called_so(label: str, told: str) -> None:
    assert to_first_label(label) == told


def test_a_total_of_totals_says_total_once() -> None:
    assert NAMER.figure(("sum", AMOUNT)) == "Total amount"
    assert NAMER.figure(("avg", AMOUNT)) == "Average Total amount"
    assert NAMER.figure(("countd", GUEST)) == "Number of Guest id"


def test_a_figure_over_groups_is_told_per_thing() -> None:
    assert NAMER.over("avg", ("sum", AMOUNT), ("k1", GUEST)) == "Average of total amount per guest"
