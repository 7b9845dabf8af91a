"""What a start in production refuses, and that Django's own check of a deployment has nothing to say."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
KEY = "q8Zf3-mB7yTn1LxW5cRk9uVe2sHd6pJa4gQo0iXz8Yb3Nt7Mw5"


def check(tmp_path: Path, **changes: str | None) -> subprocess.CompletedProcess[str]:
    """`check --deploy` with production settings; a None takes a variable away."""
    good: dict[str, str | None] = {
        "PATH": os.environ["PATH"],
        "DJANGO_SETTINGS_MODULE": "config.settings.production",
        "SECRET_KEY": KEY,
        "ALLOWED_HOSTS": "app.example.com",
        "BROKER_URL": "redis://127.0.0.1:6379",
        "DATA_DIR": str(tmp_path),
    }
    environment = {name: value for name, value in {**good, **changes}.items() if value is not None}
    return subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


def test_a_production_deployment_has_no_warning(tmp_path):
    done = check(tmp_path)
    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"SECRET_KEY": None}, "SECRET_KEY must be set"),
        ({"SECRET_KEY": "too-short"}, "SECRET_KEY must be set"),
        ({"SECRET_KEY": f"django-insecure-{KEY}"}, "SECRET_KEY must be set"),
        ({"SECRET_KEY": "only-for-tests-0123456789-0123456789-0123456789-0123456789"}, "SECRET_KEY must be set"),
        ({"DEBUG": "1"}, "DEBUG must not be set"),
        ({"ALLOWED_HOSTS": None}, "ALLOWED_HOSTS must list"),
        ({"ALLOWED_HOSTS": "*"}, "without wildcards"),
        ({"ALLOWED_HOSTS": "app.example.com,*.example.com"}, "without wildcards"),
        ({"SECRET_KEY": "ab" * 30}, "SECRET_KEY must be set"),
        ({"SECRET_KEY": f"change-me-{KEY}"}, "SECRET_KEY must be set"),
        ({"BROKER_URL": None}, "BROKER_URL must name"),
        ({"BROKER_URL": "amqp://127.0.0.1"}, "REDIS_URL must name"),
    ],
)
def test_a_start_that_would_be_unsafe_is_refused_by_name(tmp_path, changes, told):
    done = check(tmp_path, **changes)
    assert done.returncode != 0
    assert told in done.stderr
