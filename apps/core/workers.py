"""Which worker processes live: each signs a row every few seconds, and a silent one's work is taken up at once.

Leases would find that work too, half a minute later. An app says what it does about a dead worker with `worker_buried`
in its AppConfig: the dotted path of a function that takes the worker's id, the first part of the owners of its work.
"""

from __future__ import annotations

import logging
import time
import uuid
from collections.abc import Callable
from datetime import timedelta

from django.apps import apps
from django.db.models.functions import Now
from django.utils.module_loading import import_string

from apps.core.models import WorkerSeen

logger = logging.getLogger("apps.workers")

ME = uuid.uuid4().hex[:16]
"""This process, as the owner of its work."""
BEAT_SECONDS = 1.0
SILENT = timedelta(seconds=6)
"""A worker that did not sign for so long is dead: six beats. Too soon a verdict costs a second try, never an answer."""


class Register:
    """This worker's place among the others."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, sign: Callable[[], object] | None = None) -> None:
        self._clock = clock
        self._sign = sign or _sign
        self._unbroken_since: float | None = None

    def beat(self) -> list[str]:
        """Signs, and buries whoever is silent. Which ones. Never raises: a database that is away comes back.

        Only who could sign all the while may tell: after the database was away, everybody seems silent.
        """
        try:
            self._sign()
            now = self._clock()
            if self._unbroken_since is None:
                self._unbroken_since = now
            return _bury() if now - self._unbroken_since >= SILENT.total_seconds() else []
        except Exception:
            self._unbroken_since = None
            logger.warning("this worker could not sign that it lives", exc_info=True)
            return []

    def leave(self) -> None:
        """Signs off: nothing of this worker is left to be taken up."""
        try:
            WorkerSeen.objects.filter(pk=ME).delete()
        except Exception:
            logger.warning("this worker could not sign off", exc_info=True)


def _sign() -> None:
    WorkerSeen.objects.update_or_create(pk=ME, defaults={"seen_at": Now()})


def _bury() -> list[str]:
    buried = []
    silent = WorkerSeen.objects.filter(seen_at__lt=Now() - SILENT)
    for worker in silent.values_list("pk", flat=True):
        if not silent.filter(pk=worker).delete()[0]:
            continue  # somebody else was sooner, or it lives
        logger.warning("worker %s is silent: its work is taken up", worker)
        buried.append(worker)
        for config in apps.get_app_configs():
            if path := getattr(config, "worker_buried", None):
                import_string(path)(worker)
    return buried
