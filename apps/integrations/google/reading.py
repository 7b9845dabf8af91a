"""Reading connected tabs: what waits is claimed, each spreadsheet is asked when it changed, new rows go to the sources.

No transaction is open while Google is asked. A worker may die at any line: its tabs are claimed again when their lease
has run out. Every claimed tab ends ready or with a reason, and what was read before stays usable.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import groupby
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from apps.datasources.limits import size_words
from apps.datasources.selectors import sources_of
from apps.datasources.services.exports import ExportRefused, export_keep
from apps.integrations.connector import ConnectorError
from apps.integrations.google import client, copy, limits
from apps.integrations.google.access import with_token
from apps.integrations.google.cells import PLAIN, ColumnFormat, csv_bytes
from apps.integrations.google.events import tabs_changed
from apps.integrations.google.models import SheetTab, TabState
from apps.integrations.google.tabs import Spreadsheet, Tab, column_name, quoted, row_blocks
from apps.integrations.models import Connection, ConnectionState
from apps.integrations.services.marks import connection_mark

logger = logging.getLogger("apps.integrations.google")


class _Lost(Exception):
    """The tab is no longer this worker's: disconnected, claimed by another after a long silence, or of an organization
    that was deactivated."""


def tabs_read(connection_id: UUID) -> None:
    """Reads what waits of this connection, unless somebody else does."""
    claim = uuid4().hex
    tabs = _claim(connection_id, claim)
    if not tabs:
        return
    failures = set()
    for file_id, group in groupby(tabs, key=lambda tab: tab.file_id):
        failures |= _read_file(connection_id, file_id, list(group), claim)
    _mark(connection_id, failures)


def _claim(connection_id: UUID, claim: str) -> list[SheetTab]:
    now = timezone.now()
    free = Q(state=TabState.WAITING) | Q(state=TabState.READING, lease_until__lt=now)
    SheetTab.objects.at_work().filter(free, connection_id=connection_id).update(
        state=TabState.READING, worker=claim, lease_until=now + limits.LEASE, attempt=F("attempt") + 1, state_at=now
    )
    mine = SheetTab.objects.filter(connection_id=connection_id, worker=claim)
    return list(mine.select_related("organization", "connection__member", "source").order_by("file_id", "sheet_id"))


def _read_file(connection_id: UUID, file_id: str, tabs: list[SheetTab], claim: str) -> set[str]:
    """Brings the tabs of one spreadsheet up to date. Returns the reasons that concern more than this file."""
    try:
        modified = with_token(connection_id, lambda token: client.modified_ms(token, file_id))
        stale = [tab for tab in tabs if tab.drive_modified_ms != modified or tab.source is None]
        for tab in tabs:
            if tab not in stale:
                _settle(tab, claim, TabState.READY)
        if stale:
            spreadsheet = with_token(connection_id, lambda token: client.spreadsheet(token, file_id))
            for tab in stale:
                with suppress(_Lost):
                    _read_tab(connection_id, spreadsheet, tab, modified, claim)
    except ConnectorError as error:
        for tab in tabs:
            _settle(tab, claim, TabState.FAILED, error.message)
        return set() if isinstance(error, client.FileGone) else {error.message}
    except Exception:
        logger.exception("the tabs of connection %s could not be read", connection_id)
        for tab in tabs:
            _settle(tab, claim, TabState.FAILED, copy.UNREADABLE)
    return set()


def _read_tab(connection_id: UUID, spreadsheet: Spreadsheet, row: SheetTab, modified: int, claim: str) -> None:
    tab = spreadsheet.tab_of(row.sheet_id)
    if tab is None:
        _settle(row, claim, TabState.FAILED, copy.TAB_GONE)
        return
    row.file_title, row.tab_title = spreadsheet.title[:300], tab.title[:200]
    try:
        content = _content(connection_id, spreadsheet.file_id, tab, row, claim)
    except _TooLarge:
        limit = size_words(settings.UPLOAD_MAX_FILE_BYTES)
        _settle(row, claim, TabState.FAILED, copy.TAB_TOO_LARGE.format(limit=limit))
        return
    if content is None:
        _settle(row, claim, TabState.FAILED, copy.TAB_EMPTY_NOW if row.source_id else copy.TAB_EMPTY)
        return
    _keep(row, content, modified, claim)


class _TooLarge(Exception):
    """The tab holds more than a file may."""


def _content(connection_id: UUID, file_id: str, tab: Tab, row: SheetTab, claim: str) -> bytes | None:
    """The tab's rows as CSV, read in blocks; each block renews the lease."""
    head = f"{quoted(tab.title)}!A1:{column_name(max(1, tab.columns))}{limits.FORMAT_ROWS}"
    formats: Sequence[ColumnFormat] = with_token(
        connection_id, lambda token: client.formats(token, file_id, [head])
    ).get(tab.sheet_id, [PLAIN])
    rows: list[Sequence[Any]] = []
    for block in row_blocks(tab, cells=limits.CELLS_PER_CALL):
        _renew(row, claim)
        rows += _block(connection_id, file_id, block)
    content = csv_bytes(rows, formats)
    if content is not None and len(content) > settings.UPLOAD_MAX_FILE_BYTES:
        raise _TooLarge
    return content


def _block(connection_id: UUID, file_id: str, block: str) -> Iterator[Sequence[Any]]:
    """The rows of one block, with the empty ones that the answer leaves out at its end."""
    first, last = (int("".join(filter(str.isdigit, part))) for part in block.rpartition("!")[2].split(":"))
    read = with_token(connection_id, lambda token: client.values(token, file_id, [block]))[0]
    yield from read
    yield from ([] for _ in range(last - first + 1 - len(read)))


def _keep(row: SheetTab, content: bytes, modified: int, claim: str) -> None:
    """The tab's rows become those of its source; the source of a first reading is made here."""
    owner = row.connection.member if row.connection else None
    _renew(row, claim)
    try:
        export_keep(organization=row.organization, owner=owner, file_name=row.file_name, content=content)
    except ExportRefused as error:
        _settle(row, claim, TabState.FAILED, error.message)
        return
    source = sources_of(row.organization).filter(file_name=row.file_name).first()
    if source is None:
        raise ConnectorError(copy.UNREADABLE, permanent=True)
    row.source, row.drive_modified_ms, row.read_at = source, modified, timezone.now()
    _settle(row, claim, TabState.READY)


def _renew(row: SheetTab, claim: str) -> None:
    kept = SheetTab.objects.at_work().filter(pk=row.pk, worker=claim).update(lease_until=timezone.now() + limits.LEASE)
    if not kept:
        raise _Lost


def _settle(row: SheetTab, claim: str, state: TabState, reason: str = "") -> None:
    """Says how the tab stands now, where it is still this worker's."""
    with transaction.atomic():
        SheetTab.objects.filter(pk=row.pk, worker=claim).update(
            state=state,
            reason=reason,
            state_at=timezone.now(),
            worker="",
            lease_until=None,
            source_id=row.source_id,
            file_title=row.file_title,
            tab_title=row.tab_title,
            drive_modified_ms=row.drive_modified_ms,
            read_at=row.read_at,
        )
        tabs_changed(row.organization_id)


def _mark(connection_id: UUID, failures: set[str]) -> None:
    """The connection as a whole: failed with the reason where Google could not be read, else connected."""
    if not Connection.objects.filter(pk=connection_id).exists():
        return
    if failures:
        connection_mark(connection_id, ConnectionState.FAILED, sorted(failures)[0])
    else:
        connection_mark(connection_id, ConnectionState.CONNECTED, refreshed=True)
