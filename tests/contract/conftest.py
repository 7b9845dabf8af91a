"""The fixed cast, for the tests that go over every route."""

from tests.apps.conftest import callers_name_the_host, cast, empty_cache  # noqa: F401
