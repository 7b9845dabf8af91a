"""Reading very wide catalogs in child processes, so that the process that serves people goes on serving them.

Reading is Python, and over thousands of columns it takes seconds of it and hundreds of megabytes. A child holds one
version of one catalog, and is told what is new in the next one. It has a lower priority, is killed when the work in it
is ended, and ends by itself when nobody asks it for a while, and its memory with it. Queries go back to the process
that started it, whose warehouse has limits of its own. Catalogs of usual width are read here.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from typing import Any

from apps.analyst.approaches.aside_child import LEARNING, taken
from apps.analyst.approaches.checking import Check, Ports, Selected, Voice, check
from apps.analyst.approaches.choosing import Asked, Offer, Taken, offered, take
from apps.analyst.approaches.recounting import recount_in_child
from apps.analyst.computing.priority import step_behind
from apps.analyst.errors import AnalystError, QueryFailed
from apps.analyst.pipeline import answer, quiet, suggest
from apps.analyst.ports import Catalog, Emit, Warehouse
from apps.analyst.telling.followups import answerable
from apps.analyst.types import Answer, Question, Step, Table

WIDE = 3_000
"""Columns of a catalog from which on it is read in a child: fewer are read faster than a child starts."""
MOST_CHILDREN = 2
KEPT_SECONDS = 45.0
"""So long a child waits for the next question: its memory is back within a minute."""
READY_SECONDS = 90.0
"""What a child may take to start and to learn its catalog. Whose question is over before then finds it ready later."""
MEMORY_MB = 3_072
TOO_WIDE = "These tables have too many columns to be read at once. Choose the files that you ask about."
Serves = Mapping[str, Callable[..., object]]
"""What the process at this end does for a child, by name."""
_LOOK_SECONDS = 0.05
_ROOT = Path(__file__).resolve().parents[3]


class _Gone(Exception):
    """The child ended."""


@dataclass(eq=False)
class _Child:
    """A process that holds one version of a catalog, or is about to."""

    catalog: Catalog
    process: subprocess.Popen[bytes]
    line: Connection
    busy: bool = True
    taught: Catalog | None = None
    """What it was told last."""
    ready: bool = False
    """Whether it has learned that."""
    started: float = field(default_factory=time.monotonic)
    idle_since: float = field(default_factory=time.monotonic)

    def tell(self, message: object) -> None:
        try:
            self.line.send(message)
        except OSError as error:
            raise _Gone from error

    def heard(self) -> tuple[str, Any]:
        """The next message. Waits in short steps, so that the waiting thread can be interrupted."""
        try:
            while not self.line.poll(_LOOK_SECONDS):
                pass
            said: tuple[str, Any] = self.line.recv()
        except (EOFError, OSError) as error:
            raise _Gone from error
        return said

    def holds(self, catalog: Catalog) -> bool:
        """Whether it was told all that is in the catalog, be it as another version of it."""
        known = self.taught
        return known is not None and (
            known.version == catalog.version
            or (list(known.tables()) == list(catalog.tables()) and list(known.joins()) == list(catalog.joins()))
        )

    def is_akin(self, catalog: Catalog) -> bool:
        """Whether most of the catalog's tables are those that it has or is being told."""
        held = self.taught or self.catalog
        return 2 * len(_new_tables(held, catalog)) <= len(catalog.tables())

    def is_for(self, catalog: Catalog) -> bool:
        """Whether it is worth waiting for: it has this version, or is learning another that is akin."""
        return self.catalog.version == catalog.version or (not self.ready and self.is_akin(catalog))

    def teach(self, catalog: Catalog) -> None:
        """Sends it what it does not have of the catalog."""
        if not self.holds(catalog):
            self.ready, self.started = False, time.monotonic()
            # Table by table: packing all at once would hold the interpreter for as long as that takes.
            for table in _new_tables(self.taught, catalog):
                self.tell(("table", table))
            names = tuple(table.name for table in catalog.tables())
            self.tell(("catalog", (catalog.version, names, tuple(catalog.joins()))))
        self.taught = catalog

    def wait_ready(self, seconds: float) -> None:
        """Until it has learned its catalog."""
        while not self.ready:
            if time.monotonic() > self.started + seconds:
                raise _Gone
            try:
                if not self.line.poll(_LOOK_SECONDS):
                    continue
            except OSError as error:
                raise _Gone from error
            self.heard()
            self.ready = True

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        self.line.close()


class Aside:
    """The engine's entrances, each in a child where the catalog is wide.

    Raises what the entrances raise; QueryFailed where a child found no memory, Broken where something unforeseen
    happened in it.
    """

    def __init__(self, *, wide: int = WIDE, kept_seconds: float = KEPT_SECONDS, memory_mb: int = MEMORY_MB) -> None:
        self._wide, self._kept, self._memory_mb = wide, kept_seconds, memory_mb
        self._children: list[_Child] = []
        self._change = threading.Condition()
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
        return sum(len(table.columns) for table in catalog.tables()) >= self._wide

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
        child = self._taken(catalog)
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
        except _Gone as error:
            whole = False
            raise QueryFailed(TOO_WIDE) from error
        finally:
            self._left(child, whole=whole)
        return taken(*said)

    def _served(self, child: _Child, emit: Emit, serves: Serves) -> tuple[str, Any]:
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
    def _taken(self, catalog: Catalog) -> _Child:
        """A child that holds the catalog and is nobody else's until it is left."""
        with self._change:
            while True:
                if self._closed:
                    raise QueryFailed("The server is being stopped.", retryable=True)
                idle = [child for child in self._children if not child.busy]
                mine = next((child for child in idle if child.catalog.version == catalog.version), None)
                mine = mine or next((child for child in idle if child.is_akin(catalog)), None)
                if mine is not None:
                    mine.busy, mine.catalog = True, catalog
                    return mine
                coming = any(child.is_for(catalog) for child in self._children)
                if not coming and len(self._children) < MOST_CHILDREN:
                    break
                if not coming and idle:
                    self._dropped(min(idle, key=lambda child: child.idle_since))
                    break
                self._change.wait(_LOOK_SECONDS)
            made = self._started(catalog)
            self._children.append(made)
            return made

    def _started(self, catalog: Catalog) -> _Child:
        ours, theirs = Pipe()
        process = subprocess.Popen(
            [sys.executable, "-E", "-s", "-m", "apps.analyst.approaches.aside_child",
             str(theirs.fileno()), str(self._memory_mb)],
            stdin=subprocess.DEVNULL, env={}, cwd=_ROOT, pass_fds=[theirs.fileno()], start_new_session=True,
        )  # fmt: skip
        theirs.close()
        step_behind(process.pid)
        return _Child(catalog, process, ours)

    def _left(self, child: _Child, *, whole: bool) -> None:
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

    def _unused(self, child: _Child, since: float) -> None:
        with self._change:
            if not child.busy and child.idle_since == since:
                self._dropped(child)

    def _dropped(self, child: _Child) -> None:
        with contextlib.suppress(ValueError):
            self._children.remove(child)
            child.end()


def _new_tables(held: Catalog | None, catalog: Catalog) -> list[Table]:
    """The catalog's tables that the one that is held does not have as they are."""
    known = {table.name: table for table in held.tables()} if held is not None else {}
    return [table for table in catalog.tables() if known.get(table.name) != table]


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
