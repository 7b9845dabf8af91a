"""A broker inside the process. Its messages vanish with it: what must survive is a row that a sweep finds again."""

from __future__ import annotations

import logging
from collections import defaultdict, deque
from typing import Any

from dramatiq.brokers.stub import StubBroker
from dramatiq.middleware import Middleware

KEPT_DEAD_LETTERS = 100
"""A queue's last failed messages, for whoever looks; StubBroker would keep each one for ever."""


class EmbeddedBroker(StubBroker):
    """Dramatiq's in-memory broker with a bounded number of dead letters."""

    def __init__(self, middleware: list[Middleware] | None = None) -> None:
        super().__init__(middleware, fail_fast_default=False)
        # One worker a queue means one worker middleware each, which the broker would warn of at every start.
        self.logger.setLevel(logging.ERROR)
        bounded: Any = defaultdict(lambda: deque(maxlen=KEPT_DEAD_LETTERS))
        self.dead_letters_by_queue = bounded
