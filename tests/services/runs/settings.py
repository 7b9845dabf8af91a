"""The local product with an engine that takes the time a question tells it to."""

from config.settings.local import *  # noqa: F403

ENGINE = "tests.services.runs.slow.engine"
QUESTIONS_PER_MINUTE = UPLOADS_PER_HOUR = 0
