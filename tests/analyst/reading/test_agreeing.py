"""Results that say the same in another layout, or a column more, are no rivals."""

from __future__ import annotations

from typing import Literal

import pytest

from apps.analyst.computing.compute import Computed
from apps.analyst.language import Reading
from apps.analyst.plan import ColumnRef, Output, Query
from apps.analyst.reading.agreeing import Told
from apps.analyst.reading.reader import Weighed, as_asked, key_of
from apps.analyst.types import Result, ResultColumn, Scalar

Kind = Literal["dimension", "measure"]


def told(kinds: str, *rows: tuple[Scalar, ...]) -> Told:
    """A result whose columns are dimensions (d) and measures (m)."""
    names: dict[str, Kind] = {"d": "dimension", "m": "measure"}
    columns = tuple(ResultColumn(f"c{n}", "text", names[kind]) for n, kind in enumerate(kinds))
    return Told(Result(columns, rows, len(rows)))


STORES = told("d", ("York",), ("Hull",))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (told("dm", ("York", 5), ("Hull", 3)), STORES),
        (told("md", (3, "Hull"), (5, "York")), STORES),
        (told("ddm", ("Hull", "North", 3), ("York", "North", 5)), told("dm", ("York", 5), ("Hull", 3))),
        (told("d", ("York",), ("Hull",), ("York",)), STORES),
        (told("m", (2.0,)), told("m", (2,))),
    ],
)
def test_a_result_covers_what_it_has_and_up_to_two_columns_less(one: Told, other: Told) -> None:
    assert one.covers(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (STORES, told("dm", ("York", 5), ("Hull", 3))),
        (told("dm", ("York", 5), ("Hull", 3)), told("d", ("York",))),
        (told("dm", ("York", 3), ("Hull", 5)), told("dm", ("York", 5), ("Hull", 3))),
        (told("dddm", ("York", "a", "b", 5), ("Hull", "a", "b", 3)), STORES),
        (told("m"), told("m")),
    ],
)
def test_other_rows_other_pairs_or_many_more_columns_are_another_answer(one: Told, other: Told) -> None:
    assert not one.covers(other)


def test_the_sides_of_a_comparison_stand_below_or_beside_each_other() -> None:
    below, beside = told("dm", ("2024", 7), ("2025", 9)), told("mm", (9, 7))
    assert below.covers(beside)
    assert beside.covers(below)
    assert not below.covers(told("mm", (9, 8)))
    assert not told("m", (7,)).covers(told("dm", ("2024", 7)))


def weighed(score: float, kinds: str, *rows: tuple[Scalar, ...]) -> Weighed:
    plan = Query(source="stores", columns=(Output(label="store", expr=ColumnRef(table="stores", column=kinds)),))
    return Weighed(Reading(plan=plan, score=score), Computed(plan, told(kinds, *rows).result))


@pytest.mark.parametrize(
    ("less", "likelihoods", "first"),
    [
        (0.96, (-4.5, -0.2), "d"),  # hardly behind, and the network holds the plain list for likelier
        (0.96, (-0.2, -4.5), "dm"),
        (0.80, (-4.5, -0.2), "dm"),
    ],
)
def test_a_list_is_not_told_with_a_count_of_one_each(less: float, likelihoods: tuple[float, float], first: str) -> None:
    counted = weighed(0.97, "dm", ("York", 1), ("Hull", 1))
    plain = weighed(less, "d", ("York",), ("Hull",))
    learned = dict(zip(map(key_of, (counted, plain)), likelihoods, strict=True))
    made = as_asked([counted, plain], learned)
    assert made[0].reading.score == 0.97
    assert made[0].computed == (plain if first == "d" else counted).computed
    assert len(made) == 2
