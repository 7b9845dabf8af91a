"""The local settings with one more route: a view that does nothing, as the yardstick on the same server."""

from config.settings.local import *  # noqa: F403

ROOT_URLCONF = "benches.urls"
