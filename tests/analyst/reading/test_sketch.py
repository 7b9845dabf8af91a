"""Sketches that mean the same in another order."""

from apps.analyst.reading.sketch import NOTHING, Sketch, in_any_order

PAID = ("is", ("W", 3))
BIG = ("gt", ("C", 2), ("N", 0))
EARLY = ("since", ("C", 4), ("D", 0))


def asked(condition: Sketch) -> Sketch:
    return ("agg", ("m1", ("count", ("T", 0))), condition)


def test_conditions_joined_by_and_are_the_same_in_any_order_and_nesting() -> None:
    one = asked(("and", PAID, ("and", BIG, EARLY)))
    other = asked(("and", ("and", EARLY, PAID), BIG))
    assert in_any_order(one) == in_any_order(other)


def test_values_of_a_list_are_the_same_in_any_order() -> None:
    assert in_any_order(asked(("in2", ("W", 1), ("W", 5)))) == in_any_order(asked(("in2", ("W", 5), ("W", 1))))
    assert in_any_order(asked(("notin2", ("W", 1), ("W", 5)))) == in_any_order(asked(("notin2", ("W", 5), ("W", 1))))


def test_and_is_not_or_and_figures_keep_their_order() -> None:
    assert in_any_order(asked(("and", PAID, BIG))) != in_any_order(asked(("or", PAID, BIG)))
    less, more = ("count", ("T", 0)), ("sum", ("C", 2))
    assert in_any_order(("agg", ("m1", ("minus", less, more)), NOTHING)) != in_any_order(
        ("agg", ("m1", ("minus", more, less)), NOTHING)
    )
