"""Rows of a source to look at, page by page: all, those that a search finds, those that lack a value."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from apps.analyst.errors import QueryFailed
from apps.core.errors import Conflict, NotFound, Unavailable
from apps.datasources import limits, naming
from apps.datasources.cells import cell_to_json
from apps.datasources.models import DataTable, Source
from apps.datasources.services.missing import table_opened

if TYPE_CHECKING:
    from apps.analyst.types import Column

_slots = threading.BoundedSemaphore(limits.LOOKS_AT_ONCE)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which rows somebody wants to see."""

    table: str = ""
    """Empty: the source's only table."""
    search: str = ""
    missing: str = ""
    """A column in which the rows have no value."""
    offset: int = 0

    @property
    def some(self) -> bool:
        """Whether these are not all rows of the table."""
        return bool(self.search.strip() or self.missing)


def source_rows(source: Source, wanted: Wanted) -> dict[str, Any]:
    """`{table, columns, rows, offset, matched, total}` as GET /files/rows says it. Raises NotFound, Conflict, Gone,
    Unavailable."""
    from apps.analyst.tables.looking import look

    row, columns = wanted_table(source, wanted)
    try:
        with _slot(), table_opened(row) as path:
            page = look(
                path,
                columns,
                search=wanted.search,
                missing=wanted.missing,
                offset=wanted.offset,
                limit=limits.ROWS_AT_ONCE,
                seconds=limits.LOOKING_SECONDS,
            )
    except QueryFailed as error:
        raise Unavailable(error.message, code="too_slow") from error
    return {
        "table": row.name,
        "columns": [column.name for column in columns],
        "rows": [[_shown(cell) for cell in cells] for cells in page.rows],
        "offset": wanted.offset,
        "matched": page.matched,
        "total": row.rows,
    }


def wanted_table(source: Source, wanted: Wanted) -> tuple[DataTable, Sequence[Column]]:
    """The table that rows are wanted of, with its columns. Raises NotFound, Conflict."""
    from apps.analyst.tables.codec import table_from_json

    row = _table(source, wanted.table)
    columns = table_from_json(row.profile).columns
    if wanted.missing and wanted.missing not in {column.name for column in columns}:
        raise NotFound(f"{row.name} has no column named {naming.visible(wanted.missing)[:200]}.")
    return row, columns


def _table(source: Source, name: str) -> DataTable:
    tables = source.tables.filter(name_key=naming.name_key(name)) if name else source.tables.all()
    row = tables.order_by("name").first()
    if row is None and name:
        raise NotFound(f"{source.file_name} has no table named {naming.visible(name)[:200]}.")
    if row is None:
        raise Conflict(f"{source.file_name} has not been read yet.", code="not_ready")
    return row


def _shown(cell: object) -> str | int | float | bool | None:
    """A cell, a long text by its beginning."""
    told = cell_to_json(cell)
    if isinstance(told, str) and len(told) > limits.MAX_SHOWN_CELL:
        return f"{told[: limits.MAX_SHOWN_CELL]}…"
    return told


@contextmanager
def _slot() -> Iterator[None]:
    """One of few: a search takes a processor."""
    if not _slots.acquire(timeout=limits.LOOKING_PATIENCE):
        raise Unavailable("Others are looking through rows. Please try again in a moment.", code="busy")
    try:
        yield
    finally:
        _slots.release()
