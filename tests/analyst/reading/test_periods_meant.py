"""Which of a question's periods a condition on a date means."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from apps.analyst.reading.concrete import written
from apps.analyst.reading.linking import Linked, link
from apps.analyst.reading.periods_meant import with_meant_periods
from apps.analyst.reading.sketch import Sketch, walk
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Question

TODAY = date(2025, 10, 15)
CONTRACTS = """contract_no,signed_on,renewal_date,fee
C1,2024-11-02,2025-11-02,100
C2,2025-03-09,2026-03-09,200
C3,2025-07-21,2026-07-21,300
C4,2025-09-30,2025-12-30,400
"""


@pytest.fixture(scope="module")
def contracts(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    folder: Path = tmp_path_factory.mktemp("contracts")
    (folder / "contracts.csv").write_text(CONTRACTS)
    return catalog_from_files([folder / "contracts.csv"], folder / "tables")


def days(text: str, kind: str, column: str, contracts: FixedCatalog, period: int = 0) -> tuple[str, str]:
    """The days between which a condition of that kind holds a date, once the question is heard; the condition points
    to one of the question's periods."""
    linked = link(Question(text, today=TODAY), contracts)
    place = next(n for n, (_, c) in enumerate(linked.index.columns) if c.name == column)
    sketch: Sketch = ("agg", ("m1", ("count", ("T", 0))), (kind, ("C", place), ("D", period)))
    return found(written(with_meant_periods(sketch, linked), linked, TODAY))


def found(sketch: Sketch) -> tuple[str, str]:
    (test,) = (part for part in walk(sketch) if part[0] == "dates")
    return str(test[2]), str(test[3])


@pytest.mark.parametrize(
    ("text", "period", "start", "end"),
    [
        ("contracts signed in July plus August 2025", 0, "2025-07-01", "2025-09-01"),
        ("contracts signed in June, July or August 2025", 1, "2025-06-01", "2025-09-01"),
        ("contracts signed from the start of July to the end of September 2025", 1, "2025-07-01", "2025-10-01"),
        ("contracts signed, 2025 up to the end of September", 0, "2025-01-01", "2025-10-01"),
        ("contracts signed in July 2025", 0, "2025-07-01", "2025-08-01"),
    ],
)
def test_all_that_is_said_of_time_is_meant(
    text: str, period: int, start: str, end: str, contracts: FixedCatalog
) -> None:
    assert days(text, "on", "signed_on", contracts, period) == (start, end)


@pytest.mark.parametrize(("period", "start"), [(0, "2025-07-01"), (1, "2025-04-01")])
def test_of_two_periods_that_are_held_against_each_other_both_are_over(
    period: int, start: str, contracts: FixedCatalog
) -> None:
    assert days("renewals Q3 vs Q2", "on", "renewal_date", contracts, period)[0] == start
    assert days("renewals in Q2", "on", "renewal_date", contracts)[0] == "2026-04-01"


def test_two_months_that_are_listed_apart_stay_two(contracts: FixedCatalog) -> None:
    assert days("contracts signed in March and July 2025", "on", "signed_on", contracts, 1) == (
        "2025-07-01",
        "2025-08-01",
    )


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("contracts signed in July 2025 or earlier", "None", "2025-08-01"),
        ("contracts signed in July 2025 or later", "2025-07-01", "None"),
        ("contracts signed from July 2025 onwards", "2025-07-01", "None"),
    ],
)
@pytest.mark.parametrize("kind", ["on", "since", "before"])
def test_words_behind_a_period_name_its_side(
    text: str, start: str, end: str, kind: str, contracts: FixedCatalog
) -> None:
    assert days(text, kind, "signed_on", contracts) == (start, end)


@pytest.mark.parametrize(
    ("text", "column", "start"),
    [
        ("contracts up for renewal in November", "renewal_date", "2025-11-01"),
        ("renewals due in March", "renewal_date", "2026-03-01"),
        ("contracts signed in November", "signed_on", "2024-11-01"),
        ("contracts that were up for renewal in March", "renewal_date", "2025-03-01"),
        ("contracts renewed in March", "renewal_date", "2025-03-01"),
        ("contracts up for renewal in March 2025", "renewal_date", "2025-03-01"),
        ("contracts up for renewal in July", "renewal_date", "2025-07-01"),
    ],
)
def test_a_month_without_a_year_is_the_coming_one_of_a_date_that_lies_ahead(
    text: str, column: str, start: str, contracts: FixedCatalog
) -> None:
    assert days(text, "on", column, contracts)[0] == start


def test_a_range_without_a_year_lies_ahead_as_a_whole(contracts: FixedCatalog) -> None:
    linked: Linked = link(Question("renewals from November to March", today=TODAY), contracts)
    place = next(n for n, (_, c) in enumerate(linked.index.columns) if c.name == "renewal_date")
    sketch: Sketch = ("agg", ("m1", ("count", ("T", 0))), ("from_to", ("C", place), ("D", 0), ("D", 1)))
    assert found(written(with_meant_periods(sketch, linked), linked, TODAY)) == ("2025-11-01", "2026-04-01")
