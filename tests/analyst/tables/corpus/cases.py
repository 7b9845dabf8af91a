"""What a case of the corpus is, and the short words to write one down."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import xlsxwriter

Columns = Mapping[str, Sequence[object]]


@dataclass(frozen=True)
class Case:
    """A file, and how its reading must end: in `tables` (columns with their values, in their order), or `refused`."""

    id: str
    name: str
    make: Callable[[], bytes]
    tables: tuple[Columns, ...] = ()
    refused: str = ""
    """Words of the refusal; "" where it must give tables."""
    says: tuple[str, ...] = ()
    """Words that the report of the first table must hold."""
    in_child: bool = False
    """Read in the child process that production uses, also in a quick run."""
    rows: int | None = None
    """For tables too large to be written out: how many rows the first one has."""
    columns: int = 0
    """For tables wider than a product reads by default: how many columns they have."""
    either: bool = False
    """A table or a refusal will do, as long as it comes in time."""


def text(id_: str, content: str | bytes, columns: Columns, *says: str, encoding: str = "utf-8") -> Case:
    """A CSV file that must give this table."""
    data = content if isinstance(content, bytes) else content.encode(encoding)
    return Case(id_, "file.csv", lambda: data, (columns,), says=says)


def column(id_: str, cells: Sequence[str], values: Sequence[object], *says: str, head: str = "value") -> Case:
    """A CSV file with one column of interest beside one of letters."""
    lines = "".join(f'row {chr(97 + index)};"{cell}"\n' for index, cell in enumerate(cells))
    labels = [f"row {chr(97 + index)}" for index in range(len(cells))]
    return text(id_, f"label;{head}\n{lines}", {"label": labels, head: values}, *says)


def book(id_: str, fill: Callable[[Any], None], *tables: Columns, says: tuple[str, ...] = (), **options: Any) -> Case:
    """A workbook, filled through xlsxwriter, that must give these tables."""
    return Case(id_, "book.xlsx", lambda: made(fill, **options), tables, says=says)


def made(fill: Callable[[Any], None], **options: Any) -> bytes:
    """The bytes of a workbook filled through xlsxwriter."""
    out = io.BytesIO()
    opened = xlsxwriter.Workbook(out, {"in_memory": True, **options})
    fill(opened)
    opened.close()
    return out.getvalue()


def sheet(rows: Sequence[Sequence[object]], *, name: str | None = None, at: tuple[int, int] = (0, 0)) -> Any:
    """A filler that writes rows into one sheet."""

    def fill(opened: Any) -> None:
        page = opened.add_worksheet(name)
        for index, row in enumerate(rows):
            page.write_row(at[0] + index, at[1], row)

    return fill


def hostile(
    id_: str, make: bytes | Callable[[], bytes], refused: str = "", *, name: str = "file.csv", **more: Any
) -> Case:
    """A file made to hurt; `in_child=True` for those that are large or take long."""
    if isinstance(make, bytes):
        data = make
        return Case(id_, name, lambda: data, refused=refused, **more)
    return Case(id_, name, make, refused=refused, **more)
