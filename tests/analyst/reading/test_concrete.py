"""What is pointed to is written out: numbers in the unit of the figure that they are held against."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from apps.analyst.reading.concrete import concrete
from apps.analyst.reading.linking import link
from apps.analyst.reading.search import Action
from apps.analyst.reading.sketch import NUMBER
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Question

TODAY = date(2025, 6, 30)


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    folder: Path = tmp_path_factory.mktemp("calls")
    rows = "\n".join(f"{n},{n * 7 % 300},{n % 9},{n % 20 / 20},{n}.5,{n % 5}" for n in range(1, 60))
    (folder / "calls.csv").write_text(f"call_no,talk_min,wait_days,answered_rate,cost,Days Called per Week\n{rows}")
    return catalog_from_files([folder / "calls.csv"], folder / "tables")


def limit(text: str, column: int, calls: FixedCatalog) -> float:
    """The number in "rows whose column is greater than the question's first number"."""
    linked = link(Question(text, today=TODAY), calls)
    names = ("agg", "m1", "count", "T", "gt", "C", "N")
    actions: list[Action] = []
    for name in names:
        actions.append({"T": ("T", 0), "C": ("C", column), "N": ("N", 0)}.get(name) or ("=", NUMBER[name]))
    made = concrete(tuple(actions), linked, TODAY)
    return float(made[2][2][1])


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("calls longer than two hours", 1, 120),
        ("calls longer than 90 minutes", 1, 90),
        ("calls longer than 90", 1, 90),
        ("calls that waited over two weeks", 2, 14),
        ("calls that waited over a fortnight", 2, 14),
        ("calls of more than a quarter of an hour", 1, 15),
        ("calls over 2h", 1, 120),
        ("called at least three days a week", 5, 3),
        ("calls of more than 3 agents", 1, 3),
    ],
)
def test_a_length_of_time_is_compared_in_the_unit_of_the_column(
    calls: FixedCatalog, text: str, column: int, expected: float
) -> None:
    assert limit(text, column, calls) == expected


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("calls answered below 90 percent", 3, 0.9),
        ("calls answered over 90%", 3, 0.9),
        ("calls with a rate over 0.9", 3, 0.9),
        ("calls that cost over 90%", 4, 90),
    ],
)
def test_a_percentage_is_compared_with_shares_of_one_as_a_share(
    calls: FixedCatalog, text: str, column: int, expected: float
) -> None:
    assert limit(text, column, calls) == expected
