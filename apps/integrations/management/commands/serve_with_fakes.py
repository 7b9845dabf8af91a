"""`manage.py serve_with_fakes`: the product as `serve` runs it, wired to stand-ins of all outside services.

For trying connections by hand: each stand-in has a consent page, planted data and faults on order (POST /_fake/faults).
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError


class Command(BaseCommand):
    help = "Serves the product together with stand-ins of the outside services (settings: config.settings.fakes)."
    requires_system_checks: list[str] = []

    def handle(self, **options: Any) -> None:
        from apps.integrations.fakes.all import stand_ins
        from apps.integrations.fakes.base import serving

        ports: dict[str, int] | None = getattr(settings, "FAKES", None)
        if ports is None:
            raise CommandError("Run this with DJANGO_SETTINGS_MODULE=config.settings.fakes (make run-with-fakes).")
        with ExitStack() as stack:
            for name, fake in stand_ins().items():
                address = stack.enter_context(serving(fake, ports[name]))
                self.stdout.write(f"{fake.name}: {address}")
            self.stdout.flush()
            call_command("serve", stdout=self.stdout)
