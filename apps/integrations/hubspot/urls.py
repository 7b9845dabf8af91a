from django.urls import path

from apps.integrations.hubspot.api import (
    AuthView,
    ChangesView,
    DirectExportView,
    FieldsView,
    ScheduleView,
    StatusView,
)

urlpatterns = [
    path("auth", AuthView.as_view(), name="hubspot_auth"),
    path("direct-export", DirectExportView.as_view(), name="hubspot_direct_export"),
    path("status", StatusView.as_view(), name="hubspot_status"),
    path("fields", FieldsView.as_view(), name="hubspot_fields"),
    path("schedule", ScheduleView.as_view(), name="hubspot_schedule"),
    path("changes", ChangesView.as_view(), name="hubspot_changes"),
]
