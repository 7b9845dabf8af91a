"""A deployment whose answers take the time a question tells them to: "7 steps" are seven tenths of a second."""

from config.settings.production import *  # noqa: F403

ENGINE = "tests.services.runs.slow.engine"
