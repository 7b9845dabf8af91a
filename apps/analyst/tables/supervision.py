"""Runs ingestion in a child process under limits: a hostile or huge file ends the child, never the worker that
waits."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from apps.analyst.computing.priority import step_behind
from apps.analyst.errors import ReadFailed
from apps.analyst.tables.results import IngestedTable, IngestProgress, Progress, no_progress

_ROOT = Path(__file__).resolve().parents[3]
_LOOK_EVERY = 0.02
_ENOUGH = 0.9
"""Of its memory: a child that has so much is ended, because it grows on between two looks."""
_MAX_LINE = 256 << 20


@dataclass(frozen=True, slots=True)
class IngestLimits:
    """What reading one file may take."""

    seconds: float = 300.0
    """Wall clock."""
    cpu_seconds: int = 600
    memory_mb: int = 1024
    """Resident memory, which is never passed: looked at fifty times a second."""
    address_space_mb: int = 8192
    file_mb: int = 4096
    """The largest file that may be written."""
    columns: int = 16_384
    """In one table."""


class _Refused(Exception):
    """The child went past a limit; `retryable` where it may not on a machine with less to do."""

    def __init__(self, message: str, *, retryable: bool = False) -> None:
        super().__init__(message)
        self.retryable = retryable


def run_in_child(
    path: Path,
    original_name: str,
    out_dir: Path,
    progress: Progress = no_progress,
    *,
    limits: IngestLimits | None = None,
) -> list[IngestedTable]:
    """`ingest` in a child process that is ended when it goes past `limits`, dies, or `progress` raises.

    Raises ReadFailed with a plain message where the file cannot be read, OSError where the disk of `out_dir` is full;
    what `progress` raises is passed on.
    """
    limits = limits or IngestLimits()
    out_dir.mkdir(parents=True, exist_ok=True)
    order = {
        "path": str(path.resolve()),
        "name": original_name,
        "out_dir": str(out_dir.resolve()),
        "limits": {
            "address_space": limits.address_space_mb << 20,
            "file_size": limits.file_mb << 20,
            "cpu_seconds": limits.cpu_seconds,
            "columns": limits.columns,
        },
    }
    with tempfile.TemporaryFile() as complaints, _started(complaints) as process:
        assert process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(json.dumps(order).encode() + b"\n")
            process.stdin.flush()
        from apps.analyst.tables.codec import ingested_from_json  # while the child is at work

        try:
            for message in _messages(process, original_name, limits):
                if message["kind"] == "progress":
                    progress(IngestProgress(message["step"], message["rows"], message["table"]))
                elif message["kind"] == "tables":
                    return [ingested_from_json(table) for table in message["tables"]]
                elif message["kind"] == "failed":
                    raise ReadFailed(str(message["message"]))
                elif message["kind"] == "room":
                    raise OSError(message["code"], os.strerror(message["code"]))
                else:
                    raise _Refused(_too_much_memory(original_name))
        except _Refused as error:
            raise ReadFailed(str(error), retryable=error.retryable) from error
        complaints.seek(max(0, complaints.seek(0, os.SEEK_END) - 2000))
        detail = complaints.read().decode(errors="replace")
        raise ReadFailed(_ended(original_name), retryable=True) from RuntimeError(
            f"the ingestion child ended: {detail}"
        )


def _too_much_memory(name: str) -> str:
    return f"{name} needs more memory than a file may take. Please split it into smaller files."


def _ended(name: str) -> str:
    return f"{name} could not be read: reading it ended unexpectedly. The file may be damaged; please save it again."


@contextlib.contextmanager
def _started(complaints: IO[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    """The running child; killed with all it started when the block is left."""
    process = subprocess.Popen(
        [sys.executable, "-E", "-s", "-m", "apps.analyst.tables.child"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=complaints,
        env={},
        cwd=_ROOT,
        start_new_session=True,
    )
    step_behind(process.pid)
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        process.wait()


def _messages(process: subprocess.Popen[bytes], name: str, limits: IngestLimits) -> Iterator[dict[str, Any]]:
    """The child's messages as they come. Raises _Refused where it goes past a limit."""
    assert process.stdout is not None
    deadline = time.monotonic() + limits.seconds
    descriptor, pending = process.stdout.fileno(), bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(descriptor, selectors.EVENT_READ)
        while True:
            if time.monotonic() > deadline:
                raise _Refused(
                    f"{name} took longer than {limits.seconds:g} seconds to read. Please split it into smaller files.",
                    retryable=True,
                )
            if _resident_mb(process.pid) > _ENOUGH * limits.memory_mb:
                raise _Refused(_too_much_memory(name))
            if not selector.select(_LOOK_EVERY):
                continue
            block = os.read(descriptor, 1 << 20)
            if not block:
                return
            pending += block
            if len(pending) > _MAX_LINE:
                raise _Refused(_too_much_memory(name))
            *lines, rest = pending.split(b"\n")
            pending = bytearray(rest)
            for line in lines:
                yield json.loads(line)


def _resident_mb(pid: int) -> float:
    """Resident memory of a process; 0 where the system does not tell."""
    try:
        with open(f"/proc/{pid}/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / (1 << 20)
    except (OSError, IndexError, ValueError):
        return 0.0
