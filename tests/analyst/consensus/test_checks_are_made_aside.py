"""Checks and other readings over very wide catalogs are made in a child: the same results, nothing read here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

import pytest

from apps.analyst.approaches.aside import LEARNING, Aside
from apps.analyst.approaches.checking import Check, Given, Ports, Selected, check
from apps.analyst.approaches.choosing import Asked, offered, take
from apps.analyst.approaches.recounting import recount_here
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.dictionary import cache
from apps.analyst.errors import PlanRejected, QueryFailed
from apps.analyst.pipeline import answer
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Answer, Question, Step

QUESTION = Question(text="What is the total net amount by region?", today=date(2026, 11, 2))


class Stopped(Exception):
    """What a member's stopping of a run raises."""


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    folder = tmp_path_factory.mktemp("aside")
    rows = "\n".join(f"{('North', 'South')[n % 2]},{n},{2 * n}" for n in range(1, 21))
    (folder / "orders.csv").write_text(f"region,net_amount,gross_amount\n{rows}\n")
    return catalog_from_files([folder / "orders.csv"], folder / "tables")


@pytest.fixture(scope="module")
def given(catalog: FixedCatalog) -> Answer:
    made = answer(QUESTION, catalog=catalog, warehouse=LocalWarehouse(), onward=False)
    assert made.result is not None
    return made


@pytest.fixture(scope="module")
def aside() -> Iterator[Aside]:
    made = Aside(wide=1)
    yield made
    made.close()


@pytest.fixture
def unread(catalog: FixedCatalog) -> Iterator[FixedCatalog]:
    """The catalog in a version that nobody has read, and that nobody has read here afterwards."""
    fresh = replace(catalog, version=f"{catalog.version}-unread")
    yield fresh
    assert fresh.version not in cache._kept


def selected(given: Answer) -> Selected:
    assert given.result is not None
    return Selected("builtin", given.plan, given.result)


def told(found: Check) -> list[object]:
    made = [(one.approach, one.standing, one.answer and one.answer.result, one.grounds) for one in found.checked]
    return [*made, found.verdict, found.absent, found.readers]


def test_a_check_in_a_child_finds_what_one_here_finds_and_asks_models_from_here(aside, unread, catalog, given):
    asked: list[str] = []

    def agreeing() -> Given:
        asked.append("agreeing")
        return Given(replace(given, approach="agreeing"))

    def failing() -> Given:
        raise QueryFailed("The model is busy.", retryable=True)

    def there_already() -> Given:
        raise AssertionError("its answer stands beside the selected one")

    models = (("agreeing", agreeing), ("failing", failing), ("there", there_already))
    beside = (replace(selected(given), approach="there"),)
    steps: list[Step] = []
    found = aside.check(
        QUESTION, selected(given), catalog=unread, warehouse=LocalWarehouse(), emit=steps.append, models=models,
        beside=beside,
    )  # fmt: skip
    assert asked == ["agreeing"]
    assert [step.label for step in steps[:2]] == [LEARNING, "Reading the question anew"]
    ports = Ports(catalog, LocalWarehouse(), recount_here, lambda _: None, models)
    here = check(QUESTION, selected(given), ports, beside)
    assert told(found) == told(here)
    assert ("failing", "The model is busy.") in found.absent


def test_a_check_that_is_stopped_ends_its_child(unread, given):
    aside = Aside(wide=1)

    def stop(step: Step) -> None:
        if step.label != LEARNING:
            raise Stopped

    with pytest.raises(Stopped):
        aside.check(QUESTION, selected(given), catalog=unread, warehouse=LocalWarehouse(), emit=stop)
    assert aside.pids() == []


def test_what_no_other_way_can_check_is_refused_in_the_same_words(aside, catalog, given):
    unreadable = replace(QUESTION, text="zzz qqq")
    kept = Selected("some model", None, selected(given).result)
    with pytest.raises(PlanRejected) as there:
        aside.check(unreadable, kept, catalog=catalog, warehouse=LocalWarehouse(), emit=lambda _: None)
    with pytest.raises(PlanRejected) as here:
        check(unreadable, kept, Ports(catalog, LocalWarehouse(), recount_here, lambda _: None))
    assert there.value.message == here.value.message


def test_other_readings_are_found_and_taken_in_a_child(aside, unread, catalog, given):
    asked, warehouse = Asked(QUESTION, given.plan, given.rivals, "figure:0"), LocalWarehouse()
    here = offered(asked, 2, catalog=catalog, warehouse=warehouse)
    assert here
    assert aside.offered(asked, 2, catalog=unread, warehouse=warehouse) == here
    mine = take(asked, here[0].key, always=True, catalog=catalog, warehouse=warehouse)
    there = aside.take(asked, here[0].key, always=True, catalog=unread, warehouse=warehouse)
    assert mine.answer is not None
    assert there.answer is not None
    assert (there.answer.plan, there.answer.result, there.lesson) == (mine.answer.plan, mine.answer.result, mine.lesson)
    assert not aside.take(asked, "none", always=False, catalog=unread, warehouse=warehouse).found
