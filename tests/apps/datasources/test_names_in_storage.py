"""Thousands of names of every alphabet through the real service: none leaves the storage, the kept ones are shown."""

from __future__ import annotations

import os
import random
import re
import unicodedata
from pathlib import Path

from django.core.files.base import ContentFile

from apps.datasources import naming
from apps.datasources.models import Source
from apps.datasources.services.uploads import Incoming, files_upload
from tests.apps.datasources.conftest import SALES

NAMES = int(os.environ.get("RANDOM_NAMES", "400"))
"""RANDOM_NAMES=5000 is the whole claim."""
NASTY = (
    "../../etc/passwd", "..\\..\\boot", "/etc/shadow", "C:\\Windows\\x", "CON", "nul", ".", "..", "~root", "%2e%2e%2f",
    "a\x00b", "a\nb", "-rf", "$(id)", "`id`", "x;y", "名前", "اسم", "naïve", "e\u0301",
    "ＦＵＬＬ", "👩‍👩‍👧", "ﬁle", "İstanbul",
)  # fmt: skip


def a_name(chance: random.Random) -> str:
    """Letters of anywhere, marks, controls, and now and then something that is meant to climb out."""
    parts = []
    for _ in range(chance.randint(1, 14)):
        kind = chance.random()
        if kind < 0.12:
            parts.append(chance.choice(NASTY))
        elif kind < 0.6:
            parts.append(chr(chance.choice((chance.randint(0x20, 0x7E), chance.randint(0xA1, 0x2FFF)))))
        else:
            parts.append(chr(chance.choice([chance.randint(0x3000, 0xD7FF), chance.randint(0xE000, 0x1FAFF)])))
    return f"{''.join(parts)[:120]}.csv"


def test_no_random_name_leaves_the_storage_and_every_kept_one_is_shown(cast, settings, tmp_path):
    folder = tmp_path / "root" / "files"
    folder.mkdir(parents=True)
    settings.STORAGES = {
        **settings.STORAGES,
        "default": {
            "BACKEND": "django.core.files.storage.FileSystemStorage",
            "OPTIONS": {"location": str(folder), "base_url": None},
        },
    }
    settings.UPLOAD_MAX_FILES = NAMES
    chance = random.Random(28)
    names = [a_name(chance) for _ in range(NAMES)]
    outcome = files_upload(by=cast.ana, incoming=[Incoming(name, len(SALES), ContentFile(SALES)) for name in names])
    assert len(outcome.sources) + len(outcome.errors) == NAMES
    assert len(outcome.sources) > NAMES / 5
    stored = [path for path in (tmp_path / "root").rglob("*") if path.is_file()]
    assert len(stored) == len(outcome.sources)
    assert all(path.parent == folder / "originals" and re.fullmatch("[0-9a-f]{32}", path.name) for path in stored)
    for source in Source.objects.select_related("stored"):
        assert source.file_name == naming.clean_name(source.stored.original_name)
        assert unicodedata.is_normalized("NFC", source.file_name)
        assert Path(source.file_name).name == source.file_name
    for error in outcome.errors:
        assert not any(unicodedata.category(mark) in {"Cc", "Cs"} for mark in error.message)
