"""Files in a storage that speaks S3, chosen by settings alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.live import ROOT
from tests.prepared import migrated_folder
from tests.services.servers import s3_server

pytestmark = pytest.mark.services


def test_a_file_lives_in_s3_from_its_upload_to_its_deletion(
    redis_url: str, tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    migrated_folder(tmp_path_factory, tmp_path)
    with s3_server("files-of-the-tests") as s3:
        environment = {
            **os.environ,
            **s3,
            "DJANGO_SETTINGS_MODULE": "config.settings.production",
            "SECRET_KEY": "a-deployment-of-the-tests-" + "0123456789" * 5,
            "ALLOWED_HOSTS": "127.0.0.1",
            "DATA_DIR": str(tmp_path),
            "REDIS_URL": f"{redis_url.rsplit('/', 1)[0]}/9",
        }
        ended = subprocess.run(
            [sys.executable, "-m", "tests.services.s3_story"], cwd=ROOT, env=environment, capture_output=True, text=True
        )
    assert ended.returncode == 0, ended.stderr[-3000:]
    seen = json.loads(ended.stdout.splitlines()[-1])
    assert seen["storage"] == "S3Storage"
    assert [key.split("/")[0] for key in seen["uploaded"]] == ["originals"]
    assert "owns" not in seen["uploaded"][0]
    assert (seen["state"], seen["rows"]) == ("ready", 50)
    assert [key.split("/")[0] for key in seen["read"]] == ["originals", "tables", "tables"]
    assert (seen["text"], seen["exported"], seen["table"], seen["rebuilt"]) == (True, True, "cache", True)
    assert seen["deleted"] == []
