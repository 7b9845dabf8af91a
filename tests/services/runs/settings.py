"""The local product with an engine that takes the time a question tells it to."""

from config.settings.local import *  # noqa: F403

ENGINE = "tests.services.runs.slow.engine"
