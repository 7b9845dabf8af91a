"""A child process of `aside`, seen from the process that started it: what it was told, what it learned, its line."""

from __future__ import annotations

import subprocess
import sys
import time
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from typing import Any

from apps.analyst.computing.priority import step_behind
from apps.analyst.ports import Catalog
from apps.analyst.types import Table

LOOK_SECONDS = 0.05
_ROOT = Path(__file__).resolve().parents[3]


class Gone(Exception):
    """The child ended."""


@dataclass(eq=False)
class Child:
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
            raise Gone from error

    def heard(self) -> tuple[str, Any]:
        """The next message. Waits in short steps, so that the waiting thread can be interrupted."""
        try:
            while not self.line.poll(LOOK_SECONDS):
                pass
            said: tuple[str, Any] = self.line.recv()
        except (EOFError, OSError) as error:
            raise Gone from error
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
                raise Gone
            try:
                if not self.line.poll(LOOK_SECONDS):
                    continue
            except OSError as error:
                raise Gone from error
            self.heard()
            self.ready = True

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        self.line.close()


def started(catalog: Catalog, memory_mb: int) -> Child:
    """A child that is about to be told of the catalog."""
    ours, theirs = Pipe()
    process = subprocess.Popen(
        [sys.executable, "-E", "-s", "-m", "apps.analyst.approaches.aside_child", str(theirs.fileno()), str(memory_mb)],
        stdin=subprocess.DEVNULL, env={}, cwd=_ROOT, pass_fds=[theirs.fileno()], start_new_session=True,
    )  # fmt: skip
    theirs.close()
    step_behind(process.pid)
    return Child(catalog, process, ours)


def _new_tables(held: Catalog | None, catalog: Catalog) -> list[Table]:
    """The catalog's tables that the one that is held does not have as they are."""
    known = {table.name: table for table in held.tables()} if held is not None else {}
    return [table for table in catalog.tables() if known.get(table.name) != table]
