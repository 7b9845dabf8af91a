"""Writes that somebody waits for with a watch in hand.

SQLite lets one write at a time. Who finds it at work looks again after pauses that grow to 100 ms and is not queued:
with busy workers a single row may wait for a second. Here one looks every 2 ms, and so comes next. Servers' databases
lock rows, not everything: there a write is a write.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from django.db import OperationalError, connection

T = TypeVar("T")

LOOK_SECONDS = 0.002
PATIENCE_SECONDS = 2.0
"""From then on it waits as everybody does."""


def write_promptly(write: Callable[[], T]) -> T:
    """Does `write`, which must be one transaction: it is begun again for as long as another one holds the database."""
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        return write()
    until = time.monotonic() + PATIENCE_SECONDS
    with _no_waiting():
        while time.monotonic() < until:
            try:
                return write()
            except OperationalError as error:
                if "locked" not in str(error):
                    raise
            time.sleep(LOOK_SECONDS)
    return write()


@contextmanager
def _no_waiting() -> Iterator[None]:
    """A locked database answers at once on this thread's connection."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout")
        (usual,) = cursor.fetchone()
        cursor.execute("PRAGMA busy_timeout = 0")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA busy_timeout = {int(usual)}")
