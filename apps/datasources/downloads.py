"""A source's table as a file for other programs (CSV, XLSX), whole or the rows that somebody has found in it. Writes to
a scratch file that goes once it is sent."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, cast

from django.conf import settings

from apps.accounts.audit import AuditAction, record
from apps.analyst.errors import ExportFailed, QueryFailed
from apps.core import rates
from apps.core.errors import Invalid, ProductError, TooLarge, Unavailable
from apps.core.scratch import scratch_file
from apps.datasources import limits, naming
from apps.datasources.models import Source
from apps.datasources.rows import Wanted, wanted_table
from apps.datasources.services.missing import table_opened

if TYPE_CHECKING:
    from apps.accounts.models import User
    from apps.analyst.tables.exporting import ExportFormat

CONTENT_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
_slots = threading.BoundedSemaphore(limits.EXPORTS_AT_ONCE)


@dataclass(frozen=True, slots=True)
class Download:
    """A file to send: its name, its type, and the open file, which is removed from the disk already."""

    name: str
    content_type: str
    content: IO[bytes]


def export_format(wanted: str) -> ExportFormat:
    """The format of that name, CSV where none is named. Raises Invalid for others."""
    kind = wanted.strip().lower() or "csv"
    if kind not in CONTENT_TYPES:
        raise Invalid("A table can be had as csv or xlsx.", code="unknown_format")
    return cast("ExportFormat", kind)


def export_count(by: User) -> None:
    """One more table as a file. Raises TooOften past the member's own rate."""
    rate = settings.UPLOADS_PER_HOUR
    rates.count("exports", by.pk, most=rate, seconds=3600, words=f"{rate:,} tables an hour", verb="download")


def source_download(*, by: User, source: Source, kind: ExportFormat, wanted: Wanted) -> Download:
    """The wanted rows of the source's table in that format, whatever page they are on. Raises Conflict while there is
    no table, NotFound, Gone, TooLarge, TooOften, Unavailable."""
    export_count(by)
    content = _written(source, kind, wanted)
    record(AuditAction.EXPORTED, organization=source.organization, actor=by, target=source.file_name, format=kind)
    name = f"{naming.display_name(source.file_name)}{' - found rows' if wanted.some else ''}.{kind}"
    return Download(name, CONTENT_TYPES[kind], content)


def _written(source: Source, kind: ExportFormat, wanted: Wanted) -> IO[bytes]:
    from apps.analyst.tables.export_child import export_in_child
    from apps.analyst.tables.exporting import ExportColumn, refuse_large_sheet
    from apps.analyst.tables.looking import keep_found

    table, columns = wanted_table(source, wanted)
    leaving = [ExportColumn(column.name, column.type, column.unit) for column in columns]
    target = scratch_file("export")
    found = target.with_name(f"{target.name}.found")
    try:
        with _slot():
            count = table.rows
            if wanted.some:
                with table_opened(table) as path:
                    count = keep_found(
                        path, columns, search=wanted.search, missing=wanted.missing, target=found,
                        seconds=limits.LOOKING_SECONDS,
                    )  # fmt: skip
            if kind == "xlsx":
                refuse_large_sheet(len(columns), count)
            with table_opened(table) as path:
                export_in_child(found if wanted.some else path, leaving, count, target, kind)
        return target.open("rb")
    except ExportFailed as error:
        raise TooLarge(error.message, code="export_failed") from error
    except QueryFailed as error:
        raise Unavailable(error.message, code="too_slow") from error
    except OSError as error:
        raise ProductError(
            "The file could not be written: the server has no room for it. Please tell an admin.",
            code="storage_failed",
            status=507,
        ) from error
    finally:
        for left in (target, target.with_name(f"{target.name}.rows"), found):
            left.unlink(missing_ok=True)


@contextmanager
def _slot() -> Iterator[None]:
    """One of few: exports take a processor each."""
    if not _slots.acquire(timeout=limits.EXPORT_PATIENCE):
        raise Unavailable("Other downloads are being made. Please try again in a minute.", code="busy")
    try:
        yield
    finally:
        _slots.release()
