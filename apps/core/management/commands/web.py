"""`manage.py web`: a web process for deployments whose workers run elsewhere: pages, API and sockets.

Several may run behind a proxy; each is ended by SIGTERM and answers what it has before it goes (apps.core.serving).
"""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from apps.core.scratch import keep_swept


class Command(BaseCommand):
    help = "Runs a web process."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="Address to listen on (127.0.0.1).")
        parser.add_argument("--port", type=int, default=None, help="Port to listen on; else PORT, else 8000.")
        parser.add_argument(
            "--proxy-headers", action="store_true", help="Take the caller's address from the proxy's X-Forwarded-For."
        )

    def handle(self, *, host: str, port: int | None = None, proxy_headers: bool = False, **options: Any) -> None:
        from channels.routing import get_default_application

        from apps.core.serving import GracefulServer  # first: it chooses Twisted's reactor

        keep_swept()
        where = settings.PORT if port is None else port
        server = GracefulServer(
            get_default_application(),
            endpoints=[f"tcp:port={where}:interface={host}"],
            ready_callable=lambda: self._say(f"Serving on {host}:{where}."),
            server_name="",
            verbosity=1,
            leave_seconds=settings.LEAVE_SECONDS,
            finish_seconds=settings.FINISH_SECONDS,
            **_forwarded() if proxy_headers else {},
        )
        server.run()
        if server.abort_start:
            raise CommandError(f"Port {where} of {host} cannot be used.")

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()


def _forwarded() -> dict[str, Any]:
    return {
        "proxy_forwarded_address_header": "X-Forwarded-For",
        "proxy_forwarded_port_header": "X-Forwarded-Port",
        "proxy_forwarded_proto_header": "X-Forwarded-Proto",
    }
