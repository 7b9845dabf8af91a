"""Dramatiq on Redis without the wait after idle times.

The stock consumer polls with growing pauses, up to a second: a question asked after a quiet minute waits 350 ms at the
median for its worker. Here each message leaves a token in a list beside its queue, and an idle consumer blocks on that
list. A lost token costs no more than the stock pause: the consumer looks again after `timeout` in any case.
"""

from __future__ import annotations

from typing import Any

import redis
from dramatiq.brokers.redis import RedisBroker, _RedisConsumer
from dramatiq.common import dq_name
from dramatiq.errors import ConnectionClosed, DecodeError
from dramatiq.message import Message

KEPT_TOKENS = 64
TOKEN_SECONDS = 60


class WakingRedisBroker(RedisBroker):
    """Redis as Dramatiq's broker, with consumers that are woken."""

    @property
    def consumer_class(self) -> type[_RedisConsumer]:
        return _WakingConsumer

    def wake_key(self, queue_name: str) -> str:
        """The list on which consumers of a queue wait."""
        return f"{self.namespace}:{queue_name}.wake"

    def enqueue(self, message: Message[Any], *, delay: int | None = None) -> Message[Any]:
        sent = super().enqueue(message, delay=delay)
        key = self.wake_key(dq_name(message.queue_name) if delay is not None else message.queue_name)
        pipeline = self.client.pipeline(transaction=False)
        pipeline.lpush(key, 1)
        pipeline.ltrim(key, 0, KEPT_TOKENS - 1)
        pipeline.expire(key, TOKEN_SECONDS)
        pipeline.execute()
        return sent

    def do_fetch(self, queue_name: str, count: int) -> list[bytes]:
        """The next messages. What is none would end the consumer and lose those fetched beside it: it is put aside."""
        fetched: list[bytes] = RedisBroker.__getattr__(self, "do_fetch")(queue_name, count)  # type: ignore[no-untyped-call]
        return [data for data in fetched if self._readable(queue_name, data)]

    def _readable(self, queue_name: str, data: bytes) -> bool:
        try:
            Message.decode(data)
        except DecodeError:
            from apps.core.parked import park_unreadable  # models, which come after brokers

            park_unreadable(queue_name, data)
            for message_id, held in self.client.hscan_iter(f"{self.namespace}:{queue_name}.msgs"):
                if held == data:
                    self.do_nack(queue_name, message_id)
            return False
        return True


class _WakingConsumer(_RedisConsumer):
    def __init__(self, broker: WakingRedisBroker, queue_name: str, prefetch: int, timeout: int) -> None:
        # The stock pause becomes a millisecond; the real one is spent waiting for a token.
        super().__init__(broker, queue_name, prefetch, timeout=1)  # type: ignore[no-untyped-call]
        self.idle_seconds = timeout / 1000

    def __next__(self) -> Any:
        message = super().__next__()  # type: ignore[no-untyped-call]
        if message is None:
            try:
                self.broker.client.blpop([self.broker.wake_key(self.queue_name)], timeout=self.idle_seconds)
            except redis.ConnectionError as error:
                raise ConnectionClosed(error) from None  # type: ignore[no-untyped-call]
        return message
