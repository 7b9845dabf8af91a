"""Who watches over a run while it is worked on: keeps its lease, and ends work that is late, stopped or lost.

The lease is renewed from here as long as this process works on the run, so that no second attempt begins beside the
first. What is ended: reading a question that takes too long (which is an answer: the engine declines), a run whose time
is over, one that its member stopped or another worker has.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING
from uuid import UUID

from django.db import InterfaceError, OperationalError, connections

from apps.analyst.approaches.aside_child import LEARNING
from apps.analyst.conversation.memory import STEP as REMEMBERING
from apps.analyst.types import Answer, Step
from apps.core.jobs.interrupting import AGAIN_SECONDS, Interrupted, Stretch, interruptible
from apps.threads import copy, limits
from apps.threads.services.runs import Claim, RunLate, RunStopped, run_keep

if TYPE_CHECKING:
    from apps.analyst.ports import Catalog, Emit, Warehouse
    from apps.analyst.types import Question
    from apps.threads.engine import AnswerFunction

logger = logging.getLogger("apps.threads.runner")

READING_STEPS = frozenset({"Reading the question", REMEMBERING})
"""What the engine tells before it has read a question; whatever else it tells comes after."""

_at_work: set[UUID] = set()
_lock = threading.Lock()


@contextmanager
def alone_on(run_id: UUID) -> Iterator[bool]:
    """True where no other thread of this process works on the run: a second attempt never runs beside the first."""
    with _lock:
        mine = run_id not in _at_work
        _at_work.add(run_id)
    try:
        yield mine
    finally:
        if mine:
            with _lock:
                _at_work.discard(run_id)


def runs_at_work() -> frozenset[UUID]:
    """The runs that threads of this process work on."""
    with _lock:
        return frozenset(_at_work)


class Watch:
    """Watches over one run from `begin` until `end`."""

    def __init__(self, claim: Claim) -> None:
        self._claim = claim
        self._stretches: dict[int, Stretch] = {}
        self._reason: type[RunLate] | type[RunStopped] | None = None
        self._over = threading.Event()
        self._guard = threading.Lock()
        self._begun = time.monotonic()

    @property
    def has_just_begun(self) -> bool:
        """Whether the work may be over before a step of it could be read; the first look tells what was kept back."""
        return time.monotonic() - self._begun < limits.STEPS_AFTER_SECONDS

    def begin(self) -> None:
        """Starts looking."""
        threading.Thread(target=self._look, name="watch", daemon=True).start()

    def end(self) -> None:
        """Stops looking."""
        self._over.set()

    @contextmanager
    def over_this_thread(self) -> Iterator[None]:
        """The block can be ended by the watch. Raises RunLate or RunStopped."""
        me = threading.get_ident()
        if me in self._stretches:
            yield
            return
        try:
            with interruptible() as stretch:
                with self._guard:
                    self._stretches[me] = stretch
                yield
        except Interrupted:
            raise (self._reason or RunStopped) from None
        finally:
            with self._guard:
                self._stretches.pop(me, None)

    def answering(self, answer: AnswerFunction) -> AnswerFunction:
        """The engine's entrance under this watch, with the time that reading a question may take."""

        def watched(question: Question, *, catalog: Catalog, warehouse: Warehouse, emit: Emit) -> Answer:
            with self.over_this_thread():
                return _read_in_time(answer, question, catalog, warehouse, emit)

        return watched

    def _look(self) -> None:
        try:
            pause = limits.STEPS_AFTER_SECONDS
            while not self._over.wait(pause if self._reason is None else AGAIN_SECONDS):
                pause = limits.WATCH_SECONDS
                self._reason = self._reason or self._trouble()
                if self._reason is not None:
                    with self._guard:
                        for stretch in self._stretches.values():
                            stretch.interrupt()
        finally:
            connections.close_all()

    def _trouble(self) -> type[RunLate] | type[RunStopped] | None:
        try:
            run_keep(claim=self._claim)
        except (RunLate, RunStopped) as reason:
            return type(reason)
        except (OperationalError, InterfaceError):
            logger.warning("the lease of run %s could not be renewed", self._claim.run.pk)
            connections.close_all()
        return None


class _Reading:
    """Until when a question is being read: the first step that is none of reading ends it. The time begins anew once
    the tables are learned."""

    def __init__(self) -> None:
        self._change = threading.Condition()
        self._until = time.monotonic() + limits.READING_SECONDS
        self._learning = self._read = False
        self._left = threading.Event()
        self.late = False

    def tell(self, step: Step) -> None:
        with self._change:
            if step.label == LEARNING:
                self._learning, self._until = True, time.monotonic() + limits.LEARNING_SECONDS
            elif step.label not in READING_STEPS:
                self._read = True
            elif self._learning:
                self._learning, self._until = False, time.monotonic() + limits.READING_SECONDS
            self._change.notify_all()

    def guard(self, stretch: Stretch) -> None:
        with self._change:
            while not self._read and (left := self._until - time.monotonic()) > 0:
                self._change.wait(left)
        while not self._read and not self._left.is_set():
            self.late = True
            if not stretch.interrupt():
                return
            self._left.wait(AGAIN_SECONDS)

    def leave(self) -> None:
        self._left.set()
        with self._change:
            self._read = True
            self._change.notify_all()


def _read_in_time(
    answer: AnswerFunction, question: Question, catalog: Catalog, warehouse: Warehouse, emit: Emit
) -> Answer:
    reading = _Reading()

    def tell(step: Step) -> None:
        reading.tell(step)
        emit(step)

    try:
        with interruptible() as stretch:
            threading.Thread(target=reading.guard, args=[stretch], name="reading", daemon=True).start()
            return answer(question, catalog=catalog, warehouse=warehouse, emit=tell)
    except Interrupted:
        if not reading.late:
            raise
        logger.error("reading a question took longer than it may")
        return Answer(status="declined", text=copy.READING_TOOK_TOO_LONG)
    finally:
        reading.leave()
