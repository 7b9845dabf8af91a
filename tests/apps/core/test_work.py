"""A worker takes no job before it is warm, for as long as that takes a sensible time."""

from __future__ import annotations

from threading import Event

from apps.core.management.commands.work import warmed

LONG = 60.0


def test_work_begins_once_everything_is_loaded() -> None:
    loaded = Event()
    assert warmed(loaded.set, Event(), LONG)
    assert loaded.is_set()


def test_what_never_loads_does_not_keep_a_worker_from_its_work() -> None:
    never = Event()
    assert not warmed(never.wait, Event(), 0.01)
    never.set()


def test_a_worker_told_to_end_while_it_loads_does_not_wait() -> None:
    never, told = Event(), Event()
    told.set()
    assert not warmed(never.wait, told, LONG)
    never.set()
