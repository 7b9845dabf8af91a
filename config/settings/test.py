"""Tests: nothing is kept, passwords hash fast, jobs run where the test says so."""

import atexit
import os
import shutil
import tempfile

_runner = os.environ.get("PYTEST_XDIST_WORKER", "main")
_kept = os.environ.get("DATA_DIR")
if _kept is None or (_kept == os.environ.get("TEST_DATA_DIR") and os.environ["TEST_DATA_RUNNER"] != _runner):
    # Each of pytest's processes has a folder of its own; a child of theirs keeps what it is given.
    os.environ["DATA_DIR"] = os.environ["TEST_DATA_DIR"] = tempfile.mkdtemp(prefix="product-test-")
    os.environ["TEST_DATA_RUNNER"] = _runner
    atexit.register(shutil.rmtree, os.environ["DATA_DIR"], ignore_errors=True)

from config.settings.base import *  # noqa: F403
from config.settings.base import BASE_DIR, DATA_DIR, DATABASES

SECRET_KEY = "only-for-tests-0123456789-0123456789-0123456789-0123456789"
CREDENTIAL_KEYS = ["b25seS1mb3ItdGVzdHMtb25seS1mb3ItdGVzdHMtMDE="]
WHITENOISE_AUTOREFRESH = True
"""Static files are looked for when asked for: listing all of them for each test client takes longer than most tests."""
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # A file, as people run it: connections to one memory do not wait for each other, they fail.
    DATABASES["default"]["TEST"] = {"NAME": str(DATA_DIR / "tests.sqlite3")}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]
if not (BASE_DIR / "webpack-stats.json").exists():
    WEBPACK_LOADER = {"DEFAULT": {"LOADER_CLASS": "webpack_loader.loaders.FakeWebpackLoader"}}
QUESTIONS_PER_MINUTE = UPLOADS_PER_HOUR = 0
"""Tests ask faster than people; those of the rates set their own."""
