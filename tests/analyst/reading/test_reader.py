"""Questions over an export that nobody trained on: the figures are right, what cannot be known is not told."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.language import Reading
from apps.analyst.pipeline import answer
from apps.analyst.plan import Aggregate, AllOf, ColumnRef, Compare, Constant, Output, Query
from apps.analyst.reading.candidates import Candidate, open_days, with_ends
from apps.analyst.reading.judging import ask_from
from apps.analyst.reading.linking import link
from apps.analyst.reading.reader import weighed
from apps.analyst.reading.search import Guess
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Answer, Question
from tests.analyst.reading.conftest import PLACES, TODAY

Ask = Callable[[str], Answer]


@pytest.fixture(scope="module")
def ask(stays: FixedCatalog) -> Ask:
    warehouse = LocalWarehouse(threads=1)
    return lambda text: answer(Question(text, today=TODAY), catalog=stays, warehouse=warehouse, onward=False)


def told(said: Answer) -> list[tuple[object, ...]]:
    assert said.result is not None, said.text
    return [tuple(float(v) if isinstance(v, int | float) else v for v in row) for row in said.result.rows]


def test_rows_are_counted_by_a_state(ask: Ask) -> None:
    assert told(ask("How many bookings were cancelled?")) == [(120,)]


def test_groups_are_counted(ask: Ask) -> None:
    counted = Counter(PLACES[n % 3] for n in range(600))
    assert {(row[0], row[-1]) for row in told(ask("number of bookings by property"))} == set(counted.items())


def test_an_answer_says_how_likely_it_is(ask: Ask) -> None:
    said = ask("How many bookings were cancelled?")
    assert ask_from() <= said.confidence <= 1


def test_readings_that_part_in_the_group_without_a_name_alone_are_one_told_in_the_rules_words_without_it(
    stays: FixedCatalog,
) -> None:
    tier = Output(label="Tier", expr=ColumnRef(table="guests", column="loy_tier"))
    counted = Output(label="Guests", expr=Aggregate(fn="count"))
    rules = Reading(plan=Query(source="guests", groups=(tier,), measures=(counted,)), score=0.95, wording="by tier")
    asked = Question("number of guests by loyalty tier", today=TODAY)
    first, *others = weighed(asked, stays, LocalWarehouse(threads=1), [rules])
    assert (first.reading.wording, first.computed.result.rows) == ("by tier", (("Gold", 32),))
    assert all(one.reading.wording != "by tier" for one in others)


def test_each_result_is_weighed_once(stays: FixedCatalog) -> None:
    found = weighed(Question("bookings by status", today=TODAY), stays, LocalWarehouse(threads=1), [])
    chances = [one.reading.score for one in found]
    assert chances == sorted(chances, reverse=True)
    assert all(0 <= chance <= 1 for chance in chances)
    assert len({tuple(sorted(map(str, one.computed.result.rows))) for one in found}) == len(found)


@pytest.mark.parametrize(
    "text",
    ["What will revenue be next year?", "Why did our guests complain?", "How happy is the staff at Castle Mews?"],
)
def test_what_the_data_cannot_tell_is_not_told(ask: Ask, text: str) -> None:
    assert ask(text).status != "answered"


@pytest.mark.parametrize(
    ("tests", "count"),
    [((), 0), ((">=2025-01-01",), 1), (("<2026-01-01",), 1), ((">=2025-01-01", "<2026-01-01"), 0)],
)
def test_a_day_without_another_one_leaves_a_period_open(tests: tuple[str, ...], count: int) -> None:
    arrived = ColumnRef(table="bookings", column="arr_dt")
    made = [
        Compare(op=text[:-10], left=arrived, right=Constant(value=text[-10:], type="date"))  # type: ignore[arg-type]
        for text in tests
    ]
    where = AllOf(of=tuple(made)) if made else None
    assert open_days(Query(source="bookings", columns=(Output(label="day", expr=arrived),), where=where)) == count


def arrivals(*tests: str) -> Query:
    arrived = ColumnRef(table="bookings", column="arr_dt")
    made = tuple(Compare(op=t[:-10], left=arrived, right=Constant(value=t[-10:], type="date")) for t in tests)  # type: ignore[arg-type]
    output = Output(label="Bookings", expr=Aggregate(fn="count"))
    return Query(source="bookings", measures=(output,), where=AllOf(of=made) if made else None)


@pytest.mark.parametrize(
    ("text", "whole", "kept"),
    [
        ("how many bookings in 2025", -1.0, ["whole", "none"]),
        ("how many bookings since 2025", -1.0, ["open", "whole", "none"]),
        ("how many bookings in 2025 or later", -1.0, ["open", "whole", "none"]),
        ("how many bookings in 2025 by property", -1.0, ["whole", "none"]),
        ("how many bookings this year", -1.0, ["open", "whole", "none"]),
        ("how many bookings in 2025", -5.0, ["open", "whole", "none"]),
    ],
)
def test_a_period_that_is_named_whole_is_not_read_from_its_start_alone(
    text: str, whole: float, kept: list[str], stays: FixedCatalog
) -> None:
    plans = {
        "open": (arrivals(">=2025-01-01"), -0.7),
        "whole": (arrivals(">=2025-01-01", "<2026-01-01"), whole),
        "none": (arrivals(), -6.0),
    }
    sketch = ("scalar", ("all",))
    made = [Candidate(plan, score, sketch, Guess((), score)) for plan, score in plans.values()]
    left = with_ends(made, link(Question(text, today=TODAY), stays))
    assert [one.plan for one in left] == [plans[name][0] for name in kept]
    assert sum(math.exp(one.score) for one in left) == pytest.approx(sum(math.exp(one.score) for one in made))


def test_a_year_that_is_named_is_told_with_its_end(tmp_path: Path) -> None:
    lines = [f"{'Leeds' if n % 3 else 'Hull'},2025-{1 + n % 12:02d}-{1 + n % 28:02d},{50 + n}" for n in range(90)]
    (tmp_path / "rides.csv").write_text("\n".join(["city,ride_date,fare", *lines]))
    catalog = catalog_from_files([tmp_path / "rides.csv"], tmp_path / "tables")
    given = answer(Question("total fare by city in 2025", today=TODAY), catalog=catalog, warehouse=LocalWarehouse())
    assert "in 2025" in given.text
    assert "from 1 Jan" not in given.text
