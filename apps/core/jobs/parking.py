"""What the broker does with messages that fail again and again: it counts them and passes the parked ones over.

Brokers are made before Django has its models, so the rows (`apps.core.parked`) are imported when a message comes.
"""

from __future__ import annotations

import logging
import time
from typing import Any

from django.db import InterfaceError, OperationalError
from dramatiq import Broker
from dramatiq.broker import MessageProxy
from dramatiq.errors import ActorNotFound, BrokerConnectionError, RateLimitExceeded, Retry
from dramatiq.middleware import Middleware, Shutdown, SkipMessage

logger = logging.getLogger("apps.parking")

KNOWN_SECONDS = 5.0
"""How long a process goes by the parked jobs it has read: each message would cost a query otherwise."""
NOT_ITS_FAULT = (Shutdown, Retry, RateLimitExceeded, OperationalError, InterfaceError, BrokerConnectionError, OSError)


class Parking(Middleware):
    """Counts failures, parks what failed too often, and passes it over."""

    def __init__(self) -> None:
        self._parked: frozenset[str] = frozenset()
        self._failing: frozenset[str] = frozenset()
        self._read_at = float("-inf")

    def before_process_message(self, broker: Broker, message: MessageProxy) -> None:
        from apps.core import parked

        self._look()
        if parked.key_of(message.actor_name, message.args) in self._parked:
            raise SkipMessage(f"{message.actor_name} of {message.args} is parked.")

    def after_process_message(
        self, broker: Broker, message: MessageProxy, *, result: Any = None, exception: BaseException | None = None
    ) -> None:
        from apps.core import parked

        key = parked.key_of(message.actor_name, message.args)
        try:
            if exception is None:
                if key in self._failing or message.options.get("retries"):
                    parked.forget(key)
            elif not isinstance(exception, NOT_ITS_FAULT):
                self._read_at = float("-inf")
                failure = parked.place_of(exception)
                if parked.failed(message.actor_name, message.queue_name, message.args, failure):
                    message.options["max_retries"] = 0
        except Exception:
            logger.exception("a failure of %s could not be noted", message.actor_name)

    def after_nack(self, broker: Broker, message: MessageProxy) -> None:
        """What no actor of this version takes is parked at once: no try makes it one."""
        from apps.core import parked

        if message.actor_name not in broker.actors:
            parked.park(message.actor_name, message.queue_name, message.args, ActorNotFound.__name__)

    def _look(self) -> None:
        from apps.core import parked

        if time.monotonic() - self._read_at < KNOWN_SECONDS:
            return
        try:
            self._failing, self._parked = parked.known()
        except Exception:  # without the database the job will say so itself
            logger.warning("parked jobs could not be read", exc_info=True)
            return
        self._read_at = time.monotonic()
