"""Migrations back to each app's first and forward again over MIGRATING_MESSAGES (100,000), while others work."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import psycopg

from benches.cluster import Server, number, told
from tests.live import ROOT
from tests.services.deployment import Deployment
from tests.services.servers import postgres_server, redis_server

MESSAGES = int(number("MIGRATING_MESSAGES", 100_000))
PACE = 0.02
READS = "SELECT content FROM threads_message LIMIT 1"
WRITES = "UPDATE threads_thread SET archived = archived WHERE id = (SELECT id FROM threads_thread LIMIT 1)"


def run(folder: Path) -> None:
    server, redis = Server(postgres_server, folder / "postgres"), Server(redis_server, folder / "redis")
    try:
        server.start()
        redis.start()
        environment = {"DATABASE_URL": server.address, "REDIS_URL": redis.address}
        product = Deployment(folder / "data", environment=environment)
        product.prepare()
        told(product, "crowd", messages=MESSAGES)
        for app in sorted(path.name for path in (ROOT / "apps").iterdir() if (path / "migrations").is_dir()):
            _back_and_forth(product, server.address, app)
    finally:
        redis.stop()
        server.stop()


def _back_and_forth(product: Deployment, address: str, app: str) -> None:
    names = sorted(name for name in os.listdir(ROOT / "apps" / app / "migrations") if name[0].isdigit())
    if len(names) < 2:
        return
    for way, target in (("back", [app, names[0].removesuffix(".py")]), ("forward", [])):
        with _Others(address) as others:
            begun = time.monotonic()
            product.manage("migrate", "--verbosity", "0", *target)
            taken = time.monotonic() - begun
        print(
            f"   {app:12} {way:7} {len(names) - 1} migrations over {MESSAGES:,} messages: {taken:5.1f} s (aim: 60 s);"
            f" others waited at most {others.longest:.2f} s in {others.calls:,} calls (aim: 2 s)"
        )


class _Others:
    """People who read and write all the while; `longest` is what one of them had to wait. What fails them is raised."""

    def __init__(self, address: str) -> None:
        self.longest = 0.0
        self.calls = 0
        self._failures: list[psycopg.Error] = []
        self._over = threading.Event()
        self._threads = [threading.Thread(target=self._go, args=(address, sql)) for sql in (READS, WRITES)]

    def __enter__(self) -> _Others:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()
        if self._failures:
            raise self._failures[0]

    def _go(self, address: str, sql: str) -> None:
        with psycopg.connect(address, autocommit=True) as connection:
            while not self._over.wait(PACE):
                begun = time.monotonic()
                try:
                    connection.execute(sql)
                except psycopg.Error as error:
                    self._failures.append(error)
                    return
                self.calls += 1
                self.longest = max(self.longest, time.monotonic() - begun)
