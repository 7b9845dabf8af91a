"""The product as it runs on one machine, with a worker that a test can hold up."""

from config.settings.local import *  # noqa: F403
from config.settings.local import DRAMATIQ_BROKER

DRAMATIQ_BROKER = {**DRAMATIQ_BROKER, "MIDDLEWARE": [*DRAMATIQ_BROKER["MIDDLEWARE"], "tests.e2e.holding.Hold"]}
