"""`python -m tests.services.s3_story`: the life of a file in production settings; prints what it saw as JSON.

Every step asks for the file anew, with this machine's copies removed in between, as another machine would.
"""

from __future__ import annotations

import csv
import io
import json
import shutil
from typing import Any

import django
from django.core.files.base import ContentFile
from django.core.management import call_command

TEXT = "town,people\n" + "".join(f"town {n},{n * 100}\n" for n in range(1, 51))


def cells(text: str) -> list[list[str]]:
    """The cells of a CSV text, however it quotes them."""
    return list(csv.reader(io.StringIO(text)))


def story() -> dict[str, Any]:
    django.setup()
    call_command("migrate", verbosity=0, interactive=False)
    from django.conf import settings
    from django.core.files.storage import default_storage

    from apps.accounts.services.members import member_create, organization_create
    from apps.datasources.catalog import catalog_of
    from apps.datasources.content import source_content
    from apps.datasources.downloads import source_download
    from apps.datasources.models import StoredFile
    from apps.datasources.rows import Wanted
    from apps.datasources.selectors import source_named
    from apps.datasources.services.ingestion import ingest_file
    from apps.datasources.services.rebuilding import tables_rebuild
    from apps.datasources.services.removal import source_remove
    from apps.datasources.services.uploads import Incoming, files_upload

    def keys() -> list[str]:
        return sorted(f"{folder}/{n}" for folder in ("originals", "tables") for n in default_storage.listdir(folder)[1])

    def elsewhere() -> None:
        shutil.rmtree(settings.DATA_DIR / "cache", ignore_errors=True)

    organization = organization_create(name="Acme")
    ana = member_create(organization=organization, username="ana", password="Correct-horse-9", temporary=False)
    content = TEXT.encode()
    files_upload(by=ana, incoming=[Incoming("Towns & people.csv", len(content), ContentFile(content))])
    seen: dict[str, Any] = {"storage": type(default_storage._wrapped).__name__, "uploaded": keys()}
    elsewhere()
    ingest_file(StoredFile.objects.get().pk)
    source = source_named(organization, "towns  people.csv")
    seen |= {"state": source.state, "rows": source.rows, "read": keys()}
    elsewhere()
    seen["text"] = source_content(source)["content"] == TEXT
    elsewhere()
    every = source_download(by=ana, source=source, kind="csv", wanted=Wanted())
    exported = every.content.read().decode("utf-8-sig")
    seen["exported"] = cells(exported) == cells(TEXT)
    elsewhere()
    seen["table"] = str(catalog_of(organization).tables()[0].path.relative_to(settings.DATA_DIR)).split("/")[0]
    elsewhere()
    seen["rebuilt"] = tables_rebuild().failed == 0
    source_remove(by=ana, file_name=source.file_name)
    seen["deleted"] = keys()
    return seen


if __name__ == "__main__":
    print(json.dumps(story()))
