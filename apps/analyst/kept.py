"""What is made once and kept for whoever asks again, in one process and for several threads."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Kept(Generic[K, V]):
    """Values by their keys. Of more than `most` those that nobody asked for longest are let go; two threads that ask
    for one at once may both make it."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[K, V] = OrderedDict()
        self._lock = Lock()

    def get(self, key: K, make: Callable[[], V]) -> V:
        """The value of a key, made where it is not kept. Raises what `make` raises, and keeps nothing then."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
        made = make()
        with self._lock:
            self._values[key] = made
            while len(self._values) > self._most:
                self._values.popitem(last=False)
        return made

    def __contains__(self, key: object) -> bool:
        with self._lock:
            return key in self._values

    def held(self, key: K) -> V | None:
        """The value of a key as far as it is kept; None where it is not."""
        with self._lock:
            return self._values.get(key)

    def forget(self) -> None:
        """Lets go of all."""
        with self._lock:
            self._values.clear()
