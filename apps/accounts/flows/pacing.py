"""Whoever guesses at many accounts from one address is slowed down, not refused: behind an address there may be a whole
office, and its right passwords must pass.

Guesses at one account are bounded in `guesses`, wherever they come from. Here the wrong ones of an
address in the last minute are counted; each further try from there waits first, right or wrong. Waiting takes a thread
of the server, so only so many wait at a time, and what comes beside them is told to try again.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from django.core.cache import cache

FREE = 10
"""Wrong passwords of an address in a minute that slow nobody down: people mistype."""
WINDOW_SECONDS = 60
STEP_SECONDS, LONGEST_SECONDS = 0.2, 2.0
WAITING = 6
"""So many tries wait at the same time in one process."""

sleep = time.sleep
_slots = threading.BoundedSemaphore(WAITING)


class TooMany(Exception):
    """Others from slowed addresses are waiting already."""


def failed(address: str) -> None:
    """A wrong password came from there."""
    key = _key(address)
    if not cache.add(key, 1, WINDOW_SECONDS):
        try:
            cache.incr(key)
        except ValueError:  # it ended in between
            cache.set(key, 1, WINDOW_SECONDS)


def pause_of(address: str) -> float:
    """How long the next try from there waits."""
    over = int(cache.get(_key(address), 0)) - FREE
    return min(LONGEST_SECONDS, STEP_SECONDS * (over + 1)) if over >= 0 else 0.0


@contextmanager
def paced(address: str) -> Iterator[None]:
    """A try from there, after its pause. Raises TooMany."""
    pause = pause_of(address)
    if not pause:
        yield
        return
    if not _slots.acquire(blocking=False):
        raise TooMany
    try:
        sleep(pause)
        yield
    finally:
        _slots.release()


def _key(address: str) -> str:
    return f"wrong-passwords:{address}"
