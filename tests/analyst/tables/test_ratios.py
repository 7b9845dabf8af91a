"""A column that is the quotient of two others is found in its figures, and nothing else is."""

from __future__ import annotations

import random

import pytest

from apps.analyst.tables.ratios import Ratio, ratio_of

chance = random.Random(4)
VIEWS = [float(chance.randrange(200, 9000)) for _ in range(300)]
CLICKS = [float(int(views * chance.uniform(0.005, 0.09))) for views in VIEWS]
COST = [round(clicks * chance.uniform(0.3, 1.9), 2) for clicks in CLICKS]
ORDERS = [float(chance.randrange(0, 6)) for _ in VIEWS]
PARTS = {"views": VIEWS, "clicks": CLICKS, "cost": COST, "orders": ORDERS}


def divided(over: list[float], under: list[float], digits: int, scale: int = 1) -> list[float | None]:
    return [round(scale * a / b, digits) if b else None for a, b in zip(over, under, strict=True)]


@pytest.mark.parametrize(
    ("rate", "found"),
    [
        (divided(CLICKS, VIEWS, 4), Ratio("clicks", "views")),
        (divided(CLICKS, VIEWS, 2, 100), Ratio("clicks", "views", 100)),
        (divided(COST, VIEWS, 6, 1000), Ratio("cost", "views", 1000)),
        (divided(COST, CLICKS, 2), Ratio("cost", "clicks")),
        (divided(COST, ORDERS, 2), Ratio("cost", "orders")),
    ],
)
def test_a_quotient_is_found_as_it_is_written(rate: list[float | None], found: Ratio) -> None:
    assert ratio_of(rate, PARTS) == found


def test_a_few_rows_that_are_otherwise_are_passed_over() -> None:
    rate = divided(CLICKS, VIEWS, 4)
    assert ratio_of([9.9, 9.8, *rate[2:]], PARTS) == Ratio("clicks", "views")
    assert ratio_of([9.9 + row for row in range(20)] + rate[20:], PARTS) is None


def test_a_rate_of_something_else_is_no_quotient() -> None:
    assert ratio_of([round(chance.uniform(0.5, 5), 2) for _ in VIEWS], PARTS) is None


def test_a_quotient_on_few_rows_is_none() -> None:
    rate = divided(CLICKS, VIEWS, 4)
    assert ratio_of([*rate[:15], *[None] * 285], PARTS) is None
    assert ratio_of(rate[:15], {name: column[:15] for name, column in PARTS.items()}) is None


def test_a_rate_of_few_values_is_none() -> None:
    halves = {"done": [float(2 * (row % 4)) for row in range(90)], "all": [float(4 * (row % 4)) for row in range(90)]}
    assert ratio_of([0.5] * 90, halves) is None


def test_a_price_that_amounts_were_made_of_is_none() -> None:
    pieces = [float(chance.randrange(1, 40)) for _ in VIEWS]
    prices = [round(chance.uniform(2, 80), 2) for _ in VIEWS]
    amounts = [round(price * n, 2) for price, n in zip(prices, pieces, strict=True)]
    assert ratio_of(prices, {"amount": amounts, "pieces": pieces}) is None


def test_two_pairs_that_come_to_different_figures_settle_nothing() -> None:
    rate = [*divided(CLICKS[:250], VIEWS[:250], 4), *[None] * 50]
    seen = [*VIEWS[:250], *(2 * views for views in VIEWS[250:])]
    assert ratio_of(rate, {"clicks": CLICKS, "views": VIEWS, "seen": seen}) is None
    assert ratio_of(rate, {"clicks": CLICKS, "views": VIEWS, "again": VIEWS}) == Ratio("clicks", "views")
