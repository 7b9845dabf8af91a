import sys

from django.apps import AppConfig

SWITCH_SECONDS = 0.001
"""After so long a thread that computes gives way to one that waits. Serving waits often (the database, pipes, sockets),
and with Python's own 5 ms each of these waits cost a request as long where a question was being read beside it."""


class CoreConfig(AppConfig):
    name = "apps.core"
    verbose_name = "Operation"

    embedded_tick = "apps.core.scratch.scratch_tick"
    metrics = "apps.core.parked.figures"

    def ready(self) -> None:
        sys.setswitchinterval(SWITCH_SECONDS)
