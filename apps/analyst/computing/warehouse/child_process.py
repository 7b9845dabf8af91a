"""The parent's side of one query child: starting it, asking it under a deadline, ending it."""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from apps.analyst.computing.priority import step_behind, step_far_behind
from apps.analyst.computing.warehouse import wire
from apps.analyst.computing.warehouse.held import held_folder, held_sweep

_ROOT = Path(__file__).resolve().parents[4]


class Fingerprint(NamedTuple):
    """A file as it was when a child was bound to it: another file at the same path is not the same."""

    path: str
    inode: int
    written: int


@dataclass(frozen=True, slots=True)
class ChildLimits:
    """What one child may use."""

    threads: int = min(os.cpu_count() or 1, 4)
    memory_mb: int = 512
    """DuckDB's own limit; what is larger spills to the scratch folder."""
    data_mb: int = 928
    """The kernel's limit for all that the process allocates: DuckDB does not count what a long text in the making
    takes. With some 80 MiB of program files the child stays under 1 GiB."""
    address_space_mb: int = 3072
    """The kernel's limit for mapped files too."""
    scratch_mb: int = 2048
    open_files: int = 256
    scratch_in: Path | None = None
    """The folder for what large sorts spill; None: the machine's own for temporary files."""
    usual_seconds: float = 1.0
    """Of the processor's time: a query that has used it up may never end, and steps far behind everybody else."""


_PREFIX = "query-"


def scratch_sweep(folder: Path) -> None:
    """Removes what children of processes left behind that were killed."""
    held_sweep(_PREFIX, folder)


class ChildGone(Exception):
    """The child ended without an answer."""


class Overtime(Exception):
    """The child had no answer in time."""


class ChildProcess:
    """One child. Not thread-safe: the pool gives it to one thread at a time."""

    def __init__(self, limits: ChildLimits) -> None:
        self.files: frozenset[Fingerprint] = frozenset()
        self._limits = limits
        self._binding: dict[str, Any] | None = None
        self._behind = False
        self._scratch, self._lock = held_folder(_PREFIX, limits.scratch_in)
        self._process = subprocess.Popen(
            [sys.executable, "-E", "-s", "-m", "apps.analyst.computing.warehouse.child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={},
            cwd=_ROOT,
            start_new_session=True,
            bufsize=0,
        )
        step_behind(self._process.pid)

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def bind(self, files: frozenset[Fingerprint]) -> None:
        """Names the only files the child will ever read; takes effect with the first question."""
        limits = self._limits
        self.files = files
        self._binding = {
            "files": sorted(file.path for file in files),
            "scratch": self._scratch,
            "threads": limits.threads,
            "memory_mb": limits.memory_mb,
            "limits": {
                "address_space": limits.address_space_mb << 20,
                "data": limits.data_mb << 20,
                "file_size": limits.scratch_mb << 20,
                "open_files": limits.open_files,
            },
        }

    def is_spent(self) -> bool:
        """True where it is not to be asked again: it stepped far behind, or what it has allocated leaves no room for
        another query of full size (freed memory is kept in pieces that a large query may not fit in)."""
        limits = self._limits
        return self._behind or _allocated_mb(self._process.pid) > limits.data_mb - limits.memory_mb

    def ask(self, question: dict[str, Any], timeout: float) -> tuple[dict[str, Any], memoryview]:
        """The answer frame: its JSON and its raw part. Raises ChildGone or Overtime; the child is then to be ended."""
        deadline = time.monotonic() + timeout
        if self._binding is not None:
            question = {**question, "binding": self._binding}
            self._binding = None
        self._send(wire.pack(question), deadline)
        self._let_others_first(deadline)
        head = self._receive(wire.HEAD.size, deadline)
        body, raw = wire.HEAD.unpack(head)
        if body + raw > wire.most_bytes(question["max_rows"]):
            raise ChildGone  # it is not what was started: its own side of the wire holds to this
        data = memoryview(self._receive(body + raw, deadline))
        try:
            document = json.loads(bytes(data[:body]))
        except ValueError as error:
            raise ChildGone from error
        return document, data[body:]

    def _let_others_first(self, deadline: float) -> None:
        assert self._process.stdout is not None
        begun, used = _computed_seconds(self.pid), 0.0
        while used < self._limits.usual_seconds:
            left = deadline - time.monotonic()
            if (
                left <= 0
                or select.select([self._process.stdout], [], [], min(self._limits.usual_seconds - used, left))[0]
            ):
                return
            used = _computed_seconds(self.pid) - begun
        self._behind = True
        step_far_behind(self.pid)

    def _send(self, frame: bytes, deadline: float) -> None:
        assert self._process.stdin is not None
        descriptor = self._process.stdin.fileno()
        view = memoryview(frame)
        while view:
            if not select.select([], [descriptor], [], max(deadline - time.monotonic(), 0))[1]:
                raise Overtime
            try:
                sent = os.write(descriptor, view[:65_536])
            except OSError as error:
                raise ChildGone from error
            view = view[sent:]

    def _receive(self, size: int, deadline: float) -> bytearray:
        assert self._process.stdout is not None
        descriptor = self._process.stdout.fileno()
        data = bytearray(size)
        view, filled = memoryview(data), 0
        while filled < size:
            if not select.select([descriptor], [], [], max(deadline - time.monotonic(), 0))[0]:
                raise Overtime
            count = os.readv(descriptor, [view[filled : filled + (1 << 20)]])
            if not count:
                raise ChildGone
            filled += count
        return data

    def kill(self) -> None:
        """Stops the child's process group at once; `end` tidies up after it."""
        if self._process.returncode is not None:
            return  # it was waited for: its id may be another's by now
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def end(self) -> None:
        """Kills the child's process group and removes its scratch folder."""
        self.kill()
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=5)
        shutil.rmtree(self._scratch, ignore_errors=True)
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def _computed_seconds(pid: int) -> float:
    """The processor's time that a process has used; 0 where the system does not tell."""
    try:
        ticks = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    except OSError:
        return 0.0
    return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")


def _allocated_mb(pid: int) -> float:
    """What a process has allocated and may write to; 0 where the system does not tell."""
    try:
        pages = Path(f"/proc/{pid}/statm").read_text().split()[5]
    except OSError:
        return 0.0
    return int(pages) * os.sysconf("SC_PAGE_SIZE") / (1 << 20)
