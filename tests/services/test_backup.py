"""A backup of one installation becomes another one, on another database, with every row and file as it was."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from tests.live import DEMO_PASSWORD, ROOT
from tests.prepared import migrated_folder
from tests.services.servers import new_database, s3_server

pytestmark = pytest.mark.services

Manage = Callable[..., "subprocess.CompletedProcess[str]"]


def installation(folder: Path, **environment: str) -> Manage:
    """An installation's commands: called with an operator's words, answers what became of them."""
    surroundings = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings.local",
        "DATA_DIR": str(folder),
        "DEMO_PASSWORD": DEMO_PASSWORD,
        **environment,
    }

    def manage(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "manage.py", *words]
        return subprocess.run(command, cwd=ROOT, env=surroundings, capture_output=True, text=True)

    return manage


def manifest_of(backup: Path) -> dict[str, Any]:
    with ZipFile(backup) as archive:
        return json.loads(archive.read("manifest.json"))


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Manage, Path]:
    """An installation on SQLite with the demo organization, and its backup."""
    folder = tmp_path_factory.mktemp("backup")
    manage, backup = installation(migrated_folder(tmp_path_factory, folder / "data")), folder / "demo.zip"
    assert manage("load_demo").returncode == 0
    done = manage("backup", str(backup))
    assert done.returncode == 0, done.stderr
    return manage, backup


@pytest.fixture(params=["files in a folder", "files in S3"])
def servers(
    request: pytest.FixtureRequest, postgres_url: str, redis_url: str, migrated: str
) -> Iterator[dict[str, str]]:
    """The environment of an empty installation in production settings, in which nothing was ever kept."""
    production = {
        "DJANGO_SETTINGS_MODULE": "config.settings.production",
        "SECRET_KEY": "a-deployment-of-the-tests-" + "0123456789" * 5,
        "ALLOWED_HOSTS": "127.0.0.1",
        "DATABASE_URL": new_database(postgres_url, f"restored{request.param_index}", like=migrated),
        "REDIS_URL": f"{redis_url.rsplit('/', 1)[0]}/8",
    }
    with s3_server("files-of-another") if request.param_index else nullcontext({}) as store:
        yield {**production, **store}


def test_a_backup_from_sqlite_lives_on_in_postgresql_with_equal_sums(
    demo: tuple[Manage, Path], servers: dict[str, str], tmp_path: Path
) -> None:
    _, backup = demo
    elsewhere = installation(tmp_path / "data", **servers)
    done = elsewhere("restore", str(backup))
    assert done.returncode == 0, done.stderr
    assert elsewhere("backup", str(tmp_path / "again.zip")).returncode == 0
    first, second = manifest_of(backup), manifest_of(tmp_path / "again.zip")
    assert first == second
    assert first["rows"]["accounts.user"]["count"] >= 1
    assert len(first["files"]) >= 8
    if "S3_BUCKET" in servers:
        assert not [path for path in (tmp_path / "data" / "files").rglob("*") if path.is_file()], (
            "all of them are there"
        )
    # New rows find free numbers: the sequences go on behind what was restored.
    made = elsewhere("organization", "create", "Newcomers", "--json")
    assert made.returncode == 0, made.stderr


def test_an_installation_in_use_is_not_written_over(demo: tuple[Manage, Path]) -> None:
    manage, backup = demo
    done = manage("restore", str(backup))
    assert done.returncode == 1
    assert "This installation is not empty" in done.stderr


def test_a_damaged_backup_is_refused_and_leaves_nothing(
    demo: tuple[Manage, Path], tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    _, backup = demo
    damaged = tmp_path / "damaged.zip"
    with ZipFile(backup) as archive, ZipFile(damaged, "w") as out:
        for name in archive.namelist():
            content = archive.read(name)
            out.writestr(name, content.replace(b'"demo"', b'"evil"') if name == "rows/accounts.user.jsonl" else content)
    elsewhere = installation(migrated_folder(tmp_path_factory, tmp_path / "data"))
    done = elsewhere("restore", str(damaged))
    assert done.returncode == 1
    assert "The backup is damaged: the rows of accounts.User" in done.stderr
    assert elsewhere("restore", str(backup)).returncode == 0, "nothing of the damaged one stayed"


@pytest.mark.parametrize("content", [b"", b"not a zip", b"PK\x03\x04 broken"])
def test_what_is_no_backup_is_refused_in_words(demo: tuple[Manage, Path], tmp_path: Path, content: bytes) -> None:
    manage, _ = demo
    (tmp_path / "some.zip").write_bytes(content)
    done = manage("restore", str(tmp_path / "some.zip"))
    assert done.returncode == 1
    assert "cannot be read as a backup" in done.stderr


def test_a_backup_is_for_its_owner_and_never_written_over_another(demo: tuple[Manage, Path]) -> None:
    manage, backup = demo
    assert backup.stat().st_mode & 0o777 == 0o600
    done = manage("backup", str(backup))
    assert done.returncode == 1
    assert "exists already" in done.stderr
