"""A worker as slow as a test wants it: questions wait in it while a file says so."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dramatiq import Middleware

LONGEST_SECONDS = 60.0
"""A test that forgot to let go must not hold the server's end."""


def _mark(data_dir: Path) -> Path:
    return data_dir / "hold-questions"


class Hold(Middleware):
    """In the server's workers."""

    def before_process_message(self, broker: Any, message: Any) -> None:
        from django.conf import settings

        until = time.monotonic() + LONGEST_SECONDS
        while message.queue_name == "questions" and _mark(settings.DATA_DIR).exists() and time.monotonic() < until:
            time.sleep(0.02)


class Held:
    """In the test: nothing is answered until `let_go`."""

    def __init__(self, data_dir: Path) -> None:
        self.mark = _mark(data_dir)
        self.mark.touch()

    def let_go(self) -> None:
        self.mark.unlink(missing_ok=True)


@contextmanager
def held(data_dir: Path) -> Iterator[Held]:
    hold = Held(data_dir)
    try:
        yield hold
    finally:
        hold.let_go()
