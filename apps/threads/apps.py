"""The threads app, and what it asks of the process that runs everything (see apps.core.jobs.embedded)
when an organization is deactivated (see apps.accounts.services.organizations)
and when tables came (see apps.datasources.services.ingestion)."""

from __future__ import annotations

from django.apps import AppConfig


class ThreadsConfig(AppConfig):
    name = "apps.threads"
    verbose_name = "Threads"

    embedded_warm = "apps.threads.warming.warm"
    embedded_start = "apps.threads.services.sweep.orphans_requeue"
    embedded_tick = "apps.threads.services.sweep.sweep"
    worker_buried = "apps.threads.services.sweep.worker_buried"
    embedded_stop = "apps.threads.engine.close"
    waiting_since = "apps.threads.selectors.oldest_waiting"
    metrics = "apps.threads.figures.figures"

    tables_came = "apps.threads.readying.tables_came"
    stops = "apps.threads.services.stopping.stops"
    organization_stopped = "apps.threads.services.stopping.runs_stop"

    def ready(self) -> None:
        # GET /files also serves files of answers, and Slack's questions are answered here: the apps below that own
        # those routes may not import this one.
        from apps.datasources.content import answer_files_read_by
        from apps.integrations.slack.desk import desk_served_by
        from apps.threads.desk import ThreadsDesk
        from apps.threads.selectors import output_file

        answer_files_read_by(output_file)
        desk_served_by(ThreadsDesk())
