"""What a deployment needs before it may be sent work, as findings with remedies: `/readyz` and `manage.py doctor`.

An app says how to see what waits in it with `waiting_since` in its AppConfig: the dotted path of a function that gives
the moment since which its oldest job waits, or None.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime

import dramatiq
from django.apps import apps
from django.core.cache import cache
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.utils.module_loading import import_string

from apps.core import health
from apps.core.jobs.broker import EmbeddedBroker

logger = logging.getLogger("apps.readiness")

WAITING_SECONDS = 30
"""A job that waits longer says that workers are too few or stuck: answers are to begin within seconds."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: its name, whether it is well, what was seen, and how to mend it where it is not."""

    name: str
    ok: bool
    seen: str
    remedy: str = ""


Check = Callable[[], Finding]


def findings() -> Iterator[Finding]:
    """What every process that serves needs, looked at now. A check that raises is a finding, never an error."""
    for name, check in CHECKS.items():
        try:
            yield check()
        except Exception as error:
            logger.warning("readiness: %s: %s", name, type(error).__name__)
            yield Finding(name, False, f"It cannot be reached ({type(error).__name__}).", REMEDIES[name])


def readyz(request: HttpRequest) -> JsonResponse:
    """200 where this process may be sent work, else 503; names each part, "ok" or "failed", and nothing more."""
    state = {found.name: "ok" if found.ok else "failed" for found in findings()}
    if health.leaving():
        state["process"] = "leaving"
    ready = all(value == "ok" for value in state.values())
    return JsonResponse({"status": "ok" if ready else "failed", **state}, status=200 if ready else 503)


def _database() -> Finding:
    health.database()
    return Finding("database", True, f"{connection.vendor} answers.")


def _migrations() -> Finding:
    executor = MigrationExecutor(connection)
    missing = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    seen = f"{missing} migrations are not applied." if missing else "All migrations are applied."
    return Finding("migrations", not missing, seen, REMEDIES["migrations"] if missing else "")


def _storage() -> Finding:
    health.storage()
    return Finding("storage", True, "A file could be written and removed.")


def _cache() -> Finding:
    cache.set("readiness", "here", 10)
    kept = cache.get("readiness") == "here"
    return Finding(
        "cache", kept, "It keeps what it is given." if kept else "It forgets.", "" if kept else REMEDIES["cache"]
    )


def _broker() -> Finding:
    broker = dramatiq.get_broker()
    if isinstance(broker, EmbeddedBroker):
        return Finding("broker", True, "It is inside the serving process.")
    if hasattr(broker, "client"):
        broker.client.ping()  # Redis
    else:
        assert broker.connection.is_open  # type: ignore[attr-defined]  # RabbitMQ: opens one where there is none
    return Finding("broker", True, f"{type(broker).__name__} answers.")


def _worker() -> Finding:
    if isinstance(dramatiq.get_broker(), EmbeddedBroker) and not health.worker_is_here():
        return Finding("worker", True, "Workers are threads of the serving process: its /healthz tells of them.")
    alive = health.worker_alive()
    seen = "A worker gave a sign of life." if alive else f"No worker gave a sign of life for {health.BEAT_SECONDS} s."
    return Finding("worker", alive, seen, "" if alive else REMEDIES["worker"])


def oldest_waiting() -> datetime | None:
    """Since when the oldest job of all apps waits for a worker."""
    return min(filter(None, (waiting() for waiting in _waiting())), default=None)


def seconds_since(moment: datetime | None) -> float:
    """How long ago that was; 0 where there is nothing."""
    return max(0.0, (timezone.now() - moment).total_seconds()) if moment else 0.0


def _queue() -> Finding:
    oldest = oldest_waiting()
    seconds = int(seconds_since(oldest))
    late = seconds > WAITING_SECONDS
    seen = f"The oldest job waits for {seconds} s." if oldest else "Nothing waits."
    return Finding("queue", not late, seen, REMEDIES["queue"] if late else "")


def _waiting() -> Iterator[Callable[[], datetime | None]]:
    for config in apps.get_app_configs():
        if path := getattr(config, "waiting_since", None):
            yield import_string(path)


CHECKS: dict[str, Check] = {
    "database": _database,
    "migrations": _migrations,
    "storage": _storage,
    "cache": _cache,
    "broker": _broker,
    "worker": _worker,
    "queue": _queue,
}
REMEDIES = {
    "database": "Check DATABASE_URL and that the server runs.",
    "migrations": "Run `python manage.py migrate`.",
    "storage": "Check the rights and the free space of DATA_DIR, or S3_BUCKET, S3_ENDPOINT_URL and the two S3 keys.",
    "cache": "Check REDIS_URL and that the server runs.",
    "broker": "Check BROKER_URL (or REDIS_URL) and that the server runs.",
    "worker": "Start `python manage.py work`, and look at its log.",
    "queue": "Start more workers (`python manage.py work`), or see in their logs what keeps them.",
}
