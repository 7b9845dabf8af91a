"""What killed processes leave in the data folder goes away, whatever it is; what the living use stays."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from apps.core import scratch
from tests.live import ROOT

HOURS = 3600.0
LEFT = ("abc.upload", "abc.export", "abc.export.rows", "abc.export.found", "abc.of_tomorrow")
KEY = "0123456789abcdef0123456789abcdef"
HOLDING = """
import sys, time
from django.conf import settings
settings.configure(DATA_DIR=sys.argv[1])
from apps.core.scratch import scratch_folder
with scratch_folder() as folder:
    print(folder, flush=True)
    time.sleep(60)
"""


@pytest.fixture
def data(settings, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path
    (tmp_path / "tmp").mkdir()
    return tmp_path


def aged(path: Path, seconds: float = 7 * HOURS) -> Path:
    then = time.time() - seconds
    for one in (path, *(path.rglob("*") if path.is_dir() else ())):
        os.utime(one, (then, then))
    return path


def folder_with(path: Path) -> Path:
    path.mkdir()
    (path / "0.parquet").write_bytes(b"half")
    return path


def test_what_nothing_was_written_to_for_hours_goes_whatever_its_name(data: Path) -> None:
    for name in LEFT:
        (data / "tmp" / name).write_bytes(b"cells")
        aged(data / "tmp" / name)
    for name in ("ingest-left", "query-left"):
        aged(folder_with(data / "tmp" / name))
    assert scratch.scratch_sweep() == len(LEFT) + 2
    assert list((data / "tmp").iterdir()) == []


def test_what_was_written_to_lately_stays(data: Path) -> None:
    (data / "tmp" / "abc.upload").write_bytes(b"half")
    aged(data / "tmp" / "abc.upload", 5 * HOURS)
    folder = folder_with(data / "tmp" / "ingest-at-work")
    aged(folder)
    (folder / "0.parquet").write_bytes(b"more")
    assert scratch.scratch_sweep() == 0


def test_a_folder_that_a_process_holds_stays_however_old_and_goes_once_it_is_killed(data: Path) -> None:
    worker = subprocess.Popen([sys.executable, "-c", HOLDING, str(data)], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert worker.stdout is not None
    folder = Path(worker.stdout.readline().strip())
    try:
        aged(folder)
        assert scratch.scratch_sweep() == 0
        assert scratch.scratch_clear() == 0
        assert folder.is_dir()
    finally:
        worker.kill()
        worker.communicate()
    assert scratch.scratch_sweep() == 1
    assert not folder.exists()


def test_a_held_folder_goes_with_its_block(data: Path) -> None:
    with scratch.scratch_folder() as folder:
        (folder / "0.parquet").write_bytes(b"half")
    assert not folder.exists()


def test_copies_that_never_reached_the_cache_go_and_those_that_did_stay(data: Path) -> None:
    kept = [data / "cache" / "tables" / f"{KEY}.parquet", data / "cache" / "originals" / KEY]
    for path in kept:
        path.parent.mkdir(parents=True)
        aged_copy = scratch.copy_under_way(path)
        for one in (path, aged_copy):
            one.write_bytes(b"cells")
            aged(one)
        scratch.copy_under_way(path).write_bytes(b"under way")
    assert scratch.scratch_sweep() == 2
    assert all(path.exists() for path in kept)
    assert len([path for path in data.rglob("*") if path.is_file()]) == 4


def test_links_go_and_what_they_lead_to_stays(data: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = folder_with(tmp_path_factory.mktemp("elsewhere") / "kept")
    (data / "tmp" / "link").symlink_to(elsewhere)
    assert scratch.scratch_clear() == 1
    assert (elsewhere / "0.parquet").exists()


def test_workers_sweep_when_they_begin_and_once_an_hour(data: Path, monkeypatch) -> None:
    now = 1000.0
    monkeypatch.setattr(scratch, "_swept_at", None)

    def left_after_a_tick() -> bool:
        path = data / "tmp" / "abc.export.found"
        path.write_bytes(b"cells")
        aged(path)
        scratch.scratch_tick(lambda: now)
        return path.exists()

    assert not left_after_a_tick()
    now += HOURS / 2
    assert left_after_a_tick()
    now += HOURS
    assert not left_after_a_tick()
