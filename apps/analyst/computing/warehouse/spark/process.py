"""The parent's side of the driver: starting it, asking it under a deadline, ending it."""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from apps.analyst.computing.warehouse import wire
from apps.analyst.computing.warehouse.held import held_folder, held_sweep
from apps.analyst.errors import QueryFailed

_ROOT = Path(__file__).resolve().parents[5]
_PASSED = ("PATH", "JAVA_HOME", "SPARK_CONF_DIR", "SPARK_LOCAL_DIRS", "LANG")
"""What of the environment the driver sees: no secrets of the product."""
_MAX_FRAME = 2 << 30
_PREFIX = "plumbline-spark-"
"""In the machine's folder for temporary files: a socket's path is short. Spark has folders of its own there, and so may
other products, whose names begin with "spark-"."""


class SparkAway(QueryFailed):
    """There is no Spark to ask. `remedy` is for the operator, the message for whoever asked."""

    def __init__(self, remedy: str) -> None:
        super().__init__(
            "The engine for large data cannot be reached right now. Please try again later.", retryable=True
        )
        self.remedy = remedy


def drivers_sweep() -> None:
    """Removes what drivers left behind whose processes were killed."""
    held_sweep(_PREFIX)


class Overtime(Exception):
    """The driver had no answer in time."""


def master_answers(master: str, timeout: float = 2.0) -> bool:
    """True where something listens at the master's address; a master that is no address is taken at its word."""
    if not master.startswith("spark://"):
        return True
    for address in master.removeprefix("spark://").split(","):
        host, _, port = address.rpartition(":")
        with contextlib.suppress(OSError, ValueError), socket.create_connection((host, int(port)), timeout):
            return True
    return False


class Driver:
    """One driver process. Questions may be asked from any thread, each over a connection of its own."""

    def __init__(self, python: Path, master: str, options: Mapping[str, str], start_seconds: float) -> None:
        """Starts it and waits until its session stands. Raises SparkAway with the remedy where there will be none."""
        if not python.exists():
            raise SparkAway(f"There is no {python}: install the extra with `make setup-spark`, or set SPARK_PYTHON.")
        if not master_answers(master):
            raise SparkAway(f"No Spark master answers at {master}: start it, or mend SPARK_MASTER.")
        drivers_sweep()
        self._folder, self._lock = held_folder(_PREFIX)
        self._address = os.path.join(self._folder, "driver")
        self._process = subprocess.Popen(
            [str(python), "-m", "apps.analyst.computing.warehouse.spark.driver"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=self._environment(),
            cwd=_ROOT,
            start_new_session=True,
        )
        try:
            self._await_session({"master": master, "options": dict(options), "socket": self._address}, start_seconds)
        except BaseException:
            self.end()
            raise

    def _environment(self) -> dict[str, str]:
        """What Spark writes on its way goes with the driver's folder, unless the operator names a place for it."""
        passed = {name: os.environ[name] for name in _PASSED if name in os.environ}
        return {"SPARK_LOCAL_DIRS": self._folder} | passed | {"TZ": "UTC", "TMPDIR": self._folder}

    def _await_session(self, settings: Mapping[str, Any], seconds: float) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(json.dumps(settings).encode() + b"\n")
            self._process.stdin.flush()
        if not select.select([self._process.stdout], [], [], seconds)[0]:
            raise SparkAway(f"No session on {settings['master']} within {seconds:g} s: has the cluster free cores?")
        line = self._process.stdout.readline()
        said = json.loads(line) if line else {"error": "the driver ended"}
        if "missing" in said:
            raise SparkAway(f"pyspark is not installed for Spark's Python ({said['missing']}): run `make setup-spark`.")
        if "error" in said:
            raise SparkAway(f"No session on {settings['master']}: {said['error']} (is there Java 17?)")

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def alive(self) -> bool:
        """True while the process runs."""
        return self._process.poll() is None

    def ask(self, question: Mapping[str, Any], timeout: float) -> tuple[dict[str, Any], memoryview]:
        """The answer frame: its JSON and its raw part. Raises Overtime, upon which the query is cancelled, or
        SparkAway."""
        deadline = time.monotonic() + timeout
        try:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.settimeout(max(timeout, 0.01))
                connection.connect(self._address)
                connection.sendall(wire.pack(question))
                body, raw = wire.HEAD.unpack(self._receive(connection, wire.HEAD.size, deadline))
                if body + raw > _MAX_FRAME:
                    raise SparkAway("The driver sent what cannot be an answer.")
                data = memoryview(self._receive(connection, body + raw, deadline))
        except TimeoutError as error:
            raise Overtime from error
        except OSError as error:
            raise SparkAway(f"The Spark driver ended ({error}).") from error
        document = json.loads(bytes(data[:body]))
        if "away" in document:
            raise SparkAway(document["away"])
        return document, data[body:]

    def _receive(self, connection: socket.socket, size: int, deadline: float) -> bytearray:
        data = bytearray()
        while len(data) < size:
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            connection.settimeout(left)
            part = connection.recv(min(size - len(data), 1 << 20))
            if not part:
                raise ConnectionError("no answer")
            data += part
        return data

    def end(self) -> None:
        """Ends the driver and Spark's process below it."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if self._process.returncode is None:
                os.killpg(self._process.pid, signal.SIGKILL)
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=5)
        shutil.rmtree(self._folder, ignore_errors=True)
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None
