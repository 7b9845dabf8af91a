"""Which organizations go to the cluster, and what happens while it is away."""

from __future__ import annotations

import socket
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from apps.analyst.computing.warehouse.routing import PAUSE_SECONDS, Routing
from apps.analyst.computing.warehouse.spark.process import SparkAway
from apps.analyst.computing.warehouse.spark.warehouse import SparkWarehouse
from apps.analyst.errors import QueryFailed
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.types import Result, Table


@dataclass
class Scripted:
    """A warehouse that answers with its name, or fails."""

    name: str
    error: Exception | None = None
    asked: list[dict[str, object]] = field(default_factory=list)

    def query(self, sql, parameters, *, tables, columns=None, max_rows=10_000, timeout=30.0):
        self.asked.append({"sql": sql, "max_rows": max_rows, "timeout": timeout})
        if self.error is not None:
            raise self.error
        return Result((), ((self.name,),), 1)


class Hand:
    """A clock moved by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def catalog(*rows: int) -> FixedCatalog:
    return FixedCatalog(
        "v", tuple(Table(f"t{i}", f"t{i}.csv", Path(f"t{i}"), count, ()) for i, count in enumerate(rows))
    )


@pytest.fixture
def near() -> Scripted:
    return Scripted("near")


@pytest.fixture
def far() -> Scripted:
    return Scripted("far")


@pytest.fixture
def clock() -> Hand:
    return Hand()


@pytest.fixture
def routing(near, far, clock) -> Routing:
    return Routing(near, far, above_rows=1_000, clock=clock)


def answered_by(warehouse) -> object:
    return warehouse.query("SELECT 1", (), tables={}).rows[0][0]


def test_an_organization_up_to_the_size_stays_on_this_machine(routing):
    assert answered_by(routing(catalog(400, 600))) == "near"


def test_an_organization_above_the_size_goes_to_the_cluster_by_all_its_tables_together(routing):
    assert answered_by(routing(catalog(400, 601))) == "far"


def test_limits_reach_the_cluster_as_they_were_given(routing, far):
    routing(catalog(2_000)).query("SELECT 2", (), tables={}, max_rows=5, timeout=7.0)
    assert far.asked == [{"sql": "SELECT 2", "max_rows": 5, "timeout": 7.0}]


def test_while_the_cluster_is_away_this_machine_answers_and_the_log_names_the_remedy(routing, far, caplog):
    far.error = SparkAway("start the master")
    assert answered_by(routing(catalog(2_000))) == "near"
    assert "start the master" in caplog.text


def test_a_cluster_that_was_away_is_asked_again_after_a_pause(routing, far, clock):
    far.error = SparkAway("start the master")
    warehouse = routing(catalog(2_000))
    answered_by(warehouse)
    far.error = None
    assert answered_by(warehouse) == "near"
    clock.now += PAUSE_SECONDS
    assert answered_by(warehouse) == "far"
    assert len(far.asked) == 2


def test_a_query_that_the_cluster_refuses_is_not_tried_here(routing, far, near):
    far.error = QueryFailed("took longer than 60 seconds")
    with pytest.raises(QueryFailed, match="took longer"):
        answered_by(routing(catalog(2_000)))
    assert near.asked == []


# ---------------------------------------------------------------- the cluster that is not there
def test_a_missing_extra_is_told_with_its_remedy(tmp_path):
    warehouse = SparkWarehouse("local[1]", tmp_path / "python")
    with pytest.raises(SparkAway, match="cannot be reached") as caught:
        warehouse.query("SELECT 1", (), tables={})
    assert "make setup-spark" in caught.value.remedy
    assert caught.value.retryable


def test_an_environment_without_pyspark_is_told_with_its_remedy():
    warehouse = SparkWarehouse("local[1]", Path(sys.executable))
    with pytest.raises(SparkAway) as caught:
        warehouse.query("SELECT 1", (), tables={})
    assert "make setup-spark" in caught.value.remedy


def test_a_master_that_does_not_answer_is_told_of_before_anything_is_started():
    with socket.socket() as unheard:
        unheard.bind(("127.0.0.1", 0))
        master = f"spark://127.0.0.1:{unheard.getsockname()[1]}"
        warehouse = SparkWarehouse(master, Path(sys.executable))
        with pytest.raises(SparkAway) as caught:
            warehouse.query("SELECT 1", (), tables={})
    assert f"No Spark master answers at {master}" in caught.value.remedy


class ScriptedDriver:
    """A driver that was started, and is gone when it is asked."""

    def __init__(self, made: list[ScriptedDriver], fails: int) -> None:
        self.ended = False
        self._fails = len(made) < fails
        made.append(self)

    def alive(self) -> bool:
        return not self.ended

    def ask(self, question, timeout):
        if self._fails:
            raise SparkAway("the driver ended")
        return {"columns": [{"name": "n", "kind": "integer", "values": [7]}], "rows": 1, "total": 1}, memoryview(b"")

    def end(self) -> None:
        self.ended = True


def test_a_driver_that_ended_is_replaced_and_asked_again_once(tmp_path):
    made: list[ScriptedDriver] = []
    warehouse = SparkWarehouse("local", tmp_path, start=lambda *_: ScriptedDriver(made, fails=1))
    assert warehouse.query("SELECT 7", (), tables={}).rows == ((7,),)
    assert [driver.ended for driver in made] == [True, False]
    warehouse.close()
    assert made[1].ended


def test_a_driver_that_ends_twice_is_away(tmp_path):
    made: list[ScriptedDriver] = []
    warehouse = SparkWarehouse("local", tmp_path, start=lambda *_: ScriptedDriver(made, fails=2))
    with pytest.raises(SparkAway):
        warehouse.query("SELECT 7", (), tables={})
    assert len(made) == 2


def test_a_session_that_takes_long_to_start_is_away_until_it_stands(tmp_path):
    made: list[ScriptedDriver] = []
    stands = threading.Event()

    def slowly(*_: object) -> ScriptedDriver:
        stands.wait()
        return ScriptedDriver(made, fails=0)

    warehouse = SparkWarehouse("local", tmp_path, start=slowly, wait_seconds=0)
    with pytest.raises(SparkAway) as caught:
        warehouse.query("SELECT 7", (), tables={})
    assert "still being started" in caught.value.remedy
    stands.set()
    assert until_it_stands(warehouse).rows == ((7,),)
    assert len(made) == 1


def until_it_stands(warehouse: SparkWarehouse) -> Result:
    while True:
        try:
            return warehouse.query("SELECT 7", (), tables={})
        except SparkAway:
            time.sleep(0.01)


def test_a_closed_warehouse_starts_nothing(tmp_path):
    made: list[ScriptedDriver] = []
    warehouse = SparkWarehouse("local", tmp_path, start=lambda *_: ScriptedDriver(made, fails=0))
    warehouse.close()
    with pytest.raises(QueryFailed, match="shutting down"):
        warehouse.query("SELECT 7", (), tables={})
    assert made == []
