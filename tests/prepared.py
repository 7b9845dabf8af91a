"""What a test begins with and what takes long to make: made once in a test run, whichever process comes first."""

from __future__ import annotations

import fcntl
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.live import ROOT


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """The folder that `make` fills, shared by all processes of this test run: copy it, and leave it as it is."""
    shared = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    made, begun = shared / name, shared / f"{name}-begun"
    with (shared / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            shutil.rmtree(begun, ignore_errors=True)
            begun.mkdir()
            make(begun)
            begun.rename(made)
    return made


def migrated_folder(factory: pytest.TempPathFactory, folder: Path) -> Path:
    """Makes `folder` the data folder of an installation on SQLite with every table and no row of anybody's."""
    folder.mkdir(exist_ok=True)
    shutil.copy2(made_once(factory, "migrated", _migrate) / "product.sqlite3", folder)
    return folder


def _migrate(folder: Path) -> None:
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings.local", "DATA_DIR": str(folder)}
    environment.pop("DATABASE_URL", None)
    subprocess.run([sys.executable, "manage.py", "migrate", "--verbosity", "0"], cwd=ROOT, env=environment, check=True)
    with closing(sqlite3.connect(folder / "product.sqlite3")) as database:  # so that its one file holds everything
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
