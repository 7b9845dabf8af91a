"""The files people deploy with name only what is there, and the steps in them can be taken."""

from __future__ import annotations

import http.client
import json
import os
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import get_commands, load_command_class

from tests.live import ROOT, free_port
from tests.services.deployment import Deployment
from tests.services.servers import new_database

DEPLOY = ROOT / "deploy"
PLACEHOLDERS = {"HOME", "PATH"}


def compose() -> dict[str, Any]:
    return dict(yaml.safe_load((DEPLOY / "compose.yaml").read_text()))


def instructions(word: str) -> list[str]:
    """The Dockerfile's instructions of one kind, continued lines joined."""
    text = (DEPLOY / "Dockerfile").read_text().replace("\\\n", " ")
    return [line.removeprefix(f"{word} ").strip() for line in text.splitlines() if line.startswith(f"{word} ")]


def commands() -> list[list[str]]:
    """Every command that the deployment files run in the product's folder."""
    services = compose()["services"].values()
    found = [service["command"] for service in services if "manage.py" in service.get("command", [])]
    for unit in (DEPLOY / "systemd").iterdir():
        for line in unit.read_text().splitlines():
            if line.startswith("ExecStart"):
                found.append(shlex.split(line.split("=", 1)[1].replace("/srv/plumbline/.venv/bin/", "")))
    return [*found, *(json.loads(line) for line in instructions("CMD"))]


def test_every_command_of_the_deployment_files_is_one_of_the_products() -> None:
    """And takes the options it is given."""
    words = commands()
    assert len(words) >= 5
    for command in words:
        name, *options = command[command.index("manage.py") + 1 :]
        assert name in get_commands(), command
        load_command_class(get_commands()[name], name).create_parser("manage.py", name).parse_args(options)


def test_the_compose_file_names_only_what_it_has() -> None:
    file = compose()
    services = file["services"]
    for name, service in services.items():
        for other, wanted in service.get("depends_on", {}).items():
            assert other in services, name
            if wanted["condition"] == "service_healthy":
                assert "healthcheck" in services[other], f"{name} waits for {other}, which nobody looks at"
            if wanted["condition"] == "service_completed_successfully":
                assert services[other]["restart"] == "no", f"{other} would never be over"
        for volume in service.get("volumes", []):
            assert volume.split(":")[0] in file["volumes"], name
    text = (DEPLOY / "compose.yaml").read_text()
    said = text.partition("\nname:")[0]
    assert [word for word in re.findall(r"\$\{(\w+)\}", text) if word not in said] == []


def test_what_the_image_copies_is_in_the_repository() -> None:
    sources = [source for line in instructions("COPY") if not line.startswith("--from") for source in line.split()[:-1]]
    assert len(sources) > 8
    assert [source for source in sources if not (ROOT / source).exists()] == []


@pytest.mark.services
def test_the_image_collects_its_screens_without_any_service(tmp_path: Path) -> None:
    step = next(line for line in instructions("RUN") if "collectstatic" in line)
    settings = dict(re.findall(r"\b([A-Z_]+)=(\S+)", step)) | {
        "DATA_DIR": str(tmp_path),
        "STATIC_ROOT": str(tmp_path / "static"),
    }
    base = {key: value for key, value in os.environ.items() if key in PLACEHOLDERS}
    done = subprocess.run(
        [sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity", "0"],
        cwd=ROOT, env={**base, **settings, "DJANGO_SETTINGS_MODULE": "config.settings.production"},
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    assert list((tmp_path / "static" / "bundles").glob("*.js.gz")), "bundles are collected compressed"


@contextmanager
def kept_running(command: list[str], environment: dict[str, str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A command that goes on until it is told to end, which it does well."""
    with log.open("wb") as out:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=out, stderr=out)
        try:
            yield process
            assert process.poll() is None, log.read_text()
            process.terminate()
            assert process.wait(60) == 0, log.read_text()
        finally:
            process.kill()
            process.wait()


def answered(port: int, path: str) -> int:
    """The status of a plain call, as a proxy or a supervisor in the same network makes it."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    line.request("GET", path, headers={"Host": "sales.example.com"})
    return line.getresponse().status


@pytest.mark.services
def test_every_command_of_the_deployment_files_does_its_work(postgres_url: str, redis_url: str, tmp_path: Path) -> None:
    """On servers as the compose file has them; addresses are the loopback's, and the web is looked after as it says."""
    port = free_port()
    environment = Deployment(tmp_path / "data", environment={
        "DATABASE_URL": new_database(postgres_url, "deployed"),
        "REDIS_URL": f"{redis_url.rsplit('/', 1)[0]}/5",
        "ALLOWED_HOSTS": ".example.com",
        "SECURE_SSL_REDIRECT": "true",
    })._environment()  # fmt: skip
    (tmp_path / "data").mkdir()
    once = [command for command in commands() if "migrate" in command]
    lasting = [command for command in commands() if "migrate" not in command]
    for words in sorted(once, key=len):  # migrating comes before looking whether everything is
        subprocess.run(here(words, port), cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)
    webs = [here(words, port) for words in lasting if "web" in words]
    assert len(webs) == 2
    works = [here(words, port) for words in lasting if "work" in words]
    with ExitStack() as stack:
        for place, work in enumerate(works):
            stack.enter_context(kept_running(work, environment, tmp_path / f"work{place}.log"))
        for web in webs:
            with kept_running(web, environment, tmp_path / "web.log"):
                looked_after(port, environment)
                assert (answered(port, "/healthz"), answered(port, "/readyz"), answered(port, "/login")) == (
                    200,
                    200,
                    301,
                )


def here(words: list[str], port: int) -> list[str]:
    """The command on this machine, where it listens on the loopback alone."""
    moved = {"--host": "127.0.0.1", "--port": str(port)}
    return [sys.executable, *(moved.get(before, word) for before, word in pairwise(words))]


def looked_after(port: int, environment: dict[str, str]) -> None:
    """Waits until the compose file's own look at the web finds it well."""
    _, program, *rest = compose()["services"]["web"]["healthcheck"]["test"]
    assert program == "python"
    look = [sys.executable, *(word.replace(":8000/", f":{port}/") for word in rest)]
    until = time.monotonic() + 90
    while subprocess.run(look, env=environment, capture_output=True).returncode:
        assert time.monotonic() < until, "the web is never well"
        time.sleep(0.2)
