"""The 16 presets and every question of the trending topics get the figures that pandas computes on its own.

On the demo, and on a company that calls its columns otherwise, has other owners, other dates and a currency column.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.pipeline import answer
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Answer, Question
from apps.threads.presets import PRESET_QUESTIONS, is_offered, topic_questions
from tests.apps.demo.demo_frames import Organization, another_company, the_demo
from tests.apps.demo.expected import Books, Told
from tests.apps.demo.promises import PROMISES


class Desk:
    """An organization that can be asked, with its books to check against."""

    def __init__(self, organization: Organization, folder: Path) -> None:
        paths = []
        for name, content in organization.files.items():
            path = folder / name
            path.write_bytes(content)
            paths.append(path)
        self.catalog: FixedCatalog = catalog_from_files(paths, folder)
        self.warehouse = LocalWarehouse()
        self.books, self.today = Books(organization), organization.today

    def ask(self, text: str) -> Answer:
        """The answer, without questions to go on with."""
        question = Question(text, today=self.today, offered=is_offered(text))
        return answer(question, catalog=self.catalog, warehouse=self.warehouse, onward=False)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    desk = Desk(the_demo(), tmp_path_factory.mktemp("demo"))
    yield desk
    desk.warehouse.close()


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    desk = Desk(another_company(), tmp_path_factory.mktemp("other"))
    yield desk
    desk.warehouse.close()


def test_every_preset_and_every_topic_question_is_promised() -> None:
    asked = {*PRESET_QUESTIONS, *topic_questions()}
    assert len(PRESET_QUESTIONS) == 16
    assert asked == set(PROMISES)


@pytest.mark.parametrize("question", PROMISES)
def test_the_demo_gets_the_figures_that_pandas_gets(question: str, demo: Desk) -> None:
    check(question, demo)


@pytest.mark.parametrize("question", PROMISES)
def test_a_company_with_other_labels_owners_and_dates_gets_its_own_figures(question: str, other: Desk) -> None:
    check(question, other)


def check(question: str, desk: Desk) -> None:
    """Holds an answer's rows against the expected ones."""
    told = PROMISES[question](desk.books)
    got = desk.ask(question)
    assert got.status == "answered" or not told.rows, got.text
    rows = [tuple(map(plain, row)) for row in got.result.rows] if got.result is not None else []
    assert len(rows) == len(told.rows), f"{got.text}\n{rows[:5]}\n{told.rows[:5]}"
    if told.ties:
        assert sorted(map(figures_of, told.rows)) == pytest.approx(sorted(best_figures(row, told) for row in rows)), (
            rows
        )
    elif told.ordered:
        for row, expected in zip(rows, told.rows, strict=True):
            assert holds(row, expected), (row, expected)
    else:
        waiting = list(rows)
        for expected in told.rows:
            match = next((row for row in waiting if holds(row, expected)), None)
            assert match is not None, (expected, rows[:8])
            waiting.remove(match)


def figures_of(row: tuple[Any, ...]) -> float:
    """A ranked row's figure (a day counts as one): rows with equal figures may come in any order."""
    last = row[-1]
    return float(last.toordinal()) if isinstance(last, date) else float(last)


def best_figures(row: tuple[Any, ...], told: Told) -> float:
    """The figure of a row of the answer that is meant: the one nearest in kind to the expected."""
    wanted = {figures_of(expected) for expected in told.rows}
    values = [figures_of((value,)) for value in row if isinstance(value, int | float | date)]
    return next(
        (value for value in values if any(math.isclose(value, want, rel_tol=1e-9) for want in wanted)), math.nan
    )


def plain(value: object) -> object:
    if isinstance(value, datetime):
        return value.date()
    return float(value) if isinstance(value, Decimal) else value


def holds(row: tuple[Any, ...], expected: tuple[Any, ...]) -> bool:
    """Whether a row begins with, or for listings somewhere has, all expected values."""
    rest = list(row)
    for value in expected:
        place = next((i for i, got in enumerate(rest) if same(got, value)), None)
        if place is None:
            return False
        rest.pop(place)
    return True


def same(got: Any, value: Any) -> bool:
    if isinstance(value, int | float) and isinstance(got, int | float):
        return math.isclose(got, value, rel_tol=1e-9, abs_tol=1e-9)
    return bool(got == value)
