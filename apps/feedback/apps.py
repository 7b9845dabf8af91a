"""The feedback app, and what it asks of the process that runs the jobs (see apps.core.jobs.embedded)."""

from django.apps import AppConfig


class FeedbackConfig(AppConfig):
    name = "apps.feedback"
    verbose_name = "Feedback"

    embedded_tick = "apps.feedback.services.passing.feedback_sweep"
