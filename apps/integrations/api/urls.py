from django.urls import include, path

from apps.core.api.routers import ResourceRouter
from apps.integrations.api.views import ConnectionsViewSet
from apps.integrations.google.api import GoogleViewSet, ManageSheetsViewSet
from apps.integrations.slack.api import SlackAuthViewSet, SlackLinkViewSet, slack_commands, slack_events

router = ResourceRouter()
router.register("connections", ConnectionsViewSet, basename="connections")
router.register("google", GoogleViewSet, basename="google")
router.register("google/manage-sheets", ManageSheetsViewSet, basename="manage_sheets")
router.register("slack/auth", SlackAuthViewSet, basename="slack_auth")
router.register("slack/link", SlackLinkViewSet, basename="slack_link")

urlpatterns = [
    *router.urls,
    path("", include("apps.integrations.hubspot.urls")),
    # Called by Slack itself, with its signature instead of a session: bytes in, a receipt out.
    path("slack/events", slack_events, name="slack_events"),
    path("slack/commands", slack_commands, name="slack_commands"),
]
