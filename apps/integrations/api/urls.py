from django.urls import include, path

from apps.integrations.api.views import ConnectionsView
from apps.integrations.google.api import (
    GoogleAuthCheckView,
    GoogleTabsView,
    GoogleTokenView,
    ManageSheetsView,
    SheetsScheduleView,
)
from apps.integrations.slack.api import SlackAuthView, SlackLinkView, slack_commands, slack_events

urlpatterns = [
    path("hubspot/", include("apps.integrations.hubspot.urls")),
    path("connections", ConnectionsView.as_view(), name="connections"),
    path("google/token", GoogleTokenView.as_view(), name="google_token"),
    path("google/auth-check", GoogleAuthCheckView.as_view(), name="google_auth_check"),
    path("google/tabs", GoogleTabsView.as_view(), name="google_tabs"),
    path("google/manage-sheets", ManageSheetsView.as_view(), name="manage_sheets"),
    path("google/schedule", SheetsScheduleView.as_view(), name="google_schedule"),
    path("slack/auth", SlackAuthView.as_view(), name="slack_auth"),
    path("slack/link", SlackLinkView.as_view(), name="slack_link"),
    path("slack/events", slack_events, name="slack_events"),
    path("slack/commands", slack_commands, name="slack_commands"),
]
