"""The real process, ended at the worst moments: every question is answered, exactly once."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import subprocess
import sys
import time
import urllib.error
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
import websockets
from websockets.exceptions import ConnectionClosed

from tests.cast import PASSWORD
from tests.live import ROOT, Product
from tests.prepared import migrated_folder

SETTINGS = "tests.services.runs.settings"
ENDED = ("completed", "failed", "cancelled")


@pytest.fixture(scope="module")
def seeded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a member in it, to copy."""
    folder = migrated_folder(tmp_path_factory, tmp_path_factory.mktemp("seed") / "data")
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": SETTINGS, "DATA_DIR": str(folder)}
    subprocess.run([sys.executable, "-m", "tests.services.runs.seed"], cwd=ROOT, env=environment, check=True)
    return folder


@pytest.fixture
def product(seeded: Path, tmp_path: Path) -> Iterator[Product]:
    folder = tmp_path / "data"
    subprocess.run(["cp", "-r", str(seeded), str(folder)], check=True)
    product = Product(folder, settings=SETTINGS)
    product.start()
    yield product
    product.kill()


def send(product: Product, token: str, prompt: str) -> dict[str, Any]:
    body = {"prompt": prompt, "thread_id": None, "models": None, "temperature": 1, "parent_message_id": None}
    return dict(product.call("POST", "/api/v3/ask", body, token=token))


def poll(product: Product, token: str, sent: dict[str, Any]) -> dict[str, Any]:
    body = {"thread_id": sent["thread_id"], "run_id": sent["run_id"]}
    return dict(product.call("POST", "/api/v3/ask", body, token=token))


def wait(product: Product, token: str, sent: dict[str, Any], *, steps: int | None = None) -> dict[str, Any]:
    """Polls until the run has ended, or until it has come to its step of that number."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        snapshot = poll(product, token, sent)
        if snapshot["status"] in ENDED or (steps is not None and len(snapshot["steps"]) >= steps):
            return snapshot
        time.sleep(0.02)
    raise TimeoutError(product.log())


def rows(product: Product, sql: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(product.data_dir / "product.sqlite3")) as database:
        return database.execute(sql).fetchall()


def test_a_run_killed_in_the_middle_is_finished_by_the_next_start_exactly_once(product: Product) -> None:
    token = product.sign_in("ana", PASSWORD)
    sent = send(product, token, "12 steps")
    wait(product, token, sent, steps=4)
    product.kill()
    product.start()
    done = wait(product, token, sent)
    assert (done["status"], [step["label"] for step in done["steps"]]) == (
        "completed",
        [f"Step {n}" for n in range(12)],
    )
    assert [child["content"] for child in done["messages"][0]["children"]] == ["Done: 12 steps"]
    assert rows(product, "SELECT state, attempt FROM threads_run") == [("completed", 2)]
    assert rows(product, "SELECT count(*) FROM threads_message WHERE role = 'assistant'") == [(1,)]
    product.kill()
    product.start()
    time.sleep(1)
    begun = (product.data_dir / "begun.txt").read_text().splitlines()
    assert len(begun) == 2, "a finished run never runs again"


def test_two_kills_over_many_runs_lose_nothing_and_double_nothing(product: Product) -> None:
    token = product.sign_in("ana", PASSWORD)
    asked = [send(product, token, f"{2 + n % 5} steps, number {n}") for n in range(16)]
    for _ in range(2):
        time.sleep(0.5)
        product.kill()
        product.start()
    for sent in asked:
        assert wait(product, token, sent)["status"] == "completed"
    assert rows(product, "SELECT count(*), count(DISTINCT run_id) FROM threads_message WHERE role = 'assistant'") == [
        (16, 16)
    ]


def test_a_stop_gives_the_run_back_and_the_attempt_does_not_count(product: Product) -> None:
    token = product.sign_in("ana", PASSWORD)
    sent = send(product, token, "60 steps")
    wait(product, token, sent, steps=2)
    begun = time.monotonic()
    product.stop()
    assert time.monotonic() - begun < 10
    assert product.process is not None
    assert product.process.returncode == 0
    assert rows(product, "SELECT state, attempt, owner FROM threads_run") == [("queued", 0, "")]
    product.start()
    wait(product, token, sent, steps=2)
    product.call("POST", f"/api/v3/runs/{sent['run_id']}/cancel", {}, token=token)
    assert wait(product, token, sent)["status"] == "cancelled"


def test_a_second_server_on_the_same_data_or_port_is_refused_in_words(product: Product, tmp_path: Path) -> None:
    def start(port: int, folder: Path) -> subprocess.CompletedProcess[str]:
        folder.mkdir(exist_ok=True)
        environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": SETTINGS,
            "DATA_DIR": str(folder),
            "PORT": str(port),
        }
        return subprocess.run(
            [sys.executable, "manage.py", "serve"],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
        )

    taken = start(product.port, tmp_path / "other")
    assert taken.returncode == 1
    assert f"Port {product.port} cannot be used" in taken.stderr
    assert "Traceback" not in taken.stderr
    same = start(product.port + 1, product.data_dir)
    assert same.returncode == 1
    assert "Another server already uses the data" in same.stderr
    assert product.call("GET", "/healthz") == {"status": "ok", "database": "ok", "worker": "ok", "storage": "ok"}


def test_the_socket_brings_every_step_and_closes_soon_after_the_sign_out(product: Product) -> None:
    token = product.sign_in("ana", PASSWORD)
    ticket = product.call("POST", "/api/v3/socket-ticket", {}, token=token)["ticket"]

    async def story() -> tuple[list[str], int | None, float]:
        address = f"ws://127.0.0.1:{product.port}/ws/live?ticket={ticket}"
        async with websockets.connect(address, origin=product.url) as socket:  # type: ignore[arg-type]
            await asyncio.sleep(0.2)
            await asyncio.to_thread(send, product, token, "6 steps")
            told: list[str] = []
            while not told or told[-1] != "completed":
                run = json.loads(await asyncio.wait_for(socket.recv(), 20))["run"]
                told.append(run["status"] if run["messages"] else run["step_description"])
            await asyncio.to_thread(_sign_out, product, token)
            begun = time.monotonic()
            try:
                await asyncio.wait_for(socket.recv(), 10)
            except ConnectionClosed as closed:
                return told, closed.rcvd.code if closed.rcvd else None, time.monotonic() - begun
            raise AssertionError("something came after the sign-out")

    told, code, seconds = asyncio.run(story())
    # Those of the first quarter of a second come together.
    assert told == [*(f"Step {n}" for n in range(7 - len(told), 6)), "completed"]
    assert len(told) >= 4
    assert (code, seconds < 5) == (4401, True)


def _sign_out(product: Product, token: str) -> None:
    with suppress(urllib.error.HTTPError):  # allauth answers 401 to a sign-out
        product.call("DELETE", "/_allauth/app/v1/auth/session", token=token)
