"""Ingestion in a child process gives the same tables, and its end is never the worker's."""

from __future__ import annotations

import os
import re
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

from apps.analyst.errors import NO_ROOM_CODES, ReadFailed
from apps.analyst.tables import IngestLimits, IngestProgress, ingest, run_in_child
from tests.analyst.tables.corpus import all_cases


def a_file(folder: Path, rows: int = 2_000) -> Path:
    path = folder / "upload"
    path.write_text("name,amount\n" + "".join(f"n{number % 9},{number}.25\n" for number in range(rows)))
    return path


def test_the_child_gives_what_ingest_gives(tmp_path):
    path = a_file(tmp_path)
    steps: list[IngestProgress] = []
    tables = run_in_child(path, "f.csv", tmp_path / "out", steps.append)
    assert tables == ingest(path, "f.csv", tmp_path / "out")
    assert [step.step for step in steps] == ["reading", "typing", "profiling", "ready"]
    assert steps[-1].rows == 2_000


def test_a_refusal_comes_through_in_its_own_words(tmp_path):
    path = tmp_path / "upload"
    path.write_text("a,b\n")
    with pytest.raises(ReadFailed, match=r"{odd} name\.csv has a header but no rows"):
        run_in_child(path, "{odd} name.csv", tmp_path / "out")


def test_too_much_time_is_a_plain_refusal(tmp_path):
    with pytest.raises(ReadFailed, match=r"took longer than 0\.05 seconds"):
        run_in_child(a_file(tmp_path), "f.csv", tmp_path / "out", limits=IngestLimits(seconds=0.05))


def test_too_much_memory_is_a_plain_refusal(tmp_path):
    with pytest.raises(ReadFailed, match="needs more memory"):
        run_in_child(a_file(tmp_path), "f.csv", tmp_path / "out", limits=IngestLimits(memory_mb=15))


def test_a_child_that_grows_fast_is_ended_before_it_has_passed_its_memory(tmp_path):
    book = next(case for case in all_cases() if case.id == "a row past the last")
    (tmp_path / "upload").write_bytes(book.make())
    over, most = threading.Event(), [0.0]
    watching = threading.Thread(target=watch, args=(over, most))
    watching.start()
    with pytest.raises(ReadFailed, match="needs more memory"):
        run_in_child(tmp_path / "upload", "book.xlsx", tmp_path / "out", limits=IngestLimits(memory_mb=1024))
    over.set()
    watching.join()
    assert 800 < most[0] <= 1024


def watch(over: threading.Event, most: list[float]) -> None:
    """Keeps the most memory that any child of this process ever had, in MiB."""
    while not over.wait(0.005):
        for task in Path(f"/proc/{os.getpid()}/task").glob("*/children"):
            for pid in task.read_text().split():
                with suppress(OSError):
                    told = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
                    most[0] = max(most[0], int(told[1]) / 1024 if told else 0.0)


def test_a_child_that_cannot_get_memory_ends_as_a_plain_refusal(tmp_path):
    with pytest.raises(ReadFailed, match=r"f\.csv"):
        run_in_child(a_file(tmp_path), "f.csv", tmp_path / "out", limits=IngestLimits(address_space_mb=60))


@pytest.mark.parametrize("rows", [2_000, 60_000])
def test_a_disk_that_takes_no_more_is_told_from_a_damaged_file(tmp_path, rows):
    with pytest.raises(OSError, match="File too large") as full:
        run_in_child(a_file(tmp_path, rows), "f.csv", tmp_path / "out", limits=IngestLimits(file_mb=0))
    assert full.value.errno in NO_ROOM_CODES


def test_what_the_callback_raises_ends_the_child_and_is_passed_on(tmp_path):
    class Stop(Exception):
        pass

    def stop(_: IngestProgress) -> None:
        raise Stop

    before = children()
    with pytest.raises(Stop):
        run_in_child(a_file(tmp_path), "f.csv", tmp_path / "out", stop)
    time.sleep(0.1)
    assert children() <= before


def children() -> set[str]:
    """The ids of this process's children."""
    try:
        return set(Path(f"/proc/self/task/{os.getpid()}/children").read_text().split())
    except OSError:
        return set()
