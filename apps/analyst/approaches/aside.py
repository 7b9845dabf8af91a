"""Reading very wide catalogs in child processes, so that the process that serves people goes on serving them.

Reading is Python, and over thousands of columns it takes seconds of it and hundreds of megabytes. A child holds one
version of one catalog, and is told what is new in the next one. It has a lower priority, is killed when the work in it
is ended, and ends by itself when nobody asks it for a while, and its memory with it. Queries go back to the process
that started it, whose warehouse has limits of its own. Catalogs of usual width are read here.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from apps.analyst.approaches.aside_child import LEARNING, taken
from apps.analyst.approaches.aside_process import LOOK_SECONDS, Child, Gone, started
from apps.analyst.approaches.checking import Check, Ports, Selected, Voice, check
from apps.analyst.approaches.choosing import Asked, Offer, Taken, offered, take
from apps.analyst.approaches.recounting import recount_in_child
from apps.analyst.errors import AnalystError, QueryFailed
from apps.analyst.pipeline import answer, quiet, suggest
from apps.analyst.ports import Catalog, Emit, Warehouse
from apps.analyst.tables.width import WIDE, are_wide
from apps.analyst.telling.followups import answerable
from apps.analyst.types import Answer, Question, Step

MOST_CHILDREN = 2
KEPT_SECONDS = 45.0
"""So long a child waits for the next question: its memory is back within a minute."""
READY_SECONDS = 90.0
"""What a child may take to start and to learn its catalog. Whose question is over before then finds it ready later."""
MEMORY_MB = 3_072
TOO_WIDE = "These tables have too many columns to be read at once. Choose the files that you ask about."
_AHEAD = (None, "suggest", "can_answer")
"""What is done before anybody asks: learning, and finding what can be asked."""
Serves = Mapping[str, Callable[..., object]]
"""What the process at this end does for a child, by name."""


class Aside:
    """The engine's entrances, each in a child where the catalog is wide.

    Raises what the entrances raise; QueryFailed where a child found no memory, Broken where something unforeseen
    happened in it.
    """

    def __init__(self, *, wide: int = WIDE, kept_seconds: float = KEPT_SECONDS, memory_mb: int = MEMORY_MB) -> None:
        self._wide, self._kept, self._memory_mb = wide, kept_seconds, memory_mb
        self._children: list[Child] = []
        self._change = threading.Condition()
        self._waiting = 0
        """People whose question waits for a child."""
        self._closed = False

    def ready(self, catalog: Catalog) -> None:
        """Has a wide catalog learned by a child, so that the next question need not wait for it."""
        if self.is_wide(catalog):
            self._asked(None, (), catalog)

    def answer(self, question: Question, *, catalog: Catalog, warehouse: Warehouse, emit: Emit = quiet) -> Answer:
        """`pipeline.answer`."""
        if not self.is_wide(catalog):
            return answer(question, catalog=catalog, warehouse=warehouse, emit=emit)
        made: Answer = self._asked("answer", (question,), catalog, warehouse, emit)
        return made

    def suggest(self, catalog: Catalog, count: int) -> list[str]:
        """`pipeline.suggest`."""
        if not self.is_wide(catalog):
            return suggest(catalog, count)
        found: list[str] = self._asked("suggest", (count,), catalog)
        return found

    def can_answer(self, question: str, catalog: Catalog) -> bool:
        """`followups.answerable`."""
        return bool(
            self._asked("can_answer", (question,), catalog) if self.is_wide(catalog) else answerable(question, catalog)
        )

    def check(
        self,
        question: Question,
        selected: Selected,
        *,
        catalog: Catalog,
        warehouse: Warehouse,
        emit: Emit,
        models: Sequence[tuple[str, Voice]] = (),
        beside: Sequence[Selected] = (),
    ) -> Check:
        """`checking.check`, with its recounts in children of their own. Models are asked from here."""
        if not self.is_wide(catalog):
            ports = Ports(catalog, warehouse, recount_in_child, emit, tuple(models))
            return check(question, selected, ports, beside)
        there = {selected.approach, *(one.approach for one in beside)}
        asked = [(name, voice) for name, voice in models if name not in there]
        with ThreadPoolExecutor(max_workers=max(len(asked), 1), thread_name_prefix="check") as pool:
            said = [pool.submit(voice) for _, voice in asked]
            serves: Serves = {
                "recount": lambda way, plan: recount_in_child(way, plan, catalog),
                "voice": lambda place: said[place].result() if said[place].done() else None,
            }
            arguments = (question, selected, tuple(name for name, _ in asked), tuple(beside))
            made: Check = self._asked("check", arguments, catalog, warehouse, emit, serves)
        return made

    def offered(self, asked: Asked, lessons: int, *, catalog: Catalog, warehouse: Warehouse) -> list[Offer]:
        """`choosing.offered`."""
        if not self.is_wide(catalog):
            return offered(asked, lessons, catalog=catalog, warehouse=warehouse)
        found: list[Offer] = self._asked("offered", (asked, lessons), catalog, warehouse)
        return found

    def take(self, asked: Asked, key: str, *, always: bool, catalog: Catalog, warehouse: Warehouse) -> Taken:
        """`choosing.take`."""
        if not self.is_wide(catalog):
            return take(asked, key, always=always, catalog=catalog, warehouse=warehouse)
        made: Taken = self._asked("take", (asked, key, always), catalog, warehouse)
        return made

    def is_wide(self, catalog: Catalog) -> bool:
        """Whether a catalog is read in a child."""
        return are_wide(catalog.tables(), self._wide)

    def pids(self) -> list[int]:
        """The processes that are there now."""
        with self._change:
            return [child.process.pid for child in self._children]

    def close(self) -> None:
        """Ends all children, and lets none begin."""
        with self._change:
            self._closed = True
            children, self._children = self._children, []
            self._change.notify_all()
        for child in children:
            child.end()

    # ------------------------------------------------------------ one call
    def _asked(
        self,
        what: str | None,
        arguments: tuple[object, ...],
        catalog: Catalog,
        warehouse: Warehouse | None = None,
        emit: Emit = quiet,
        serves: Serves | None = None,
    ) -> Any:
        """What a child gives that holds the catalog; nothing where it need only be ready."""
        child = self._taken(catalog, ahead=what in _AHEAD)
        whole = child.taught is not None
        try:
            if not child.ready or not child.holds(catalog):
                emit(Step(LEARNING, f"{len(catalog.tables()):,} tables"))
            whole = False
            child.teach(catalog)
            whole = True
            child.wait_ready(READY_SECONDS)
            if what is None:
                return None
            whole = False
            child.tell((what, arguments))
            said = self._served(child, emit, {**_queries(warehouse), **(serves or {})})
            whole = True
        except Gone as error:
            whole = False
            raise QueryFailed(TOO_WIDE) from error
        finally:
            self._left(child, whole=whole)
        return taken(*said)

    def _served(self, child: Child, emit: Emit, serves: Serves) -> tuple[str, Any]:
        """Does what the child wants done until it is ready, and gives what it then says."""
        while True:
            kind, content = child.heard()
            if kind == "step":
                emit(content)
            elif kind in serves:
                child.tell(_done(serves[kind], *content))
            else:
                return kind, content

    # ------------------------------------------------------------ children
    def _taken(self, catalog: Catalog, *, ahead: bool) -> Child:
        """A child that holds the catalog and is nobody else's until it is left. Whoever works ahead of people gives way
        to those who wait."""
        with self._change:
            self._waiting += not ahead
            try:
                return self._found(catalog, ahead=ahead)
            finally:
                self._waiting -= not ahead

    def _found(self, catalog: Catalog, *, ahead: bool) -> Child:
        """The same, with the lock held."""
        while True:
            if self._closed:
                raise QueryFailed("The server is being stopped.", retryable=True)
            if not ahead or not self._waiting:
                mine = self._free(catalog)
                if mine is not None:
                    mine.busy, mine.catalog = True, catalog
                    return mine
            self._change.wait(LOOK_SECONDS)

    def _free(self, catalog: Catalog) -> Child | None:
        """A child that is idle, or a new one where there is room; None where one is to be waited for."""
        idle = [child for child in self._children if not child.busy]
        mine = next((child for child in idle if child.catalog.version == catalog.version), None)
        mine = mine or next((child for child in idle if child.is_akin(catalog)), None)
        if mine is not None:
            return mine
        if any(child.is_for(catalog) for child in self._children):
            return None
        if len(self._children) >= MOST_CHILDREN:
            if not idle:
                return None
            self._dropped(min(idle, key=lambda child: child.idle_since))
        self._children.append(started(catalog, self._memory_mb))
        return self._children[-1]

    def _left(self, child: Child, *, whole: bool) -> None:
        """Gives a child back; one whose work did not come to its end is killed."""
        with self._change:
            if not whole or self._closed:
                self._dropped(child)
            child.busy, child.idle_since = False, time.monotonic()
            self._change.notify_all()
        if whole:
            waiting = threading.Timer(self._kept, self._unused, [child, child.idle_since])
            waiting.daemon = True
            waiting.start()

    def _unused(self, child: Child, since: float) -> None:
        with self._change:
            if not child.busy and child.idle_since == since:
                self._dropped(child)

    def _dropped(self, child: Child) -> None:
        with contextlib.suppress(ValueError):
            self._children.remove(child)
            child.end()


def _queries(warehouse: Warehouse | None) -> Serves:
    if warehouse is None:
        return {}
    return {"query": lambda query, limits: warehouse.query(*query, **limits)}


def _done(work: Callable[..., object], *content: Any) -> tuple[str, object]:
    """What work gives, or the engine's error that it raises, as a message."""
    try:
        return "done", work(*content)
    except AnalystError as error:
        return "refused", error
