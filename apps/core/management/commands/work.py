"""`manage.py work`: a worker process for deployments whose web processes run elsewhere.

All queues on threads of their own, the sweep of lost work, and a heartbeat that the web's health check looks for.
Several may run; each is ended by SIGTERM and gives unfinished work back.
"""

from __future__ import annotations

import logging
import signal
import threading
from collections.abc import Callable
from typing import Any

from django.core.management.base import BaseCommand
from django.db import close_old_connections, connections

logger = logging.getLogger("apps.work")


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
            """From before the first job until after the last: loading the engine takes longer than silence may."""
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
        workers.start(alone=False)
        try:
            workers.warm()
            self.stdout.write("Working.")
            self.stdout.flush()
            ended.wait()
        finally:
            workers.stop()
            gone.set()
            signing.join()
            register.leave()


def _told(beat: Callable[[], None]) -> None:
    """A cache that is away for a moment must not end the worker."""
    try:
        beat()
    except Exception:
        logger.warning("the web's health check could not be told that this worker lives", exc_info=True)
