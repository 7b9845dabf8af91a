"""Every command in the deployment files does its work on this machine, and whoever looks after it sees that it does."""

from __future__ import annotations

import http.client
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.live import ROOT, free_port
from tests.services.deploy_files import commands, compose
from tests.services.deployment import Deployment
from tests.services.servers import new_database, postgres_program

pytestmark = pytest.mark.services
METRICS_TOKEN = "a-token-of-the-tests"


@contextmanager
def kept_running(
    command: list[str], environment: dict[str, str], log: Path, *, folder: Path = ROOT
) -> Iterator[subprocess.Popen[bytes]]:
    """A command that goes on until it is told to end, which it does well."""
    with log.open("wb") as out:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=out, stderr=out)
        try:
            yield process
            assert process.poll() is None, log.read_text()
            process.terminate()
            assert process.wait(60) == 0, log.read_text()
        finally:
            process.kill()
            process.wait()


def answered(port: int, path: str) -> int:
    """The status of a plain call, as a proxy, a supervisor or Prometheus in the same network makes it."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    line.request("GET", path, headers={"Host": "sales.example.com", "Authorization": f"Bearer {METRICS_TOKEN}"})
    return line.getresponse().status


def test_every_command_of_the_deployment_files_does_its_work(postgres_url: str, redis_url: str, tmp_path: Path) -> None:
    """On servers as the compose file has them; addresses are the loopback's, and the web is looked after as it says."""
    port = free_port()
    environment = Deployment(tmp_path / "data", port=port, environment={
        "DATABASE_URL": new_database(postgres_url, "deployed"),
        "REDIS_URL": f"{redis_url.rsplit('/', 1)[0]}/5",
        "ALLOWED_HOSTS": ".example.com",
        "SECURE_SSL_REDIRECT": "true",
        "METRICS_TOKEN": METRICS_TOKEN,
    })._environment()  # fmt: skip
    (tmp_path / "data").mkdir()
    once = [command for command in commands() if "migrate" in command]
    lasting = [command for command in commands() if "migrate" not in command]
    for words in sorted(once, key=len):  # migrating comes before looking whether everything is
        subprocess.run(here(words, port), cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)
    webs = [here(words, port) for words in lasting if "web" in words]
    assert len(webs) == 3
    works = [here(words, port) for words in lasting if "work" in words]
    with ExitStack() as stack:
        for place, work in enumerate(works):
            stack.enter_context(kept_running(work, environment, tmp_path / f"work{place}.log"))
        for web in webs:
            with kept_running(web, environment, tmp_path / "web.log"):
                looked_after(port, environment)
                told = [answered(port, path) for path in ("/healthz", "/readyz", "/metrics", "/login")]
                assert told == [200, 200, 200, 301]


def here(words: list[str], port: int) -> list[str]:
    """The command on this machine, where it listens on the loopback alone."""
    moved = {"--host": "127.0.0.1", "--port": str(port)}
    return [sys.executable, *(moved.get(before, word) for before, word in pairwise(words))]


def looked_after(port: int, environment: dict[str, str]) -> None:
    """Waits until the compose file's own look at each web finds it well."""
    for program, *rest in map(look_of, ("web-a", "web-b")):
        assert program == "python"
        look = [sys.executable, *(word.replace(":8000/", f":{port}/") for word in rest)]
        until = time.monotonic() + 90
        while subprocess.run(look, env=environment, capture_output=True).returncode:
            assert time.monotonic() < until, "the web is never well"
            time.sleep(0.2)


def look_of(service: str) -> list[str]:
    words = compose()["services"][service]["healthcheck"]["test"]
    assert words[0] == "CMD"
    return list(words[1:])


def test_the_look_at_the_database_tells_one_that_answers_from_one_that_does_not(postgres_url: str) -> None:
    program, *rest = look_of("database")
    for port, code in ((urlsplit(postgres_url).port, 0), (free_port(), 2)):
        where = {**os.environ, "PGHOST": "127.0.0.1", "PGPORT": str(port)}
        assert subprocess.run([postgres_program(program), *rest], env=where, capture_output=True).returncode == code


def test_the_compose_files_redis_starts_keeps_what_it_is_given_and_is_looked_at(tmp_path: Path) -> None:
    port = str(free_port())
    server = [*compose()["services"]["redis"]["command"], "--port", port, "--bind", "127.0.0.1", "--dir", str(tmp_path)]
    program, *rest = look_of("redis")
    look = [program, "-p", port, *rest]
    assert subprocess.run(look, capture_output=True).returncode != 0
    with kept_running(server, dict(os.environ), tmp_path / "redis.log"):
        until = time.monotonic() + 30
        while subprocess.run(look, capture_output=True).returncode:
            assert time.monotonic() < until, (tmp_path / "redis.log").read_text()
            time.sleep(0.05)
        assert list(tmp_path.glob("appendonlydir")), "what is acknowledged is on the disk"
