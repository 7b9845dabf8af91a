from django.apps import AppConfig


class CoreConfig(AppConfig):
    name = "apps.core"
    verbose_name = "Operation"

    embedded_tick = "apps.core.scratch.scratch_tick"
    metrics = "apps.core.parked.figures"
