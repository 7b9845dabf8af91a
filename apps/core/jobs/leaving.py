"""Jobs are told once that the process is leaving.

Each queue has a worker of its own here, and each worker that stops would tell the jobs of all of them: a job that gives
its work back was interrupted again on the way, once for each queue, in the middle of tidying up or of writing its log
line, and the process could hang on a lock that was then never let go.
"""

from __future__ import annotations

import threading
from typing import Any

from dramatiq import Broker, Worker
from dramatiq.middleware import ShutdownNotifications


class OneShutdownNotice(ShutdownNotifications):
    """Dramatiq's notice of a shutdown, once for each job."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._one_at_a_time = threading.Lock()

    def before_worker_shutdown(self, broker: Broker, worker: Worker) -> None:
        """Interrupts the jobs that are at work and were not told yet."""
        with self._one_at_a_time:
            super().before_worker_shutdown(broker, worker)  # type: ignore[no-untyped-call]
            self.manager.notifications.clear()  # type: ignore[attr-defined]
