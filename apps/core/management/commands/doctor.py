"""`manage.py doctor`: looks at a deployment from where it runs and says what to mend."""

from __future__ import annotations

import json
import shutil
import socket
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.mail import get_connection
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError
from django.utils.module_loading import import_string

from apps.core.parked import parked_count
from apps.core.readiness import Finding, findings

FREE_BYTES = 1_000_000_000
"""Less free space than one large upload and its table need."""


class Command(BaseCommand):
    help = (
        "Checks this deployment: database, storage, broker, workers, files, screens, disk. Exit code 1 where not well."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", dest="as_json", help="Print one JSON object.")
        parser.add_argument("--mail", action="store_true", help="Also open a connection to the mail server.")

    def handle(self, *, as_json: bool = False, mail: bool = False, **options: Any) -> None:
        found = [*findings(), _screens(), _disk(), _parked(), *_of_apps(), *_cluster(), *([_mail()] if mail else [])]
        if as_json:
            self.stdout.write(_as_json(found))
        else:
            for finding in found:
                self.stdout.write(f"{'ok    ' if finding.ok else 'MEND  '}{finding.name}: {finding.seen}")
                if finding.remedy:
                    self.stdout.write(f"      {finding.remedy}")
        wrong = [finding.name for finding in found if not finding.ok]
        if wrong:
            raise CommandError(f"To mend: {', '.join(wrong)}.", returncode=1)


def _as_json(found: list[Finding]) -> str:
    return json.dumps({"ok": all(finding.ok for finding in found), "findings": [asdict(finding) for finding in found]})


def _screens() -> Finding:
    """Whether the built screens are where this process would serve them from."""
    if Path(str(settings.WEBPACK_LOADER["DEFAULT"]["STATS_FILE"])).exists():
        root = getattr(settings, "STATIC_ROOT", None)
        if not root or settings.WHITENOISE_USE_FINDERS or any(Path(root).glob("bundles/*.js")):
            return Finding("screens", True, "The screens are built.")
        return Finding("screens", False, f"{root} holds no bundles.", "Run `python manage.py collectstatic --noinput`.")
    return Finding("screens", False, "The screens are not built.", "Run `make build`.")


def _disk() -> Finding:
    free = shutil.disk_usage(settings.DATA_DIR).free
    seen = f"{free / 1e9:.1f} GB are free in {settings.DATA_DIR}."
    remedy = "" if free >= FREE_BYTES else "Free some space, or move DATA_DIR to a larger disk."
    return Finding("disk", free >= FREE_BYTES, seen, remedy)


def _parked() -> Finding:
    try:
        count = parked_count()
    except DatabaseError:
        return Finding("parked", False, "The database cannot be asked.", "See the findings above.")
    seen = f"{count} jobs failed too often and are parked." if count else "No job is parked."
    remedy = "Read their failures in the administration (Parked messages), mend the cause, and replay them there."
    return Finding("parked", not count, seen, remedy if count else "")


def _of_apps() -> list[Finding]:
    """What apps look at themselves: each names a function that gives a finding with `doctor` in its AppConfig."""
    try:
        paths = [path for config in apps.get_app_configs() if (path := getattr(config, "doctor", None))]
        return [import_string(path)() for path in paths]
    except DatabaseError:
        return [Finding("files", False, "The database cannot be asked.", "See the findings above.")]


def _cluster() -> list[Finding]:
    """Whether large organizations can be answered by the cluster, where one is configured."""
    if not settings.SPARK_MASTER:
        return []
    if not settings.SPARK_PYTHON.exists():
        remedy = "Run `make setup-spark`, or set SPARK_PYTHON."
        return [Finding("spark", False, f"There is no {settings.SPARK_PYTHON}.", remedy)]
    host, _, port = settings.SPARK_MASTER.removeprefix("spark://").split(",")[0].rpartition(":")
    try:
        socket.create_connection((host, int(port)), 2).close()
    except (OSError, ValueError) as error:
        seen = f"{settings.SPARK_MASTER} cannot be reached ({type(error).__name__}): DuckDB answers instead."
        return [Finding("spark", False, seen, "Start the master, or mend SPARK_MASTER.")]
    return [Finding("spark", True, f"{settings.SPARK_MASTER} answers.")]


def _mail() -> Finding:
    try:
        connection = get_connection()
        connection.open()
        connection.close()
    except OSError as error:  # smtplib's errors are OSErrors too
        remedy = "Check EMAIL_URL. Mails wait in the database until the server takes them."
        return Finding("mail", False, f"The mail server cannot be reached ({type(error).__name__}).", remedy)
    return Finding("mail", True, f"{settings.EMAIL_BACKEND.rsplit('.', 2)[-2]} takes mails.")
