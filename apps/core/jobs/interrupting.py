"""Work that another thread can end: at a deadline, or because nobody waits for it any more.

The exception is raised between two instructions of the working thread, again and again until the stretch is left, and
is no `Exception`: nothing on the way takes it for an error of its own. A single long call of C code ends first.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

AGAIN_SECONDS = 0.2
"""Between two interruptions of work that has not ended yet: something may have swallowed the first."""


class Interrupted(BaseException):
    """Raised inside an interruptible stretch; whoever opened the stretch turns it into what it means."""


class Stretch:
    """Work of the present thread, from its making until `leave`."""

    def __init__(self) -> None:
        self._thread = threading.get_ident()
        self._lock = threading.Lock()
        self._left = False
        self._told = False

    def interrupt(self) -> bool:
        """Ends the stretch from another thread. False where it was left already."""
        with self._lock:
            if not self._left:
                self._told = True
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._thread), ctypes.py_object(Interrupted))
            return not self._left

    def leave(self) -> None:
        """No interruption comes after this; one that is on its way is taken back."""
        with self._lock:
            self._left = True
            if self._told:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._thread), None)
                self._told = False


@contextmanager
def interruptible() -> Iterator[Stretch]:
    """A stretch for the block. Raises Interrupted where it was ended from outside."""
    stretch = Stretch()
    try:
        yield stretch
    finally:
        try:
            stretch.leave()
        except Interrupted:  # it came while the block was being left
            stretch.leave()
            raise


class TimeUp(Exception):
    """A block took longer than it may."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Ends the block after so many seconds. Raises TimeUp."""
    over = threading.Event()

    def guard(stretch: Stretch) -> None:
        pause = seconds
        while not over.wait(pause) and stretch.interrupt():
            pause = AGAIN_SECONDS

    try:
        with interruptible() as stretch:
            threading.Thread(target=guard, args=[stretch], name="deadline", daemon=True).start()
            yield
    except Interrupted:
        raise TimeUp from None
    finally:
        with suppress(Interrupted):
            over.set()
