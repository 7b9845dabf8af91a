"""The fixed cast, for the tests that go over every route."""

from tests.apps.conftest import cast, empty_cache  # noqa: F401
