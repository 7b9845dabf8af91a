"""`manage.py rebuild_tables`: makes the tables anew from the uploads as they came."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.accounts.models import Organization
from apps.datasources.services.rebuilding import tables_rebuild


class Command(BaseCommand):
    help = "Reads all uploads again, now and one after the other. Earlier tables answer until theirs is done."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--organization", help="Only that organization, by its name.")
        parser.add_argument("--later", action="store_true", help="Leave the reading to the workers.")

    def handle(self, *, organization: str | None = None, later: bool = False, **options: Any) -> None:
        chosen = Organization.objects.filter(name__iexact=organization).first() if organization else None
        if organization and chosen is None:
            raise CommandError(f"There is no organization named {organization}.")
        outcome = tables_rebuild(organization=chosen, later=later)
        self.stdout.write(f"{outcome.files} files, {outcome.failed} could not be read.")
