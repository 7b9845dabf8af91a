"""The fixed cast, for the tests that go over every route."""

from __future__ import annotations

import pytest

from apps.threads import limits
from tests.apps.conftest import callers_name_the_host, cast, empty_cache  # noqa: F401


@pytest.fixture(autouse=True)
def nobody_finds_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    """No worker is at work in these tests: each call of the example questions would wait for one in vain."""
    monkeypatch.setattr(limits, "SUGGESTIONS_AWAITED", 0.05)
