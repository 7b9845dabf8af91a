"""The files people deploy with, read for the tests: what they run, and with which words."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import yaml

from tests.live import ROOT

DEPLOY = ROOT / "deploy"
PORT = "8000"


def compose() -> dict[str, Any]:
    return dict(yaml.safe_load((DEPLOY / "compose.yaml").read_text()))


def steps() -> list[tuple[str, str]]:
    """The Dockerfile's instructions in their order, each with what it says; continued lines are joined."""
    text = (DEPLOY / "Dockerfile").read_text().replace("\\\n", " ")
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [(word, rest.strip()) for word, _, rest in (line.partition(" ") for line in lines)]


def instructions(word: str) -> list[str]:
    """What the Dockerfile's instructions of one kind say."""
    return [rest for found, rest in steps() if found == word]


def units() -> list[Path]:
    return sorted((DEPLOY / "systemd").iterdir())


def processes() -> dict[str, list[str]]:
    """The lines of the Procfile."""
    lines = (DEPLOY / "Procfile").read_text().splitlines()
    return {name: shlex.split(command) for name, _, command in (line.partition(":") for line in lines)}


def commands() -> list[list[str]]:
    """Every command of the product that the deployment files run, each once."""
    services = compose()["services"].values()
    found = [service["command"] for service in services if "manage.py" in service.get("command", [])]
    for unit in units():
        for line in unit.read_text().replace("%i", PORT).splitlines():
            if line.startswith("ExecStart"):
                found.append(shlex.split(line.split("=", 1)[1].replace("/srv/plumbline/.venv/bin/", "")))
    found += [*processes().values(), *(json.loads(line) for line in instructions("CMD"))]
    return [list(command) for command in dict.fromkeys(map(tuple, found))]


def example() -> dict[str, str]:
    """The example of a deployment's environment."""
    lines = (DEPLOY / "example.env").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def settings_read() -> set[str]:
    """The variables that the settings of a deployment read."""
    found: set[str] = set()
    for name in ("base", "local", "production"):
        text = (ROOT / "config" / "settings" / f"{name}.py").read_text()
        found.update(re.findall(r'\b(?:env\.\w+|positive)\(\s*"([A-Z][A-Z0-9_]+)"', text))
        found.update(
            f"{provider}_{part}"
            for part in re.findall(r'f"\{name\.upper\(\)\}_([A-Z_]+)"', text)
            for provider in ("OPENAI", "ANTHROPIC", "GOOGLE")
        )
    return found
