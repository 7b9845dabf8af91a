"""Fifty workers, one ended token, one renewal: on real connections to a database on disk."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from tests.live import ROOT
from tests.prepared import migrated_folder


def test_fifty_workers_with_an_ended_token_make_one_renewal(tmp_path_factory, tmp_path):
    migrated_folder(tmp_path_factory, tmp_path)
    environment = {**os.environ, "DATA_DIR": str(tmp_path), "LOG_LEVEL": "ERROR", "PYTHONPATH": str(ROOT)}
    environment.pop("DATABASE_URL", None)
    done = subprocess.run(
        [sys.executable, "-m", "tests.apps.integrations.hubspot.renewing", "50"],
        cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    assert json.loads(done.stdout) == {"renewals": 1, "tokens": 1, "workers": 50}
