"""The content of a source to look at or to take home. Reads bytes; decides nothing about who may."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any
from uuid import UUID

from apps.analyst.errors import ReadFailed
from apps.analyst.tables.neutral import csv_line
from apps.core.errors import Gone, Invalid, NotFound
from apps.datasources import files, naming
from apps.datasources.cells import cell_to_text
from apps.datasources.limits import PREVIEW_BYTES, PREVIEW_ROWS
from apps.datasources.models import Source
from apps.datasources.services.missing import table_opened

if TYPE_CHECKING:
    from apps.accounts.models import User

AnswerFileReader = Callable[["User", UUID, UUID, str], Mapping[str, Any]]
"""user, thread id, message id, file name -> {filename, mime_type, content, encoding}; raises NotFound."""

_answer_file: AnswerFileReader | None = None


def answer_files_read_by(reader: AnswerFileReader) -> None:
    """Says who reads files of answers: GET /files serves both, and answers belong to an app above this one."""
    global _answer_file
    _answer_file = reader


def answer_file(user: User, thread_id: UUID, message_id: UUID, file_name: str) -> Mapping[str, Any]:
    """A file of one of the member's answers. Raises NotFound."""
    if _answer_file is None:
        raise NotFound
    return _answer_file(user, thread_id, message_id, file_name)


def source_content(source: Source) -> dict[str, Any]:
    """The beginning of a source as CSV text; `truncated` says whether there is more. Raises Gone, Invalid."""
    text, truncated = _sheet_text(source) if _is_workbook(source) else _original_text(source)
    return {
        "filename": source.file_name,
        "mime_type": "text/csv",
        "encoding": "plain",
        "content": text,
        "truncated": truncated,
    }


def _is_workbook(source: Source) -> bool:
    return naming.extension(source.stored.original_name) != "csv"


def _original_text(source: Source) -> tuple[str, bool]:
    from apps.analyst.tables.encoding import detect

    if not files.is_there(source.stored.key):
        raise Gone(f"{source.file_name} is gone from the storage. Please upload it again.")
    with files.open_original(source.stored.key) as file:
        head = file.read(PREVIEW_BYTES)
    truncated = source.stored.size > len(head)
    try:
        encoding = detect(files.local_path(source.stored.key), source.file_name)
    except ReadFailed as error:
        raise Invalid(error.message, code="not_text") from error
    text = head.decode(encoding, errors="replace").removeprefix("\ufeff")
    if truncated:
        text = text[: text.rfind("\n") + 1] or text
    return text.replace("\x00", ""), truncated


def _sheet_text(source: Source) -> tuple[str, bool]:
    table = source.tables.first()
    if table is None:
        return "", False
    import pyarrow.parquet as parquet

    with table_opened(table) as path, parquet.ParquetFile(path) as file:
        lines = [csv_line(file.schema_arrow.names, "\n")]
        batch = next(file.iter_batches(batch_size=PREVIEW_ROWS), None)
        rows = zip(*(column.to_pylist() for column in batch.columns), strict=True) if batch is not None else []
        lines += [csv_line((cell_to_text(cell) for cell in row), "\n") for row in rows]
    return "".join(lines), table.rows > PREVIEW_ROWS
