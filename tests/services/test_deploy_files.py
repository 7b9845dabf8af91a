"""The files people deploy with name only what is there, and the steps in them can be taken."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import get_commands, load_command_class

from tests.live import ROOT

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
    found = [service["command"] for service in compose()["services"].values() if "manage.py" in str(service)]
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
