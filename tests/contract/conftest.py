"""The fixed cast, for the tests that go over every route."""

from __future__ import annotations

from typing import Any

import pytest

from apps.integrations.fakes import names
from apps.threads import limits
from tests.apps.conftest import callers_name_the_host, cast, empty_cache  # noqa: F401
from tests.apps.integrations.google.conftest import google  # noqa: F401
from tests.apps.integrations.slack.conftest import desk_of_test, slack, workspace  # noqa: F401


@pytest.fixture(autouse=True)
def nobody_finds_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    """No worker is at work in these tests: each call of the example questions would wait for one in vain."""
    monkeypatch.setattr(limits, "SUGGESTIONS_AWAITED", 0.05)


@pytest.fixture
def services(settings: Any, google: Any) -> None:  # noqa: F811
    """Every service is set up; of these only Google's stand-in can be reached."""
    settings.HUBSPOT_CLIENT_ID, settings.HUBSPOT_CLIENT_SECRET = names.HUBSPOT_CLIENT_ID, names.HUBSPOT_CLIENT_SECRET
    settings.SLACK_CLIENT_ID, settings.SLACK_CLIENT_SECRET = names.SLACK_CLIENT_ID, names.SLACK_CLIENT_SECRET
    settings.SLACK_SIGNING_SECRET = names.SLACK_SIGNING_SECRET
    settings.HUBSPOT_API_URL = settings.SLACK_URL = "http://127.0.0.1:9"
