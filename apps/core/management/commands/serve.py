"""`manage.py serve`: the whole product in one process, for one machine.

Migrates, loads the demo organization into an empty database, starts the workers, takes up what an earlier process left
unfinished, and serves pages, API and sockets on 127.0.0.1. A second start has 3 s: what only a first start or a first
question needs is imported then.
"""

from __future__ import annotations

import fcntl
import logging
import socket
import threading
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connections

logger = logging.getLogger("apps.serve")

HOST = "127.0.0.1"
AFTERWARDS_SECONDS = 0.7
"""Left to the first requests, which would otherwise share the interpreter with the imports of the engine."""

FINISH_SECONDS = 5.0
"""For requests under way when it is stopped."""


class Command(BaseCommand):
    help = "Serves the whole product from this one process."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=None, help="Port to serve on; else PORT, else 8000.")
        parser.add_argument("--without-demo", action="store_true", help="Do not load the demo organization.")

    def handle(self, *, port: int | None = None, without_demo: bool = False, **options: Any) -> None:
        port = settings.PORT if port is None else port
        with _only_server(settings.DATA_DIR):
            _check_port(port)
            self._migrate()
            if not without_demo and not apps.get_model("accounts", "Organization").objects.exists():
                self._say("Loading the demo organization ...")
                call_command("load_demo", if_alone=True, stdout=StringIO())
            self._serve(port, with_demo=not without_demo)

    def _migrate(self) -> None:
        """Brings the database up to date; looks first, because migrating nothing takes longer than looking."""
        from django.db import connection
        from django.db.migrations.executor import MigrationExecutor

        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            self._say("Preparing the database ...")
            call_command("migrate", interactive=False, verbosity=0)

    def _serve(self, port: int, *, with_demo: bool) -> None:
        # The server chooses Twisted's reactor, so nothing that imports Twisted may come earlier.
        from channels.routing import get_default_application

        from apps.core import health, live
        from apps.core.jobs.embedded import EmbeddedWorkers
        from apps.core.serving import GracefulServer, twisted_loop

        workers = EmbeddedWorkers()
        live.serve_on(twisted_loop)
        health.worker_seen_by(workers.alive)

        def ready() -> None:
            self._say(f"{settings.PRODUCT_NAME} is ready at http://{HOST}:{port}")
            self._say("Stop it with Ctrl+C.")
            threading.Thread(target=afterwards, name="afterwards", daemon=True).start()

        def afterwards() -> None:
            """What serving need not wait for: the demo's sign-in and renewal, the engine."""
            time.sleep(AFTERWARDS_SECONDS)
            if with_demo:
                self._renew_demo()
            workers.warm()

        workers.start()
        try:
            GracefulServer(
                get_default_application(),
                endpoints=[f"tcp:port={port}:interface={HOST}"],
                ready_callable=ready,
                server_name="",
                verbosity=1,
                finish_seconds=FINISH_SECONDS,
            ).run()
        finally:
            live.serve_on(None)
            workers.stop()

    def _renew_demo(self) -> None:
        try:
            call_command("load_demo", if_alone=True, stdout=self.stdout)
            self.stdout.flush()
        except Exception:
            logger.exception("the demo organization could not be renewed")
        finally:
            connections.close_all()

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()


@contextmanager
def _only_server(folder: Path) -> Iterator[None]:
    """Holds the data folder's lock: a second server on it would take the first one's work for lost."""
    with (folder / "serve.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise CommandError(
                f"Another server already uses the data in {folder}. Stop it, or set DATA_DIR to another folder."
            ) from None
        yield


def _check_port(port: int) -> None:
    """Stops with a sentence where the port cannot be had, before anything is started."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except (OSError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            other = port + 1 if 0 < port < 65_535 else 8_000
            raise CommandError(
                f"Port {port} cannot be used: {reason}. Choose another one, for example PORT={other}."
            ) from None
