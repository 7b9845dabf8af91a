"""What the tests of reading files share: texts and workbooks in, tables out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from apps.analyst.tables import IngestedTable, ingest


class Read:
    """An ingested table and its rows as Parquet holds them."""

    def __init__(self, ingested: IngestedTable) -> None:
        import pyarrow.parquet as pq

        self.ingested = ingested
        self.table = ingested.table
        self.report = " | ".join(ingested.report)
        self.columns: dict[str, list[Any]] = pq.read_table(ingested.table.path).to_pydict()

    @property
    def names(self) -> list[str]:
        return [column.name for column in self.table.columns]

    @property
    def types(self) -> dict[str, str]:
        return {column.name: column.type for column in self.table.columns}

    @property
    def roles(self) -> dict[str, str]:
        return {column.name: column.role for column in self.table.columns}

    @property
    def rows(self) -> list[tuple[Any, ...]]:
        return list(zip(*self.columns.values(), strict=True))

    def unit(self, name: str) -> str | None:
        column = self.table.column(name)
        assert column is not None
        return column.unit


@pytest.fixture
def read_text(tmp_path: Path) -> Callable[..., Read]:
    """Writes a text as a CSV file and reads it back as a table."""

    def read(text: str | bytes, encoding: str = "utf-8", name: str = "file.csv") -> Read:
        path = tmp_path / "upload"
        path.write_bytes(text if isinstance(text, bytes) else text.encode(encoding))
        return Read(ingest(path, name, tmp_path / "out")[0])

    return read


@pytest.fixture
def read_column(read_text: Callable[..., Read]) -> Callable[..., Read]:
    """Reads cells as the second column ("value") of a table; the first counts the rows by letters."""

    def read(cells: Sequence[str], name: str = "value") -> Read:
        rows = "".join(f'row {index:04d};"{cell}"\n' for index, cell in enumerate(cells))
        return read_text(f"label;{name}\n{rows}")

    return read


@pytest.fixture
def read_workbook(tmp_path: Path) -> Callable[..., list[Read]]:
    """Writes a workbook through a function over its xlsxwriter object and reads its tables."""

    def read(fill: Callable[[Any], None], name: str = "book.xlsx") -> list[Read]:
        import xlsxwriter

        path = tmp_path / "book"
        book = xlsxwriter.Workbook(str(path))
        fill(book)
        book.close()
        return [Read(ingested) for ingested in ingest(path, name, tmp_path / "out")]

    return read
