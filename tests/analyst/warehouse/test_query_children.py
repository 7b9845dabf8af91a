"""Query children: killed and replaced, shared by threads, gone with their parent, bound to their files."""

from __future__ import annotations

import json
import os
import platform
import resource
import signal
import subprocess
import sys
import textwrap
import threading
import time
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest

from apps.analyst.computing.priority import NICENESS
from apps.analyst.computing.warehouse import landlock, wire
from apps.analyst.computing.warehouse.child_process import (
    ChildLimits,
    ChildProcess,
    scratch_sweep,
)
from apps.analyst.computing.warehouse.pool import ChildWarehouse, fingerprints
from apps.analyst.errors import QueryFailed

COUNT = "SELECT count(*) FROM t"


@pytest.fixture
def pool():
    warehouse = ChildWarehouse()
    yield warehouse
    warehouse.close()


def table(folder: Path, name: str, rows: int) -> dict[str, Path]:
    path = folder / f"{name}.parquet"
    duckdb.execute(f"COPY (SELECT * FROM range({rows}) AS r(n)) TO '{path}'")
    return {"t": path}


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split(")")[1].split()[0] != "Z"
    except OSError:
        return False


def wait_for_end(pid: int) -> bool:
    for _ in range(100):
        if not alive(pid):
            return True
        time.sleep(0.05)
    return False


def test_nothing_is_started_before_the_first_question(tmp_path):
    warehouse = ChildWarehouse()
    assert warehouse.process_ids() == []
    warehouse.close()


def test_a_child_answers_again_and_again(pool, tmp_path):
    tables = table(tmp_path, "a", 5)
    assert pool.query(COUNT, [], tables=tables).rows == ((5,),)
    first = pool.process_ids()[0]
    for _ in range(3):
        assert pool.query(COUNT, [], tables=tables).rows == ((5,),)
    assert pool.process_ids()[0] == first


def test_a_killed_child_fails_its_question_and_is_replaced(pool, tmp_path):
    tables = table(tmp_path, "a", 5)
    pool.query(COUNT, [], tables=tables)
    os.kill(pool.process_ids()[0], signal.SIGKILL)
    with pytest.raises(QueryFailed):
        pool.query(COUNT, [], tables=tables)
    assert pool.query(COUNT, [], tables=tables).rows == ((5,),)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT length(repeat('x', 2000000000))",
        "SELECT unnest(generate_series(1, 2000000000))",
        "SELECT len(range(0, 500000000))",
        "SELECT count(*) FROM range(100000000000) a, range(1000000) b",
        "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r",
    ],
)
def test_a_runaway_is_ended_soon_and_the_next_question_is_answered(single, tmp_path, sql):
    """Soon is counted in what the query may use of the machine, start of the child included: others do not slow it."""
    tables = table(tmp_path, "a", 5)
    single.query(COUNT, [], tables=tables)
    before = computed_by_ended_children()
    with pytest.raises(QueryFailed):
        single.query(sql, [], tables=tables, timeout=1.0)
    assert computed_by_ended_children() - before < 4
    assert single.query(COUNT, [], tables=tables).rows == ((5,),)


def test_a_flood_of_text_is_not_carried_over_and_the_next_question_is_answered(single, tmp_path):
    tables = table(tmp_path, "a", 5)
    flood = "SELECT repeat('x', 1000000) AS s FROM range(20)"
    with pytest.raises(QueryFailed, match="more text than can be shown"):
        single.query(flood, [], tables=tables, max_rows=100)
    assert single.query(COUNT, [], tables=tables).rows == ((5,),)
    assert len(single.process_ids()) == 2, "the same child, and a spare"


def test_a_child_that_sends_more_than_a_result_can_be_is_not_listened_to(tmp_path):
    class Misled(ChildProcess):
        """Its own side of the wire believes that more may be sent."""

        def _send(self, frame, deadline):
            question = json.loads(frame[wire.HEAD.size :])
            super()._send(wire.pack({**question, "max_rows": 10_000}), deadline)

    warehouse = ChildWarehouse(size=1, child=Misled)
    with pytest.raises(QueryFailed, match="was ended"):
        warehouse.query("SELECT repeat('x', 1000000) FROM range(9)", [], tables=table(tmp_path, "a", 5), max_rows=1)
    warehouse.close()


@pytest.fixture
def single():
    """A pool whose children compute with one thread, so that a second of computing is a second."""
    warehouse = ChildWarehouse(limits=ChildLimits(threads=1))
    yield warehouse
    warehouse.close()


def computed_by_ended_children() -> float:
    """Seconds of computing that this process's ended children took in their lives."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


LONG_TEXT = "SELECT length(repeat('x', 400000000))"
"""Takes 400 MB that the engine's own limit does not count."""


def asked_alone(sql: str, tables: dict[str, Path], limits: ChildLimits) -> tuple[dict[str, object], int]:
    """What a child of its own answers, and the most memory that it ever held, in MiB."""
    child = ChildProcess(limits)
    try:
        child.bind(fingerprints(tables))
        places = {name: str(path) for name, path in tables.items()}
        said, _ = child.ask({"sql": sql, "parameters": [], "max_rows": 10, "tables": places}, 300)
        held = Path(f"/proc/{child.pid}/status").read_text().split("VmHWM:")[1].split()[0]
        return said, int(held) // 1024
    finally:
        child.end()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux bounds and tells what a process allocates")
def test_memory_that_the_engine_does_not_count_is_bounded_too(tmp_path):
    tables = table(tmp_path, "a", 5)
    said, held = asked_alone(LONG_TEXT, tables, ChildLimits(threads=1, memory_mb=64, data_mb=300))
    assert "error" in said
    assert held < 400
    said, held = asked_alone(LONG_TEXT, tables, ChildLimits(threads=1, memory_mb=64))
    assert said["rows"] == 1
    assert held > 400


def test_the_usual_limits_of_a_child_are_under_a_gibibyte():
    """What it allocates, and some 80 MiB of mapped program files."""
    assert ChildLimits().data_mb + 96 <= 1024


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what a process allocates")
@pytest.mark.parametrize(("room", "kept"), [(416, True), (0, False)])
def test_a_child_that_has_no_room_for_a_large_question_is_not_asked_again(tmp_path, room, kept):
    """Memory that was freed in pieces has no place for the next large question."""
    limits = ChildLimits(threads=1)
    warehouse = ChildWarehouse(size=1, limits=replace(limits, memory_mb=limits.data_mb - room))
    tables = table(tmp_path, "a", 5)
    warehouse.warm()
    (first,) = warehouse.process_ids()
    assert warehouse.query(COUNT, [], tables=tables).rows == ((5,),)
    assert (first in warehouse.process_ids()) is kept
    assert warehouse.query(COUNT, [], tables=tables).rows == ((5,),)
    warehouse.close()


def test_children_let_the_server_go_first(pool, tmp_path):
    pool.query(COUNT, [], tables=table(tmp_path, "a", 5))
    own = os.getpriority(os.PRIO_PROCESS, 0)
    assert {os.getpriority(os.PRIO_PROCESS, pid) for pid in pool.process_ids()} == {max(own, NICENESS)}


@pytest.mark.skipif(not hasattr(os, "SCHED_IDLE"), reason="Linux's own class of processes")
@pytest.mark.parametrize(("usual", "behind"), [(0.0, True), (60.0, False)])
def test_a_query_that_takes_long_leaves_the_processor_to_whoever_wants_it(tmp_path, usual, behind):
    child = ChildProcess(replace(ChildLimits(threads=1), usual_seconds=usual))
    tables = table(tmp_path, "a", 5)
    child.bind(fingerprints(tables))
    question = {"sql": COUNT, "parameters": [], "max_rows": 5, "tables": {"t": str(tables["t"])}}
    child.ask(question, 20)
    assert (os.sched_getscheduler(child.pid) == os.SCHED_IDLE) is behind
    assert child.is_spent() is behind  # it could not come back, so it is not asked again
    child.end()


def test_a_child_is_stopped_at_its_deadline_whatever_else_is_to_be_done(tmp_path):
    """The signal is sent before the next child is started and before anything is tidied up."""
    done: list[str] = []

    class Watched(ChildProcess):
        def __init__(self, limits):
            done.append("started")
            super().__init__(limits)

        def kill(self):
            done.append("killed")
            super().kill()

        def end(self):
            done.append("tidied up")
            super().end()

    warehouse = ChildWarehouse(size=1, child=Watched)
    tables = table(tmp_path, "a", 5)
    warehouse.query(COUNT, [], tables=tables)
    done.clear()
    refused(warehouse, "SELECT count(*) FROM range(100000000000) a, range(1000000) b", tables, 0.2)
    assert done[0] == "killed"
    assert done.index("killed") < done.index("tidied up")
    warehouse.close()


def test_questions_of_several_threads_are_answered_each_with_its_own(pool, tmp_path):
    sets = [table(tmp_path, f"t{number}", number + 1) for number in range(3)]
    wrong: list[object] = []

    def ask(number: int) -> None:
        for _ in range(10):
            got = pool.query(COUNT, [], tables=sets[number]).rows[0][0]
            if got != number + 1:
                wrong.append((number, got))

    threads = [threading.Thread(target=ask, args=(number % 3,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_two_questions_run_at_the_same_time(tmp_path):
    """One waits in its child until the other has been answered."""
    asked, go_on = threading.Event(), threading.Event()

    class Waiting(ChildProcess):
        def ask(self, question, timeout):
            if question["sql"] != COUNT:
                asked.set()
                assert go_on.wait(timeout)
            return super().ask(question, timeout)

    pool = ChildWarehouse(size=2, child=Waiting)
    tables = table(tmp_path, "a", 5)
    slow = threading.Thread(target=lambda: pool.query("SELECT 1 FROM t", [], tables=tables, timeout=300))
    slow.start()
    assert asked.wait(300)
    assert pool.query(COUNT, [], tables=tables).rows == ((5,),)
    assert slow.is_alive()
    go_on.set()
    slow.join()
    pool.close()


def refused(pool, sql, tables, timeout):
    with pytest.raises(QueryFailed):
        pool.query(sql, [], tables=tables, timeout=timeout)


def test_closing_ends_all_children(tmp_path):
    warehouse = ChildWarehouse()
    warehouse.query(COUNT, [], tables=table(tmp_path, "a", 5))
    pids = warehouse.process_ids()
    assert pids
    warehouse.close()
    assert all(wait_for_end(pid) for pid in pids)
    with pytest.raises(QueryFailed, match="shutting down"):
        warehouse.query(COUNT, [], tables=table(tmp_path, "a", 5))


def test_children_die_with_a_parent_that_is_killed(tmp_path):
    tables = table(tmp_path, "a", 5)
    program = textwrap.dedent(f"""
        import time
        from pathlib import Path
        from apps.analyst.computing.warehouse.pool import ChildWarehouse
        warehouse = ChildWarehouse()
        warehouse.query("{COUNT}", [], tables={{"t": Path({str(tables["t"])!r})}})
        print(*warehouse.process_ids(), flush=True)
        time.sleep(60)
    """)
    root = Path(__file__).resolve().parents[3]
    parent = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, cwd=root, text=True)
    assert parent.stdout is not None
    pids = [int(pid) for pid in parent.stdout.readline().split()]
    assert pids
    parent.kill()
    parent.wait()
    parent.stdout.close()
    assert all(wait_for_end(pid) for pid in pids)


def test_children_import_nothing_heavy():
    program = (
        "import sys, apps.analyst.computing.warehouse.child\n"
        "print([m for m in ('pandas', 'numpy', 'pydantic', 'django', 'pyarrow', 'openpyxl') if m in sys.modules])"
    )
    root = Path(__file__).resolve().parents[3]
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, cwd=root, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_child_has_an_empty_environment(pool, tmp_path, monkeypatch):
    monkeypatch.setenv("PLANTED_SECRET", "do-not-tell")
    pool.query(COUNT, [], tables=table(tmp_path, "a", 5))
    for pid in pool.process_ids():
        assert b"do-not-tell" not in Path(f"/proc/{pid}/environ").read_bytes()


def test_idle_children_are_few(pool, tmp_path):
    for number in range(8):
        pool.query(COUNT, [], tables=table(tmp_path, f"t{number}", 2))
    assert len(pool.process_ids()) <= 4


def test_scratch_folders_are_removed(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    warehouse = ChildWarehouse()
    warehouse.query(COUNT, [], tables=table(tmp_path, "a", 5))
    warehouse.close()
    assert list(tmp_path.glob("query-*")) == []


def test_a_big_sort_spills_instead_of_failing(tmp_path):
    warehouse = ChildWarehouse(limits=ChildLimits(memory_mb=200, threads=1))
    path = tmp_path / "big.parquet"
    duckdb.execute(f"COPY (SELECT hash(i) AS h, repeat('x', 60) || i AS s FROM range(3000000) t(i)) TO '{path}'")
    sql = "SELECT h, s FROM t ORDER BY s, h OFFSET 2999990"
    result = warehouse.query(sql, [], tables={"t": path}, timeout=60)
    assert len(result.rows) == 10
    warehouse.close()


@pytest.mark.skipif(not landlock.version(), reason="this kernel has no Landlock")
def test_landlock_holds_even_where_the_engine_would_not(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("top secret")
    allowed = tmp_path / "allowed.txt"
    allowed.write_text("fine")
    program = textwrap.dedent(f"""
        import socket, os
        from apps.analyst.computing.warehouse import landlock
        assert landlock.restrict(readable=[{str(allowed)!r}])
        print(open({str(allowed)!r}).read())
        def refused(what):
            try:
                what()
            except OSError:
                print("refused")
            else:
                print("done")
        refused(lambda: open({str(secret)!r}))
        refused(lambda: open("/etc/passwd"))
        refused(lambda: open({str(tmp_path / "new")!r}, "w"))
        refused(lambda: os.execv("/bin/true", ["true"]))
        refused(lambda: socket.create_connection(("127.0.0.1", 9)))
    """)
    root = Path(__file__).resolve().parents[3]
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, cwd=root, text=True, check=True)
    assert done.stdout.split() == ["fine", *["refused"] * 5]


def test_what_a_killed_process_left_is_swept_whatever_its_number_and_nothing_of_the_living(tmp_path: Path) -> None:
    program = f"""
import sys
from pathlib import Path
from apps.analyst.computing.warehouse.child_process import ChildLimits, ChildProcess
child = ChildProcess(ChildLimits(scratch_in=Path({str(tmp_path)!r})))
print("made", flush=True)
sys.stdin.read()
"""
    root = Path(__file__).resolve().parents[3]
    other = subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=root, text=True
    )
    assert other.stdout is not None
    assert other.stdout.readline() == "made\n"
    mine = ChildProcess(ChildLimits(scratch_in=tmp_path))
    of_an_earlier_start = tmp_path / f"query-{platform.node()}-{os.getpid()}-abc"
    of_a_former_container = tmp_path / f"query-0123456789ab-{os.getpid()}-abc"
    for folder in (of_an_earlier_start, of_a_former_container):
        folder.mkdir()
        (folder / "spilled").write_text("cells")
    scratch_sweep(tmp_path)
    assert len(list(tmp_path.iterdir())) == 2, "the living keep theirs"
    other.kill()
    other.communicate()
    scratch_sweep(tmp_path)
    assert [str(path) for path in tmp_path.iterdir()] == [mine._scratch]
    mine.end()
    assert list(tmp_path.iterdir()) == []


def test_scratch_folders_are_made_where_they_are_wanted(tmp_path: Path) -> None:
    child = ChildProcess(ChildLimits(scratch_in=tmp_path))
    assert [path.name.startswith("query-") for path in tmp_path.iterdir()] == [True]
    child.end()
    assert list(tmp_path.iterdir()) == []
