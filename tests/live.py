"""The real product as a process of its own: `manage.py serve` on a free port with a data folder of its own."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
DEMO_PASSWORD = "Demo-Password-1"
NO_RATES = {"QUESTIONS_PER_MINUTE": "0", "UPLOADS_PER_HOUR": "0"}
"""Tests and benches ask faster than people."""


def free_port() -> int:
    """A port nobody listens on at this moment.

    It lies below those that Linux gives to outgoing connections: a server that takes seconds to listen would now and
    then find its port taken by one of them.
    """
    while True:
        port = random.randrange(10_240, 32_000)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def _proportional_mib(pid: int) -> float:
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    return sum(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:")) / 1024


@dataclass
class Product:
    """A running product. `start` again after `kill` serves the same data on the same port."""

    data_dir: Path
    settings: str = "config.settings.local"
    environment: dict[str, str] = field(default_factory=dict)
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self, *, timeout: float = 240.0) -> float:
        """Starts it and waits until it can serve; returns the seconds that took."""
        begun = time.perf_counter()
        environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": self.settings,
            "DATA_DIR": str(self.data_dir),
            "PORT": str(self.port),
            "DEMO_PASSWORD": DEMO_PASSWORD,
            **NO_RATES,
            **self.environment,
        }
        environment.pop("DATABASE_URL", None) if "DATABASE_URL" not in self.environment else None
        log = (self.data_dir.parent / f"{self.data_dir.name}.log").open("ab")
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "serve"], cwd=ROOT, env=environment, stdout=log, stderr=log
        )
        while time.perf_counter() - begun < timeout:
            if self.process.poll() is not None:
                raise RuntimeError(f"The server ended with {self.process.returncode}:\n{self.log()}")
            try:
                with urllib.request.urlopen(f"{self.url}/healthz", timeout=2) as answer:
                    if answer.status == 200:
                        return time.perf_counter() - begun
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                time.sleep(0.02)
        self.kill()
        raise RuntimeError(f"The server was not healthy within {timeout:.0f} s:\n{self.log()}")

    def log(self) -> str:
        return (self.data_dir.parent / f"{self.data_dir.name}.log").read_text(errors="replace")[-4000:]

    def stop(self, *, timeout: float = 15.0) -> None:
        """Asks it to end, as an operator does."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(timeout)
            except subprocess.TimeoutExpired:
                self.kill()

    def kill(self) -> None:
        """Ends it without a chance to tidy up."""
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait(10)

    def memory_mib(self) -> tuple[float, float]:
        """Memory of the serving process alone and with its children, in MiB; shared pages count by share (PSS)."""
        assert self.process is not None
        pids = [self.process.pid]
        for pid in pids:
            for task in Path(f"/proc/{pid}/task").iterdir():
                pids.extend(int(child) for child in (task / "children").read_text().split())
        shares = [_proportional_mib(pid) for pid in pids]
        return shares[0], sum(shares)

    # ------------------------------------------------------------ as a client
    def call(self, method: str, path: str, body: Any = None, *, token: str | None = None) -> Any:
        """A JSON call; raises urllib's HTTPError on a refusal."""
        request = urllib.request.Request(f"{self.url}{path}", method=method)
        if token:
            request.add_header("Authorization", f"Bearer {token}")
        data = None
        if body is not None:
            request.add_header("Content-Type", "application/json")
            data = json.dumps(body).encode()
        with urllib.request.urlopen(request, data, timeout=120) as answer:
            return json.loads(answer.read() or b"null")

    def sign_in(self, username: str = "demo", password: str = DEMO_PASSWORD) -> str:
        answer = self.call("POST", "/_allauth/app/v1/auth/login", {"username": username, "password": password})
        return str(answer["meta"]["session_token"])

    def upload(self, token: str, *paths: Path) -> Any:
        """Uploads files as the browser does and answers what the API said."""
        boundary = "----a-boundary-of-our-own"
        parts = b""
        for index, path in enumerate(paths):
            head = (
                f'--{boundary}\r\nContent-Disposition: form-data; name="file-{index}"; filename="{path.name}"\r\n\r\n'
            )
            parts += head.encode() + path.read_bytes() + b"\r\n"
        parts += f"--{boundary}--\r\n".encode()
        request = urllib.request.Request(f"{self.url}/api/v3/files", data=parts, method="POST")
        request.add_header("Content-Type", f"multipart/form-data; boundary={boundary}")
        request.add_header("Authorization", f"Bearer {token}")
        with urllib.request.urlopen(request, timeout=300) as answer:
            return json.loads(answer.read())

    def wait_ready(self, token: str, name: str, *, timeout: float = 300.0) -> dict[str, Any]:
        """Waits until the source of that file name is ready or failed."""
        until = time.monotonic() + timeout
        while time.monotonic() < until:
            for source in self.call("GET", "/api/v3/files", token=token)["sources"]:
                if source["file_name"] == name and source["state"] in ("ready", "failed"):
                    return dict(source)
            time.sleep(0.1)
        raise TimeoutError(f"{name} was not ready within {timeout:.0f} s")

    def ask(self, token: str, prompt: str, *, thread_id: str | None = None, timeout: float = 120.0) -> dict[str, Any]:
        """Asks and polls until the run has ended; answers the last snapshot."""
        body = {"prompt": prompt, "thread_id": thread_id, "models": None, "temperature": 1, "parent_message_id": None}
        sent = self.call("POST", "/api/v3/ask", body, token=token)
        until = time.monotonic() + timeout
        while time.monotonic() < until:
            snapshot = self.call(
                "POST",
                "/api/v3/ask",
                {
                    "thread_id": sent["thread_id"],
                    "run_id": sent["run_id"],
                    "models": None,
                    "parent_message_id": sent["user_message_id"],
                },
                token=token,
            )
            if snapshot["status"] in ("completed", "failed", "cancelled"):
                return dict(snapshot)
            time.sleep(0.05)
        raise TimeoutError(f"no answer to {prompt!r} within {timeout:.0f} s")
