"""`manage.py work`: a worker process for deployments whose web processes run elsewhere.

All queues on threads of their own, the sweep of lost work, and a heartbeat that the web's health check looks for.
Several may run; each is ended by SIGTERM and gives unfinished work back.
"""

from __future__ import annotations

import signal
import threading
from typing import Any

from django.core.management.base import BaseCommand


class Command(BaseCommand):
    help = "Runs a worker process: answers, ingestion and mails."
    requires_system_checks: list[str] = []

    def handle(self, **options: Any) -> None:
        from apps.core import health
        from apps.core.jobs.embedded import TICK_SECONDS, EmbeddedWorkers

        ended = threading.Event()
        for name in (signal.SIGTERM, signal.SIGINT):
            signal.signal(name, lambda *_: ended.set())
        workers = EmbeddedWorkers()
        workers.start(alone=False)
        workers.warm()
        self.stdout.write("Working.")
        self.stdout.flush()
        try:
            while True:
                if workers.alive():
                    health.worker_beat()
                if ended.wait(TICK_SECONDS):
                    break
        finally:
            workers.stop()
