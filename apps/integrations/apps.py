"""The integrations app, and what it asks of the process that runs everything (see apps.core.jobs.embedded)
when somebody is deleted (see apps.accounts.holdings), and when an organization is deactivated (see
apps.accounts.services.organizations)."""

from __future__ import annotations

from django.apps import AppConfig


class IntegrationsConfig(AppConfig):
    name = "apps.integrations"
    verbose_name = "Connections"

    embedded_start = "apps.integrations.services.sweep.take_over"
    embedded_tick = "apps.integrations.services.sweep.sweep"

    before_deletion = "apps.integrations.services.giving_back.connections_give_back"

    stops = "apps.integrations.services.stopping.stops"
