"""One process on one machine: `make run`. No service outside; what is secret is made once and kept."""

import contextlib
import os
import sys

# Whatever this process writes is its account's alone; folders of the data are made with the settings below.
os.umask(0o077)

from apps.core.secrets import kept_keys, kept_secret
from config.settings.base import *  # noqa: F403
from config.settings.base import CREDENTIAL_KEYS, DATA_DIR, DATABASES, env

with contextlib.suppress(OSError):
    DATA_DIR.chmod(0o700)  # one that an earlier version made

SECRET_KEY = env.str("SECRET_KEY", default="") or kept_secret(DATA_DIR / "secret_key")
CREDENTIAL_KEYS = CREDENTIAL_KEYS or kept_keys(DATA_DIR / "credential_keys")

if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # DRF imports PostgreSQL's driver wherever it is installed: half a second of a start that has three.
    for _driver in ("psycopg", "psycopg2"):
        sys.modules[_driver] = None  # type: ignore[assignment]
