"""Whether a table's Parquet file is as it was written: by its ends, which costs nothing, or by all that it holds."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

_MARK = b"PAR1"
_LENGTH_BYTES = 4
_LEAST = 2 * len(_MARK) + _LENGTH_BYTES
_BATCH_ROWS = 65_536


def ends_hold(path: Path) -> bool:
    """Whether both ends of the file are in place, and its footer between them: a file that was cut off, or never
    written to its end, lacks the last one. Raises FileNotFoundError."""
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        if size < _LEAST:
            return False
        file.seek(0)
        first = file.read(len(_MARK))
        file.seek(-_LENGTH_BYTES - len(_MARK), os.SEEK_END)
        footer, last = int.from_bytes(file.read(_LENGTH_BYTES), "little"), file.read(len(_MARK))
    return first == last == _MARK and footer + _LEAST <= size


def decodes(path: Path, rows: int | None = None) -> bool:
    """Whether everything in the file can be read, which takes as long as reading it; `rows`: and whether it has so
    many. Raises FileNotFoundError."""
    import pyarrow as pa
    import pyarrow.parquet as parquet

    try:
        with parquet.ParquetFile(path, page_checksum_verification=True) as file:
            if rows is not None and file.metadata.num_rows != rows:
                return False
            for batch in file.iter_batches(batch_size=_BATCH_ROWS):
                batch.validate(full=True)
    except FileNotFoundError:
        raise
    except (pa.ArrowException, OSError):
        return False
    return True


def values_of(path: Path, columns: Sequence[str] | None = None) -> Any | None:
    """The list of a table's texts; None where it is gone or damaged: questions go on without it."""
    import pyarrow as pa
    import pyarrow.parquet as parquet

    try:
        return parquet.read_table(path, columns=list(columns) if columns is not None else None)
    except (pa.ArrowException, OSError):
        return None
