"""Files for the tests of data sources: made here, sent through the real route, read in this process."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from openpyxl import Workbook

from apps.accounts.models import User
from apps.analyst.tables import ingest
from apps.datasources.models import IngestionState, StoredFile
from apps.datasources.services.ingestion import ingest_file
from tests.cast import client_of

SALES = b"Region,Amount,Date\nWest,10.50,2024-01-03\nEast,20.25,2024-02-04\nWest,5,2024-03-05\n"


def workbook(**sheets: list[list[object]]) -> bytes:
    """An XLSX file with these sheets, each a list of rows."""
    book = Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title.replace("_", " "))
        for row in rows:
            sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def read_waiting() -> None:
    """Reads every file that waits, as a worker would."""
    for stored in StoredFile.objects.filter(state=IngestionState.QUEUED):
        ingest_file(stored.pk, read=ingest)


@pytest.fixture
def upload(cast, django_capture_on_commit_callbacks) -> Callable[..., dict]:
    """Uploads files as a member and reads them; the answer's JSON with its `status`."""

    def send(*files: tuple[str, bytes], by: User | None = None, read: bool = True) -> dict:
        body = {f"file-{n}": SimpleUploadedFile(name, content) for n, (name, content) in enumerate(files)}
        with django_capture_on_commit_callbacks(execute=True):
            answer = client_of(by or cast.ana).post("/api/v3/files", body)
        if read:
            with django_capture_on_commit_callbacks(execute=True):
                read_waiting()
        return {**answer.json(), "status": answer.status_code}

    return send


@pytest.fixture
def listing(cast) -> Callable[..., dict[str, dict]]:
    """The sources a member sees, by file name."""

    def sources(user: User | None = None) -> dict[str, dict]:
        answer = client_of(user or cast.ana).get("/api/v3/files").json()
        return {source["file_name"]: source for source in answer["sources"]}

    return sources
