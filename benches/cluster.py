"""A deployment of several web and worker processes on private servers, each of which can be ended and come back."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.live import ROOT, free_port
from tests.services.deployment import Deployment
from tests.services.servers import postgres_server, rabbitmq_server, redis_server


class Server:
    """A private server on a port of its own that may be stopped, come back with its data, or come back without."""

    def __init__(self, make: Callable[[Path, int], Any], folder: Path) -> None:
        self._make, self._folder, self._port = make, folder, free_port()
        self._stack = ExitStack()
        self.address = ""

    def start(self) -> None:
        self.address = self._stack.enter_context(self._make(self._folder, self._port))

    def stop(self) -> None:
        self._stack.close()

    def restart(self) -> None:
        """With all it was told to keep."""
        self.stop()
        self.start()

    def lose(self) -> None:
        """A new one in its place: everything it held is gone."""
        self.stop()
        shutil.rmtree(self._folder)
        self.start()


@dataclass
class Cluster:
    """PostgreSQL, Redis, perhaps RabbitMQ, and the product's processes on them."""

    folder: Path
    rabbitmq: bool = False
    webs: int = 2
    workers: int = 2
    settings: str = "config.settings.production"
    environment: dict[str, str] = field(default_factory=dict)
    web: list[Deployment] = field(default_factory=list)
    worker: list[subprocess.Popen[bytes]] = field(default_factory=list)
    workers_started: int = 0

    def __post_init__(self) -> None:
        self.postgres = Server(postgres_server, self.folder / "postgres")
        self.redis = Server(redis_server, self.folder / "redis")
        self.broker = Server(rabbitmq_server, self.folder / "rabbitmq") if self.rabbitmq else self.redis

    @property
    def urls(self) -> list[str]:
        return [web.url for web in self.web]

    def start(self) -> None:
        for server in {self.postgres, self.redis, self.broker}:
            server.start()
        served = {
            "DATABASE_URL": self.postgres.address,
            "REDIS_URL": self.redis.address,
            "BROKER_URL": self.broker.address,
            "LOG_LEVEL": "WARNING",
            **self.environment,
        }
        self.web = [Deployment(self.folder / "data", self.settings, served) for _ in range(self.webs)]
        self.web[0].prepare()
        for web in self.web:
            web.start_web()
        self.worker = [self.new_worker() for _ in range(self.workers)]
        for web in self.web:
            web.wait_healthy()

    def new_worker(self) -> subprocess.Popen[bytes]:
        """One more worker process."""
        self.web[0].start_worker()
        self.workers_started += 1
        assert self.web[0].worker is not None
        return self.web[0].worker

    def kill_worker(self, number: int) -> None:
        """-9, and a new one in its place, as a supervisor does."""
        killed = self.worker[number]
        killed.kill()
        killed.wait()
        self.worker[number] = self.new_worker()

    def stop(self) -> None:
        for process in [*self.worker, *(web.process for web in self.web)]:
            if process is not None and process.poll() is None:
                process.send_signal(signal.SIGTERM)
        for process in [*self.worker, *(web.process for web in self.web)]:
            if process is not None:
                try:
                    process.wait(20)
                except subprocess.TimeoutExpired:
                    process.kill()
        for server in {self.broker, self.redis, self.postgres}:
            server.stop()

    def told(self, script: str, **words: object) -> Any:
        """What `benches.<script>` prints as JSON, run beside the product."""
        return told(self.web[0], script, **words)

    def log(self) -> list[str]:
        """The lines that all processes wrote."""
        path = self.folder / "data.log"
        return path.read_text(errors="replace").splitlines()

    def until_staffed(self, seconds: float = 120.0) -> None:
        """Waits until every worker that was started said that it works, as an operator does who restarts them."""
        until = time.monotonic() + seconds
        while self.log().count("Working.") < self.workers_started:
            if time.monotonic() > until:
                raise TimeoutError("the workers did not come back")
            time.sleep(0.1)

    def until_ready(self, seconds: float = 60.0) -> float:
        """Seconds until every web answers 200 on /healthz."""
        begun = time.monotonic()
        for url in self.urls:
            while True:
                try:
                    with urllib.request.urlopen(f"{url}/healthz", timeout=5) as answer:
                        if answer.status == 200:
                            break
                except (urllib.error.URLError, ConnectionError, TimeoutError):
                    if time.monotonic() - begun > seconds:
                        raise
                time.sleep(0.05)
        return time.monotonic() - begun


def told(product: Deployment, script: str, **words: object) -> Any:
    """What `benches.<script>` prints as JSON, run with the product's settings."""
    done = subprocess.run(
        [sys.executable, "-m", f"benches.{script}", json.dumps(words)],
        cwd=ROOT, env=product._environment(), check=True, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    return json.loads(done.stdout)


@contextmanager
def cluster(folder: Path, **options: Any) -> Iterator[Cluster]:
    """A running cluster, ended and gone afterwards."""
    made = Cluster(folder, **options)
    try:
        made.start()
        yield made
    finally:
        made.stop()


def number(name: str, default: float) -> float:
    """A size of a bench, from the environment."""
    return float(os.environ.get(name, default))


def percentile(values: list[float], share: float) -> float:
    """The value below which that share lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else float("nan")
