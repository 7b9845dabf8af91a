"""`manage.py load_demo`: the demo organization, its files and its sign-in. Safe to repeat."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from apps.accounts.models import Organization
from apps.datasources.demo import loading


class Command(BaseCommand):
    help = "Makes the demo organization where it is missing, renews what has grown old, and prints the sign-in."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--if-alone", action="store_true", help="Do nothing where other organizations exist and no demo does."
        )

    def handle(self, *, if_alone: bool = False, **options: Any) -> None:
        if if_alone and not loading.present() and Organization.objects.exists():
            return
        demo = loading.load()
        self.stdout.write(f"Demo sign-in: user {demo.username}, password {demo.password}")
