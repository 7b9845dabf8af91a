"""The list of what the product is made of is that of the locked versions."""

from __future__ import annotations

import json
import subprocess
import sys

from tests.live import ROOT


def test_the_list_of_parts_is_current() -> None:
    checked = subprocess.run([sys.executable, "scripts/sbom", "--check"], cwd=ROOT, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr


def test_it_names_every_locked_package_once_with_its_address() -> None:
    parts = json.loads((ROOT / "sbom.cdx.json").read_text())["components"]
    addresses = [part["purl"] for part in parts]
    assert len(addresses) == len(set(addresses))
    assert {"pkg:pypi/django", "pkg:pypi/duckdb", "pkg:npm/react"} <= {one.rpartition("@")[0] for one in addresses}
    locked = (ROOT / "requirements/production.txt").read_text()
    assert sum(line[:1].isalnum() and "==" in line for line in locked.splitlines()) <= len(addresses)
