"""`make audit` asks about everything that is locked, and says where it could ask nothing."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.live import ROOT

LOCKED = {str(path.relative_to(ROOT)) for path in (ROOT / "requirements").glob("*.txt")}


@dataclass
class Outside:
    """The services of advisories, as stand-ins for the programs that ask them."""

    folder: Path

    def stands_in(self, program: str, does: str) -> None:
        path = self.folder / program
        path.write_text(f"#!/bin/bash\n{does}\n")
        path.chmod(0o755)

    def audit(self) -> subprocess.CompletedProcess[str]:
        path = f"{self.folder}:{os.environ['PATH']}"
        command = [ROOT / "scripts/audit", self.folder / "uv"]
        return subprocess.run(command, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False)


@pytest.fixture
def outside(tmp_path: Path) -> Outside:
    """Where everything is reached, and nothing is known."""
    outside = Outside(tmp_path)
    outside.stands_in("curl", "exit 0")
    outside.stands_in("uv", f'echo "${{@: -1}}" >> {tmp_path}/asked')
    outside.stands_in("npm", "echo found 0 vulnerabilities")
    return outside


def test_it_asks_about_every_list_of_locked_versions(outside: Outside) -> None:
    assert outside.audit().returncode == 0
    assert "requirements/dev.txt" in LOCKED
    assert set((outside.folder / "asked").read_text().split()) == LOCKED


@pytest.mark.parametrize("program", ["uv", "npm"])
def test_what_is_known_is_a_code_of_its_own(outside: Outside, program: str) -> None:
    outside.stands_in(program, "echo CVE-2026-1 >&2; exit 1")
    assert outside.audit().returncode == 1


def test_where_nothing_could_be_asked_it_says_so_and_does_not_pass(outside: Outside) -> None:
    outside.stands_in("curl", "exit 6")
    outside.stands_in("npm", "echo npm error code ENOTFOUND >&2; exit 1")
    told = outside.audit()
    assert told.returncode == 3
    assert "Nothing could be asked" in told.stderr
    assert not (outside.folder / "asked").exists()


@pytest.mark.parametrize(
    ("program", "does", "name"),
    [("curl", "exit 6", "PyPI"), ("npm", "echo npm error code EAI_AGAIN >&2; exit 1", "npm")],
)
def test_a_part_that_could_not_be_asked_is_named_and_does_not_pass(
    outside: Outside, program: str, does: str, name: str
) -> None:
    outside.stands_in(program, does)
    told = outside.audit()
    assert told.returncode == 4
    assert f"the advisories of {name}" in told.stderr


def test_what_is_known_of_one_part_counts_though_the_other_is_silent(outside: Outside) -> None:
    outside.stands_in("curl", "exit 6")
    outside.stands_in("npm", "echo 1 high severity vulnerability; exit 1")
    assert outside.audit().returncode == 1
