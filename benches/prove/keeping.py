"""R22 and R25: sealing many tokens anew, and a large backup restored to an empty place."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZipFile

from cryptography.fernet import Fernet

from benches.prove.devices import ROOT

CHUNK_MIB = 64
TOKENS = """
from apps.accounts.models import Organization
from apps.integrations.models import Connection
from apps.integrations.services.tokens import tokens_seal
rows = []
for number in range({count}):
    home = Organization(name=f"Organization {{number}}")
    row = Connection(organization=home, service="hubspot", account_id=str(number))
    row.sealed = tokens_seal(row.pk, access_token=f"access-{{number}}", refresh_token=f"refresh-{{number}}")
    rows.append(row)
Organization.objects.bulk_create([row.organization for row in rows], batch_size=500)
Connection.objects.bulk_create(rows, batch_size=500)
"""
FILES = """
import os
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
left = {mib}
while left > 0:
    part = min(left, {chunk})
    default_storage.save(f"originals/{{left}}", ContentFile(os.urandom(part * 2**20)))
    left -= part
"""


class Installation:
    """An installation on SQLite that an operator's commands are given to."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.environment = {
            **{name: value for name, value in os.environ.items() if name != "DATABASE_URL"},
            "DJANGO_SETTINGS_MODULE": "config.settings.local",
            "DATA_DIR": str(folder),
            **environment,
        }
        self.manage("migrate", "--verbosity", "0")

    def manage(self, *words: str, **environment: str) -> str:
        """What a command printed. Raises CalledProcessError."""
        command = [sys.executable, "manage.py", *words]
        surroundings = {**self.environment, **environment}
        return subprocess.run(command, cwd=ROOT, env=surroundings, check=True, capture_output=True, text=True).stdout


def resealed(folder: Path, count: int) -> dict[str, float]:
    """How many of `count` connections' tokens the command sealed with a new key, and its seconds."""
    old, new = Fernet.generate_key().decode(), Fernet.generate_key().decode()
    installation = Installation(folder, CREDENTIAL_KEYS=old)
    installation.manage("shell", "-v", "0", "-c", TOKENS.format(count=count))
    begun = time.monotonic()
    told = installation.manage("encryption_keys", "rotate", "--json", CREDENTIAL_KEYS=f"{new},{old}")
    return {"tokens": count, "resealed": json.loads(told)["resealed"], "seconds": time.monotonic() - begun}


def restored(folder: Path, mib: int) -> dict[str, float]:
    """Backs an installation with so many MiB of files up, and restores it to an empty one."""
    first, second = Installation(folder / "first"), Installation(folder / "second")
    first.manage("load_demo", DEMO_PASSWORD="Demo-Password-1")
    first.manage("shell", "-v", "0", "-c", FILES.format(mib=mib, chunk=CHUNK_MIB))
    first.manage("backup", str(folder / "first.zip"))
    begun = time.monotonic()
    second.manage("restore", str(folder / "first.zip"))
    seconds = time.monotonic() - begun
    second.manage("backup", str(folder / "again.zip"))
    sums = [_manifest(folder / name) for name in ("first.zip", "again.zip")]
    return {"mib": (folder / "first.zip").stat().st_size / 2**20, "seconds": seconds, "equal": sums[0] == sums[1]}


def _manifest(backup: Path) -> Any:
    with ZipFile(backup) as archive:
        return json.loads(archive.read("manifest.json"))


if __name__ == "__main__":
    with TemporaryDirectory(prefix="keeping-") as place:
        measure = {"resealed": resealed, "restored": restored}[sys.argv[1]]
        print(json.dumps(measure(Path(place), int(sys.argv[2]))))
