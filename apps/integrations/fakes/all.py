"""All stand-ins together, for `manage.py serve_with_fakes`: each on a port of its own beside the product's."""

from __future__ import annotations

from django.conf import settings

from apps.integrations.fakes.base import FakeService
from apps.integrations.fakes.google import FakeGoogle
from apps.integrations.fakes.hubspot import FakeHubSpot
from apps.integrations.fakes.slack import FakeSlack


def stand_ins() -> dict[str, FakeService]:
    """Each by the setting that says where it is (its port stands in settings.FAKES)."""
    slack = FakeSlack(product=settings.PUBLIC_URL)
    slack.address = settings.SLACK_URL
    return {"hubspot": FakeHubSpot(), "google": FakeGoogle(), "slack": slack}
