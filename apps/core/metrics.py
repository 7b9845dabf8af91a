"""`/metrics`: figures for Prometheus, read from the database all processes share, so that any of them may be asked.

An app tells its figures with `metrics` in its AppConfig: the dotted path of a function that yields `Figure`s.
"""

from __future__ import annotations

import logging
import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from django.apps import apps
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.utils.module_loading import import_string

from apps.core import health, readiness

logger = logging.getLogger("apps.metrics")

PREFIX = "plumbline_"


@dataclass(frozen=True, slots=True)
class Figure:
    """One gauge: its name without the product's prefix, what it means with its unit, its labels and its value."""

    name: str
    meaning: str
    value: float
    labels: dict[str, str] = field(default_factory=dict)


def figures() -> Iterator[Figure]:
    """What is true now. An app that cannot tell is left out, and the log says why: the others still answer."""
    for found in readiness.findings():
        yield Figure(
            "ready",
            "1 where a part of the deployment is well, as /readyz has it",
            float(found.ok),
            {"part": found.name},
        )
    yield Figure("worker_alive", "1 while some worker gives signs of life", float(health.worker_alive()))
    waits = readiness.seconds_since(readiness.oldest_waiting())
    yield Figure("queue_age_seconds", "For how long the oldest job waits, in seconds", waits)
    free = shutil.disk_usage(settings.DATA_DIR).free
    yield Figure("disk_free_bytes", "What is free where DATA_DIR is, in bytes", float(free))
    for config in apps.get_app_configs():
        if path := getattr(config, "metrics", None):
            begun = time.perf_counter()
            tell: Callable[[], Iterable[Figure]] = import_string(path)
            try:
                yield from list(tell())
            except Exception:
                logger.exception("%s could not tell its figures", config.label)
                continue
            taken = time.perf_counter() - begun
            yield Figure("metrics_seconds", "How long an app took to tell, in seconds", taken, {"app": config.label})


def metrics(request: HttpRequest) -> HttpResponse:
    """The figures in Prometheus' text format for whoever sends METRICS_TOKEN as a bearer; else no such page."""
    sent = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if not settings.METRICS_TOKEN or not constant_time_compare(sent, settings.METRICS_TOKEN):
        raise Http404
    from prometheus_client.core import CollectorRegistry, GaugeMetricFamily
    from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

    told: dict[str, GaugeMetricFamily] = {}
    for figure in figures():
        family = told.setdefault(
            figure.name, GaugeMetricFamily(PREFIX + figure.name, figure.meaning, labels=list(figure.labels))
        )
        family.add_metric(list(figure.labels.values()), figure.value)

    class Told:
        def collect(self) -> Iterable[GaugeMetricFamily]:
            return told.values()

    registry = CollectorRegistry()
    registry.register(Told())
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)
