"""`manage.py backup FILE`: everything this installation keeps, in one file."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.core.backup import backup_write
from apps.core.errors import ProductError


class Command(BaseCommand):
    help = "Writes all rows and files into one zip, while the product may go on serving. Keep the settings apart."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", type=Path, help="The zip file to write; it must not exist yet.")

    def handle(self, *, path: Path, **options: Any) -> None:
        try:
            manifest = backup_write(path)
        except ProductError as error:
            raise CommandError(error.message) from error
        rows = sum(part.count for part in manifest.rows.values())
        self.stdout.write(f"{path}: {rows} rows of {len(manifest.rows)} tables, {len(manifest.files)} files.")
        self.stdout.write(
            "SECRET_KEY and CREDENTIAL_KEYS are not in it: keep them too, or services must be connected anew."
        )
