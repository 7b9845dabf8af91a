"""`manage.py restore FILE`: a backup into an empty installation."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.core.backup import backup_restore
from apps.core.errors import ProductError


class Command(BaseCommand):
    help = (
        "Brings a backup into an empty, migrated installation and checks every sum. The database may be another kind."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", type=Path, help="The zip file that `backup` wrote.")

    def handle(self, *, path: Path, **options: Any) -> None:
        try:
            manifest = backup_restore(path)
        except ProductError as error:
            raise CommandError(error.message) from error
        rows = sum(part.count for part in manifest.rows.values())
        self.stdout.write(
            f"Restored and checked: {rows} rows of {len(manifest.rows)} tables, {len(manifest.files)} files."
        )
