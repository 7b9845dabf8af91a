"""In which order those who wait to sign in come in: places by turns, and of one place whoever failed least first.

Looking at a password takes a processor a good part of a second and a thread of the server meanwhile, so only so many
are looked at together. Whoever guesses thus slows down those behind the same address, and refuses nobody: who waits
takes no thread. A name that was tried in vain from there goes behind all that were not.
"""

from __future__ import annotations

import asyncio
import heapq
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from itertools import count

TOGETHER = 4
"""Passwords that one process looks at together: half of its threads stay for everybody else."""
OF_ONE_PLACE = 2
WRONG_SECONDS = 0.4
"""A wrong password keeps its turn for so long, on however fast a machine: five guesses a second from one place."""
BACK_SECONDS = 60.0
"""Each try in vain puts a name so far back behind others of its place."""
WINDOW_SECONDS = 300.0
MOST_WAITING = 1000
"""In one process; each keeps a connection and some kilobytes."""
MOST_NAMES = 20_000


class NoRoom(Exception):
    """As many wait as may, and others of the places with the fewest waiting are before this one."""


class Turns:
    """The turns of one event loop. `clock` counts seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._number = count()
        self._inside = 0
        self._taken: Counter[str] = Counter()
        self._waiting: OrderedDict[str, list[tuple[float, int, asyncio.Future[None]]]] = OrderedDict()
        self._tries: OrderedDict[tuple[str, str], tuple[int, float]] = OrderedDict()

    async def take(self, place: str, name: str) -> None:
        """Waits for a turn; `done` must follow. Raises NoRoom."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        rank = self._clock() + BACK_SECONDS * self._try(place, name)
        heapq.heappush(self._waiting.setdefault(place, []), (rank, next(self._number), turn))
        self._admit()
        if sum(map(len, self._waiting.values())) > MOST_WAITING:
            self._send_away()
        try:
            await turn
        except asyncio.CancelledError:
            self._give_up(place, turn)
            raise

    def done(self, place: str, name: str, *, right: bool, keep_seconds: float = 0.0) -> None:
        """The turn is over; one of its place may follow after `keep_seconds`, and another place's at once.

        Args:
            right: The name was let in, so that its tries are forgotten.
        """
        if right:
            self._tries.pop((place, name), None)
        self._inside -= 1
        if keep_seconds > 0:
            asyncio.get_running_loop().call_later(keep_seconds, self._free, place)
            self._admit()
        else:
            self._free(place)

    def _try(self, place: str, name: str) -> int:
        """Counts one more try of a name from a place, and tells how many there were in the window before."""
        now, key = self._clock(), (place, name)
        before, last = self._tries.pop(key, (0, now))
        before = before if now - last < WINDOW_SECONDS else 0
        self._tries[key] = before + 1, now
        if len(self._tries) > MOST_NAMES:
            self._tries.popitem(last=False)
        return before

    def _free(self, place: str) -> None:
        self._taken[place] -= 1
        if not self._taken[place]:
            del self._taken[place]
        self._admit()

    def _admit(self) -> None:
        """Gives turns for as long as there are any; a place that had one goes behind the others."""
        while self._inside < TOGETHER:
            place = next((place for place in self._waiting if self._taken[place] < OF_ONE_PLACE), None)
            if place is None:
                return
            turn = heapq.heappop(self._waiting[place])[2]
            self._waiting.move_to_end(place)
            self._forget_if_empty(place)
            if not turn.done():
                self._inside += 1
                self._taken[place] += 1
                turn.set_result(None)

    def _send_away(self) -> None:
        """The last of the place where the most wait."""
        place = max(self._waiting, key=lambda place: len(self._waiting[place]))
        last = max(self._waiting[place])
        self._remove(place, last)
        last[2].set_exception(NoRoom())

    def _give_up(self, place: str, turn: asyncio.Future[None]) -> None:
        """Whoever waited has gone: a turn that was just given goes to the next."""
        if turn.done() and not turn.cancelled():
            if turn.exception() is None:
                self._inside -= 1
                self._free(place)
            return
        for waiting in self._waiting.get(place, []):
            if waiting[2] is turn:
                self._remove(place, waiting)
                return

    def _remove(self, place: str, waiting: tuple[float, int, asyncio.Future[None]]) -> None:
        self._waiting[place].remove(waiting)
        heapq.heapify(self._waiting[place])
        self._forget_if_empty(place)

    def _forget_if_empty(self, place: str) -> None:
        if not self._waiting[place]:
            del self._waiting[place]
