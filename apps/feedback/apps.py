from django.apps import AppConfig


class FeedbackConfig(AppConfig):
    name = "apps.feedback"
    verbose_name = "Feedback"
