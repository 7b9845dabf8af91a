"""The product as it is deployed: a web process and a worker process in production settings, on servers of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field

from tests.live import DEMO_PASSWORD, NO_RATES, ROOT, Product


@dataclass
class Deployment(Product):
    """Web and workers apart; everything else as `Product`."""

    settings: str = "config.settings.production"
    worker: subprocess.Popen[bytes] | None = field(default=None)
    proxy_headers: bool = False
    """Whether the web believes a proxy who calls."""

    def _environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": self.settings,
            "SECRET_KEY": "a-deployment-of-the-tests-" + "0123456789" * 5,
            "ALLOWED_HOSTS": "127.0.0.1",
            "SECURE_SSL_REDIRECT": "false",
            "DATA_DIR": str(self.data_dir),
            "DEMO_PASSWORD": DEMO_PASSWORD,
            "PORT": str(self.port),
            "LEAVE_SECONDS": "0",
            "FINISH_SECONDS": "600",
            **NO_RATES,
            **self.environment,
        }

    def manage(self, *words: str) -> str:
        """One of the product's commands, as an operator types it; answers what it printed."""
        return subprocess.run(
            [sys.executable, "manage.py", *words],
            cwd=ROOT, env=self._environment(), check=True, stdout=subprocess.PIPE, text=True,
        ).stdout  # fmt: skip

    def examined(self, **environment: str) -> tuple[int, dict[str, bool]]:
        """What `manage.py doctor` says, its exit code and whether each part is well; `environment` is put over ours."""
        done = subprocess.run(
            [sys.executable, "manage.py", "doctor", "--json"],
            cwd=ROOT, env={**self._environment(), **environment}, capture_output=True, text=True,
        )  # fmt: skip
        return done.returncode, {one["name"]: one["ok"] for one in json.loads(done.stdout)["findings"]}

    def start(self, *, timeout: float = 90.0) -> float:
        begun = time.perf_counter()
        self.prepare()
        self.start_web()
        self.start_worker()
        self.wait_healthy(timeout=timeout)
        return time.perf_counter() - begun

    def prepare(self) -> None:
        """The database with the demo organization."""
        self.data_dir.mkdir(parents=True, exist_ok=True)
        self.manage("migrate", "--verbosity", "0")
        self.manage("load_demo", "--verbosity", "0")

    def start_web(self) -> None:
        """Starts the web process (again)."""
        log = (self.data_dir.parent / f"{self.data_dir.name}.log").open("ab")
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "web", *(["--proxy-headers"] if self.proxy_headers else [])],
            cwd=ROOT, env=self._environment(), stdout=log, stderr=log,
        )  # fmt: skip

    def wait_healthy(self, *, timeout: float = 90.0) -> None:
        """Waits until web and worker are alive."""
        begun = time.perf_counter()
        while time.perf_counter() - begun < timeout:
            try:
                with urllib.request.urlopen(f"{self.url}/healthz", timeout=5) as answer:
                    if answer.status == 200:
                        return
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                time.sleep(0.1)
        self.stop()
        raise RuntimeError(f"The deployment was not healthy within {timeout:.0f} s:\n{self.log()}")

    def start_worker(self) -> None:
        """Starts the worker process (again)."""
        log = (self.data_dir.parent / f"{self.data_dir.name}.log").open("ab")
        self.worker = subprocess.Popen(
            [sys.executable, "manage.py", "work"], cwd=ROOT, env=self._environment(), stdout=log, stderr=log
        )

    def stop(self, *, timeout: float = 15.0) -> None:
        if self.worker and self.worker.poll() is None:
            self.worker.terminate()
            try:
                self.worker.wait(timeout)
            except subprocess.TimeoutExpired:
                self.worker.kill()
        super().stop(timeout=timeout)
