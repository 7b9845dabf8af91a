"""`manage.py work`: a worker process for deployments whose web processes run elsewhere.

All queues on threads of their own, the sweep of lost work, and a heartbeat that the web's health check looks for.
Several may run; each is ended by SIGTERM and gives unfinished work back. What the first job would wait for is loaded
before any job is taken: meanwhile another worker has it, where there is one.
"""

from __future__ import annotations

import logging
import signal
import threading
import time
from collections.abc import Callable
from typing import Any

from django.core.management.base import BaseCommand
from django.db import close_old_connections, connections

logger = logging.getLogger("apps.work")

WARMING_SECONDS = 30.0
"""After which work begins in any case: loading is help, and must not keep a worker from its work."""
LOOK_SECONDS = 0.05


class Command(BaseCommand):
    help = "Runs a worker process: answers, ingestion and mails."
    requires_system_checks: list[str] = []

    def handle(self, **options: Any) -> None:
        from apps.core import health
        from apps.core.jobs.embedded import EmbeddedWorkers
        from apps.core.workers import BEAT_SECONDS, Register

        ended = threading.Event()
        for name in (signal.SIGTERM, signal.SIGINT):
            signal.signal(name, lambda *_: ended.set())
        workers, register, gone = EmbeddedWorkers(), Register(), threading.Event()

        def sign() -> None:
            """From before the first job until after the last: whoever lives is not buried."""
            started = False
            while not gone.is_set():
                started = started or workers.alive()
                if workers.alive() or not started:
                    register.beat()
                if workers.alive():
                    _told(health.worker_beat)
                close_old_connections()
                gone.wait(BEAT_SECONDS)
            connections.close_all()

        signing = threading.Thread(target=sign, name="register", daemon=True)
        signing.start()
        try:
            warmed(workers.warm, ended)
            if not ended.is_set():
                workers.start(alone=False)
                self.stdout.write("Working.")
                self.stdout.flush()
            ended.wait()
        finally:
            workers.stop()
            gone.set()
            signing.join()
            register.leave()


def warmed(warm: Callable[[], object], ended: threading.Event, seconds: float = WARMING_SECONDS) -> bool:
    """Returns once `warm` is done (True), it took too long, or the worker is told to end."""
    done = threading.Event()

    def load() -> None:
        warm()
        done.set()

    threading.Thread(target=load, name="warming", daemon=True).start()
    until = time.monotonic() + seconds
    while not done.wait(LOOK_SECONDS) and not ended.is_set() and time.monotonic() < until:
        pass
    return done.is_set()


def _told(beat: Callable[[], None]) -> None:
    """A cache that is away for a moment must not end the worker."""
    try:
        beat()
    except Exception:
        logger.warning("the web's health check could not be told that this worker lives", exc_info=True)
