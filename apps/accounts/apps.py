"""The accounts app, and what it asks of the process that runs everything (see apps.core.jobs.embedded)."""

from __future__ import annotations

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "apps.accounts"
    verbose_name = "Accounts"

    embedded_tick = "apps.accounts.services.upkeep.tick"

    def ready(self) -> None:
        from apps.accounts.flows import events

        events.listen()
