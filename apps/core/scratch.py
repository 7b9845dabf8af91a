"""What is written on the way, in the data folder's `tmp`, and what killed processes leave there and in its `cache`.

Everything in `tmp` is of use only to the process that writes it: what no process holds, and nothing was written to for
hours, was left behind, whatever its name. A new kind of scratch needs no entry anywhere.
"""

from __future__ import annotations

import logging
import os
import re
import shutil
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from django.conf import settings

from apps.analyst.computing.warehouse.held import locked

logger = logging.getLogger("apps.scratch")

LEFT_SECONDS = 6 * 3600.0
"""Longer than anything is written without a byte: an upload, a table's export, the pages of a service."""
EVERY_SECONDS = 3600.0
_COPY_UNDER_WAY = re.compile(r".+\.[0-9a-f]{32}")

_swept_at: float | None = None


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A new empty folder on the disk of the data folder, held while the block runs and removed after it."""
    folder = _tmp() / f"ingest-{uuid.uuid4().hex}"
    folder.mkdir(parents=True)
    held = locked(folder)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if held is not None:
            os.close(held)


def scratch_file(kind: str) -> Path:
    """The path of a new file on the disk of the data folder, which the caller writes and removes."""
    return _tmp() / f"{uuid.uuid4().hex}.{kind}"


def copy_under_way(path: Path) -> Path:
    """Where a copy that is to be put at `path` of the cache is written first."""
    return path.with_name(f"{path.name}.{uuid.uuid4().hex}")


def scratch_clear() -> int:
    """Removes all that killed processes left behind, however lately. Only for a process that is alone with the data
    folder; what its own children hold stays. Returns how many."""
    return scratch_sweep(left_seconds=0.0)


def scratch_sweep(*, left_seconds: float = LEFT_SECONDS) -> int:
    """Removes what no process holds and nothing was written to for so long. Returns how many."""
    until = time.time() - left_seconds
    left = [entry for entry in (*_entries(_tmp()), *_copies()) if _newest(entry) <= until]
    return sum(_remove(entry) for entry in left)


def scratch_tick(clock: Callable[[], float] = time.monotonic) -> None:
    """Sweeps when the process begins and once an hour from then on: each machine may have a data folder of its own."""
    global _swept_at
    now = clock()
    if _swept_at is not None and now - _swept_at < EVERY_SECONDS:
        return
    _swept_at = now
    if count := scratch_sweep():
        logger.info("%d things that killed processes had left in the data folder were removed", count)


def keep_swept() -> None:
    """Sweeps from a thread of its own, for a process that has no other clock."""

    def sweep() -> None:
        while True:
            try:
                scratch_sweep()
            except OSError:
                logger.warning("the data folder could not be swept", exc_info=True)
            time.sleep(EVERY_SECONDS)

    threading.Thread(target=sweep, name="scratch", daemon=True).start()


def _tmp() -> Path:
    return Path(settings.DATA_DIR) / "tmp"


def _copies() -> Iterator[Path]:
    """Copies of stored files that were on their way into the cache."""
    for folder in _entries(Path(settings.DATA_DIR) / "cache"):
        yield from (entry for entry in _entries(folder) if _COPY_UNDER_WAY.fullmatch(entry.name))


def _entries(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return []


def _newest(entry: Path) -> float:
    """When something was last written there; now where it went meanwhile."""
    try:
        paths = [entry]
        if entry.is_dir() and not entry.is_symlink():
            paths += entry.rglob("*")
        return max(path.lstat().st_mtime for path in paths)
    except FileNotFoundError:
        return time.time()


def _remove(entry: Path) -> bool:
    """False where a process holds it, or it is gone already."""
    if entry.is_symlink() or not entry.is_dir():
        with suppress(FileNotFoundError):
            entry.unlink()
            return True
        return False
    held = locked(entry)
    if held is None:
        return False
    try:
        shutil.rmtree(entry, ignore_errors=True)
    finally:
        os.close(held)
    return True
