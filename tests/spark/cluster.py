"""A standalone Spark cluster on loopback: a master and two workers of one core each, gone with `stop`."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import time
from pathlib import Path
from types import TracebackType

from apps.analyst.computing.warehouse.spark.warehouse import SparkWarehouse

ROOT = Path(__file__).resolve().parents[2]
PYTHON = Path(os.environ.get("SPARK_PYTHON", ROOT / ".venv-spark/bin/python"))
OPTIONS = {
    "spark.driver.memory": "1g",
    "spark.executor.memory": "700m",
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.adaptive.coalescePartitions.parallelismFirst": "false",
}
WORKERS = ("worker-1", "worker-2")
STARTED = 120.0
"""Seconds that a process may take to say that it is there, on a slow machine."""


class Cluster:
    """The processes and where they listen. Nothing listens but on loopback."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.master = ""
        self._processes: dict[str, subprocess.Popen[bytes]] = {}

    def start(self) -> None:
        """Starts the master, then both workers; returns when the workers are registered."""
        daemon = "org.apache.spark.deploy.master.Master"
        self._spawn("master", daemon, "--host", "127.0.0.1", "--port", "0", "--webui-port", "0")
        self.master = self._await("master", r"Starting Spark master at (spark://\S+)")
        for name in WORKERS:
            self.start_worker(name)
        for name in WORKERS:
            self.await_worker(name)

    def await_worker(self, name: str) -> None:
        """Returns when the worker is registered."""
        self._await(name, r"(Successfully registered) with master")

    def start_worker(self, name: str) -> None:
        """Starts a worker; its executors are in its process group."""
        self._log(name).unlink(missing_ok=True)
        daemon = "org.apache.spark.deploy.worker.Worker"
        work = str(self._folder / name)
        size = ("--cores", "1", "--memory", "1g", "--work-dir", work, "--webui-port", "0")
        self._spawn(name, daemon, "--host", "127.0.0.1", *size, self.master)

    def executor_logs(self, name: str) -> list[Path]:
        """What the worker's executors write."""
        return sorted((self._folder / name).glob("app-*/*/stderr"))

    def freeze(self, name: str) -> None:
        """Stops a process and all below it where they are."""
        os.killpg(self._processes[name].pid, signal.SIGSTOP)

    def kill(self, name: str) -> None:
        """Ends a process and all below it with SIGKILL, as if its machine were gone."""
        process = self._processes.pop(name)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def stop(self) -> None:
        """Ends all that is left."""
        for name in list(self._processes):
            self.kill(name)

    def warehouse(self, **options: str) -> SparkWarehouse:
        """A warehouse on this cluster that does not give up on a slow machine."""
        patient = {"seconds": 300.0, "wait_seconds": 240.0, "start_seconds": 240.0}
        return SparkWarehouse(self.master, PYTHON, options={**OPTIONS, **options}, **patient)

    def _spawn(self, name: str, *arguments: str) -> None:
        home = next(PYTHON.parent.parent.glob("lib/python*/site-packages/pyspark"))
        environment = {name: os.environ[name] for name in ("PATH", "JAVA_HOME") if name in os.environ}
        environment |= {
            "SPARK_HOME": str(home),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_DAEMON_MEMORY": "256m",
            "SPARK_DAEMON_JAVA_OPTS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
            "SPARK_LOCAL_DIRS": str(self._folder / f"{name}-scratch"),
        }
        with self._log(name).open("wb") as log:
            self._processes[name] = subprocess.Popen(
                [str(home / "bin" / "spark-class"), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=environment,
                start_new_session=True,
            )

    def _log(self, name: str) -> Path:
        return self._folder / f"{name}.log"

    def _await(self, name: str, pattern: str) -> str:
        """The first group of `pattern` once the process has said it."""
        end = time.monotonic() + STARTED
        while time.monotonic() < end and self._processes[name].poll() is None:
            found = re.search(pattern, self._log(name).read_text(errors="replace"))
            if found:
                return found.group(1)
            time.sleep(0.1)
        raise RuntimeError(f"{name} did not start:\n{self._log(name).read_text(errors='replace')[-2000:]}")

    def __enter__(self) -> Cluster:
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()
