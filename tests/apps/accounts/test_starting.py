"""What a start in production refuses, and that Django's own check of a deployment has nothing to say."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
KEY = "q8Zf3-mB7yTn1LxW5cRk9uVe2sHd6pJa4gQo0iXz8Yb3Nt7Mw5"


def check(tmp_path: Path, **changes: str | None) -> subprocess.CompletedProcess[str]:
    """`check --deploy` with production settings; a None takes a variable away."""
    return run(tmp_path, ["manage.py", "check", "--deploy", "--fail-level", "WARNING"], **changes)


def run(tmp_path: Path, words: list[str], **changes: str | None) -> subprocess.CompletedProcess[str]:
    """Python with production settings and nothing else of this machine's environment."""
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
        [sys.executable, *words],
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


LOOK = """
import json, django
django.setup()
from django.conf import settings
from django.test import Client
client = Client(headers={"host": "app.example.com"})
pages = {path: dict(client.get(path, secure=True).headers) for path in PATHS}
plain = client.get("/login")
cookie = client.get("/admin/login/", secure=True).cookies["csrftoken"]
print(json.dumps({
    "pages": pages, "plain": [plain.status_code, plain.headers.get("Location")],
    "csrf": [cookie["secure"], cookie["httponly"], cookie["samesite"]],
    "session": [settings.SESSION_COOKIE_SECURE, settings.SESSION_COOKIE_HTTPONLY, settings.SESSION_COOKIE_SAMESITE],
    "mails": settings.EMAIL_BACKEND,
}))
"""
PATHS = ["/", "/login", "/chat", "/privacy", "/error", "/nowhere", "/admin/login/", "/api/v3/me"]


def test_every_answer_in_production_is_guarded_by_its_headers(tmp_path):
    done = run(tmp_path, ["-W", "ignore", "-c", LOOK.replace("PATHS", repr(PATHS))])
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    for path, headers in told["pages"].items():
        assert headers["Strict-Transport-Security"] == "max-age=31536000; includeSubDomains; preload", path
        assert headers["Referrer-Policy"] == "same-origin", path
        assert headers["X-Content-Type-Options"] == "nosniff", path
        assert headers["X-Frame-Options"] == "DENY", path
        policy = headers["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in policy, path
        assert "unsafe" not in policy, path
    assert told["pages"]["/chat"]["Cross-Origin-Opener-Policy"] == "same-origin-allow-popups"
    assert told["plain"] == [301, "https://app.example.com/login"]
    assert told["csrf"] == [True, True, "Lax"]
    assert told["session"] == [True, True, "Lax"]
    assert "console" not in told["mails"]  # codes and invitations would stand in the log
