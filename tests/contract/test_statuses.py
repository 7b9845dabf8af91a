"""The statuses that the schema promises are those that are answered."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
import yaml

from tests.cast import client_of
from tests.contract.world import plant


@pytest.fixture(scope="module")
def promised(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """Each address with its methods, as the schema has them."""
    path = tmp_path_factory.mktemp("schema") / "openapi.yaml"
    words = ["spectacular", "--file", str(path), "--settings", "config.settings.schema"]
    done = subprocess.run([sys.executable, "manage.py", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, dict[str, Any]] = yaml.safe_load(path.read_text())["paths"]
    return found


def test_what_removes_something_is_promised_to_answer_with_what_is_left(promised):
    removals = {path: set(kinds["delete"]["responses"]) for path, kinds in promised.items() if "delete" in kinds}
    assert len(removals) > 4
    assert {path: statuses for path, statuses in removals.items() if statuses != {"200"}} == {}


def test_deleting_a_file_answers_as_promised(promised, cast):
    ids = plant(cast.acme, cast.ana, "Plan")
    answer = client_of(cast.ana).delete(f"/api/v3/files?filename={ids.file_name}")
    assert {str(answer.status_code)} == set(promised["/api/v3/files"]["delete"]["responses"])
    assert "successfully deleted" in answer.json()["message"]
