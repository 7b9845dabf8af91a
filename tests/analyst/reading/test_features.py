"""What of two results counts as the same when readings are held against each other."""

from __future__ import annotations

from typing import Literal

import pytest

from apps.analyst.reading.agreeing import figures_key, named_alone
from apps.analyst.types import Result, ResultColumn, Scalar

OWNERS: list[tuple[Scalar, ...]] = [("Maria", 12), ("Tom", 7)]


def result(rows: list[tuple[Scalar, ...]], kinds: tuple[Literal["dimension", "measure"], ...]) -> Result:
    columns = tuple(ResultColumn(f"c{n}", "text", kind) for n, kind in enumerate(kinds))
    return Result(columns, tuple(rows), len(rows))


def test_figures_by_a_name_are_one_with_and_without_the_group_that_has_none() -> None:
    kinds: tuple[Literal["dimension", "measure"], ...] = ("dimension", "measure")
    with_blank = result([*OWNERS, (None, 6)], kinds)
    assert figures_key(named_alone(with_blank)) == figures_key(named_alone(result(OWNERS, kinds)))


@pytest.mark.parametrize(
    ("rows", "kinds"),
    [
        ([(None, 6)], ("dimension", "measure")),
        ([("Maria", "a@x.example"), (None, "b@x.example")], ("dimension", "dimension")),
        ([(None, 12), (None, 7), ("Tom", 1)], ("dimension", "measure")),
        ([(None,), (12,)], ("measure",)),
    ],
)
def test_rows_that_are_no_group_stay(
    rows: list[tuple[Scalar, ...]], kinds: tuple[Literal["dimension", "measure"], ...]
) -> None:
    whole = result(rows, kinds)
    assert named_alone(whole) == whole
