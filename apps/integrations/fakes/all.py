"""All stand-ins together, for `manage.py serve_with_fakes`: each on a port of its own beside the product's."""

from __future__ import annotations

from apps.integrations.fakes.base import FakeService
from apps.integrations.fakes.hubspot import FakeHubSpot


def stand_ins() -> dict[str, FakeService]:
    """Each by the setting that says where it is (its port stands in settings.FAKES)."""
    return {"hubspot": FakeHubSpot()}
