"""Whether this process can serve: database, worker, storage."""

from __future__ import annotations

import logging
import threading
import uuid
from collections.abc import Callable

from django.core.cache import cache
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import connection
from django.http import HttpRequest, JsonResponse

logger = logging.getLogger("apps.health")

BEAT_KEY = "health.worker"
BEAT_SECONDS = 30
"""How long a worker counts as alive after its last sign."""


def worker_beat() -> None:
    """A worker process's sign of life, for web processes that share its cache."""
    cache.set(BEAT_KEY, True, BEAT_SECONDS)


def _beaten() -> bool:
    return bool(cache.get(BEAT_KEY))


_worker_check: Callable[[], bool] = _beaten


def worker_alive() -> bool:
    """True while a worker of this process, or any that shares the cache, is alive."""
    return _worker_check()


def worker_is_here() -> bool:
    """True where the workers are threads of this process."""
    return _worker_check is not _beaten


def worker_seen_by(check: Callable[[], bool]) -> None:
    """Tells how to see that a worker is alive, where the workers are in this process; else a beat is looked for."""
    global _worker_check
    _worker_check = check


def database() -> bool:
    """True where a query is answered."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        return bool(cursor.fetchone() == (1,))


def storage() -> bool:
    """True where a file can be written and removed."""
    name = default_storage.save(f"health/{uuid.uuid4().hex}", ContentFile(b"ok"))
    default_storage.delete(name)
    return True


_leaving = threading.Event()


def leave() -> None:
    """This process is told to stop: it answers what it gets, and says on /readyz that it wants no more."""
    _leaving.set()


def leaving() -> bool:
    """True once this process was told to stop."""
    return _leaving.is_set()


def healthz(request: HttpRequest) -> JsonResponse:
    """200 with every part "ok", or 503 naming the part that is not. Says nothing else: anyone may ask."""
    state = {
        name: "ok" if _holds(name, check) else "failed"
        for name, check in (("database", database), ("worker", worker_alive), ("storage", storage))
    }
    healthy = all(value == "ok" for value in state.values())
    return JsonResponse({"status": "ok" if healthy else "failed", **state}, status=200 if healthy else 503)


def _holds(name: str, check: Callable[[], bool]) -> bool:
    try:
        return check()
    except Exception:
        logger.exception("health: %s", name)
        return False
