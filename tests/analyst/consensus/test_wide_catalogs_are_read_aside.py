"""Very wide catalogs are read in child processes: same answers, killed with their work, gone when nobody asks."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import date
from pathlib import Path

import pytest

from apps.analyst.approaches.aside import LEARNING, TOO_WIDE, Aside
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.errors import QueryFailed
from apps.analyst.pipeline import answer, suggest
from apps.analyst.ports import Emit
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import JoinPath, Question, Result, ResultColumn, Scalar, Step

QUESTION = Question(text="What is the total amount by region?", today=date(2026, 11, 2))


class Stopped(Exception):
    """What a member's stopping of a run raises."""


class FailingWarehouse:
    def query(
        self,
        sql: str,
        parameters: Sequence[Scalar],
        *,
        tables: dict[str, Path],
        columns: Sequence[ResultColumn] | None = None,
        max_rows: int = 10_000,
        timeout: float = 30.0,
    ) -> Result:
        raise QueryFailed("The machine is busy.", retryable=True)


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    folder = tmp_path_factory.mktemp("aside")
    (folder / "orders.csv").write_text("region,amount\nNorth,10\nSouth,30\nNorth,5\nEast,7\n")
    return catalog_from_files([folder / "orders.csv"], folder / "tables")


@pytest.fixture(scope="module")
def shared() -> Iterator[Aside]:
    aside = Aside(wide=1)
    yield aside
    aside.close()


def lives(pid: int) -> bool:
    with suppress(FileNotFoundError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def test_an_answer_from_a_child_is_the_one_that_is_made_here(shared, catalog):
    steps: list[Step] = []
    made = shared.answer(QUESTION, catalog=catalog, warehouse=LocalWarehouse(), emit=steps.append)
    here = answer(QUESTION, catalog=catalog, warehouse=LocalWarehouse())
    assert made.status == "answered"
    assert (made.text, made.plan, made.result) == (here.text, here.plan, here.result)
    assert [step.label for step in steps[:1]] == [LEARNING], "it had to start"
    assert steps[1:] == list(made.steps)


def test_suggestions_come_from_the_child_that_holds_the_catalog_already(shared, catalog):
    assert shared.suggest(catalog, 4) == suggest(catalog, 4)
    before = shared.pids()
    assert shared.can_answer("What is the total amount?", catalog)
    assert not shared.can_answer("What is the average temperature?", catalog)
    assert shared.pids() == before


def test_what_the_warehouse_refuses_is_raised_on_both_sides_of_the_line(shared, catalog):
    with pytest.raises(QueryFailed) as here:
        answer(QUESTION, catalog=catalog, warehouse=FailingWarehouse())
    with pytest.raises(QueryFailed) as there:
        shared.answer(QUESTION, catalog=catalog, warehouse=FailingWarehouse())
    assert (there.value.message, there.value.retryable) == (here.value.message, here.value.retryable)


def test_a_catalog_of_usual_width_is_read_without_a_child(catalog):
    aside = Aside()
    assert aside.answer(QUESTION, catalog=catalog, warehouse=LocalWarehouse()).status == "answered"
    assert aside.pids() == []


def test_a_stopped_question_ends_its_child(catalog):
    aside, seen = Aside(wide=1), []

    def stop(step: Step) -> None:
        if step.label != LEARNING:
            seen.extend(aside.pids())
            raise Stopped

    with pytest.raises(Stopped):
        aside.answer(QUESTION, catalog=catalog, warehouse=LocalWarehouse(), emit=stop)
    assert len(seen) == 1
    assert not lives(seen[0])
    assert aside.pids() == []


def test_a_question_that_is_ended_while_its_child_starts_leaves_it_for_the_next(catalog):
    aside = Aside(wide=1)

    def ring(*_: object) -> None:
        raise Stopped

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    try:
        with pytest.raises(Stopped):
            aside.suggest(catalog, 1)
        started = aside.pids()
        assert len(started) == 1
        assert aside.suggest(catalog, 1) == suggest(catalog, 1)
        assert aside.pids() == started
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        aside.close()


def test_questions_at_one_time_over_one_catalog_share_a_child(catalog):
    aside, found = Aside(wide=1), []
    asking = [threading.Thread(target=lambda: found.append(aside.suggest(catalog, 1))) for _ in range(3)]
    for thread in asking:
        thread.start()
    most = 0
    while any(thread.is_alive() for thread in asking):
        most = max(most, len(aside.pids()))
        time.sleep(0.02)
    assert most == 1
    assert found == [suggest(catalog, 1)] * 3
    aside.close()


@pytest.fixture(scope="module")
def grown(catalog, tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    """The next version of the catalog: another file came."""
    folder = tmp_path_factory.mktemp("grown")
    (folder / "visits.csv").write_text("city,visitors\nOslo,10\nRome,30\nOslo,5\n")
    more = catalog_from_files([folder / "visits.csv"], folder / "tables")
    return FixedCatalog("grown", (*catalog.tables(), *more.tables()))


def learned(aside: Aside, catalog: FixedCatalog) -> list[str]:
    """Asks, and gives the steps of a child that starts or learns."""
    steps: list[Step] = []
    made = aside.answer(QUESTION, catalog=catalog, warehouse=LocalWarehouse(), emit=steps.append)
    assert made.text == answer(QUESTION, catalog=catalog, warehouse=LocalWarehouse()).text
    return [step.detail for step in steps if step.label == LEARNING]


def test_a_child_that_has_most_of_a_newer_version_is_told_the_rest(catalog, grown):
    aside, visitors = Aside(wide=1), Question(text="How many visitors in Oslo?", today=QUESTION.today)
    assert learned(aside, catalog) == ["1 tables"]
    before = aside.pids()
    assert learned(aside, grown) == ["2 tables"]
    assert "15" in aside.answer(visitors, catalog=grown, warehouse=LocalWarehouse()).text
    assert learned(aside, catalog) == ["1 tables"]
    assert aside.answer(visitors, catalog=catalog, warehouse=LocalWarehouse()).status != "answered"
    assert aside.pids() == before
    aside.close()


def test_a_version_in_which_nothing_changed_is_not_learned_again(catalog):
    aside = Aside(wide=1)
    aside.ready(catalog)
    assert learned(aside, FixedCatalog("later", catalog.tables(), catalog.joins())) == []
    joined = FixedCatalog(
        "joined", catalog.tables(), (JoinPath("orders", ("region",), "orders", ("region",), 1, True),)
    )
    assert learned(aside, joined) == ["1 tables"]
    aside.close()


def test_a_version_that_comes_while_the_one_before_is_learned_waits_for_its_child(catalog, grown):
    aside, done = Aside(wide=1), []
    readying = [threading.Thread(target=lambda one=one: done.append(aside.ready(one))) for one in (catalog, grown)]
    most = 0
    for thread in readying:
        thread.start()
        while not aside.pids():
            time.sleep(0.01)
    while any(thread.is_alive() for thread in readying):
        most = max(most, len(aside.pids()))
        time.sleep(0.02)
    assert (most, len(done)) == (1, 2)
    aside.close()


def test_a_question_comes_before_what_is_done_ahead(catalog):
    aside, warehouse, begun = Aside(wide=1), LocalWarehouse(), []
    aside.ready(catalog)
    at_work, go_on = threading.Event(), threading.Event()

    def hold(step: Step) -> None:
        at_work.set()
        go_on.wait(20)

    def ask(work: Callable[[], object]) -> threading.Thread:
        thread = threading.Thread(target=work)
        thread.start()
        return thread

    def ahead() -> None:
        aside.suggest(catalog, 1)
        begun.append("ahead")

    def asked(emit: Emit) -> None:
        aside.answer(QUESTION, catalog=catalog, warehouse=warehouse, emit=emit)

    first = ask(lambda: asked(hold))
    assert at_work.wait(20)
    waiting = [ask(ahead) for _ in range(3)]
    waiting.append(ask(lambda: asked(lambda step: begun.append("asked"))))
    while not aside._waiting:
        time.sleep(0.01)
    go_on.set()
    for thread in (first, *waiting):
        thread.join(30)
    assert begun[0] == "asked"
    assert begun.count("ahead") == 3
    aside.close()


def test_tables_of_others_are_never_told_to_a_child(catalog, grown):
    aside = Aside(wide=1)
    aside.ready(catalog)
    aside.ready(FixedCatalog("others", grown.tables()[1:]))
    assert len(aside.pids()) == 2
    aside.close()


def test_a_child_that_nobody_asks_ends_by_itself(catalog):
    aside = Aside(wide=1, kept_seconds=0.2)
    aside.suggest(catalog, 1)
    until = time.monotonic() + 20
    while aside.pids() and time.monotonic() < until:
        time.sleep(0.05)
    assert aside.pids() == []


def test_a_child_without_memory_is_said_in_words_and_the_next_question_has_another(catalog):
    aside = Aside(wide=1, memory_mb=24)
    for _ in range(2):
        with pytest.raises(QueryFailed, match="Choose the files") as refused:
            aside.suggest(catalog, 1)
        assert refused.value.message == TOO_WIDE
    assert aside.pids() == []


def test_closing_ends_children_at_work(catalog):
    aside, raised = Aside(wide=1), []

    def ask() -> None:
        try:
            aside.suggest(catalog, 1)
        except QueryFailed as error:
            raised.append(error)

    asking = threading.Thread(target=ask)
    asking.start()
    while not aside.pids():
        time.sleep(0.01)
    (pid,) = aside.pids()
    aside.close()
    asking.join(20)
    assert not asking.is_alive()
    assert not lives(pid)
    with pytest.raises(QueryFailed):
        aside.suggest(catalog, 1)
