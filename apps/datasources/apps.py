"""The data sources app, and what it asks of the process that runs everything (see apps.core.jobs.embedded)
when somebody is deleted (see apps.accounts.holdings), and when an organization is deactivated (see
apps.accounts.services.organizations)."""

from __future__ import annotations

from django.apps import AppConfig


class DatasourcesConfig(AppConfig):
    name = "apps.datasources"
    verbose_name = "Data sources"

    embedded_start = "apps.datasources.services.sweep.take_over"
    embedded_tick = "apps.datasources.services.sweep.files_sweep"
    metrics = "apps.datasources.figures.figures"

    doctor = "apps.datasources.services.missing.finding"

    discard_files = "apps.datasources.files.discard"
    drop_member_files = "apps.datasources.services.removal.member_sources_drop"

    stops = "apps.datasources.services.stopping.stops"
    organization_resumed = "apps.datasources.services.stopping.joins_resume"
