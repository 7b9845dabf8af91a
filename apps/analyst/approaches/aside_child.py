"""The child that reads one very wide catalog: takes its tables, then answers calls until its line is closed.

Run as `python -m apps.analyst.approaches.aside_child FD MEGABYTES` by `aside`, which kills it. It computes nothing
itself: queries go back over the line. The engine is imported only once the tables are here, so that the other end need
not wait with them.
"""

from __future__ import annotations

import contextlib
import gc
import resource
import sys
from collections.abc import Callable, Mapping, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from apps.analyst.errors import AnalystError
from apps.analyst.types import JoinPath, Result, ResultColumn, Scalar, Table

if TYPE_CHECKING:
    from apps.analyst.ports import Catalog


class Broken(Exception):
    """What was asked of a child failed in it; the words are the kinds of what was raised there."""


def taken(kind: str, content: Any) -> Any:
    """The content of a message that ends something. Raises the error that it tells of."""
    if kind == "done":
        return content
    if kind == "refused":
        raise content
    raise Broken(content)


class _FarWarehouse:
    """The warehouse at the other end of the line (apps.analyst.ports.Warehouse)."""

    def __init__(self, line: Connection) -> None:
        self._line = line

    def query(
        self,
        sql: str,
        parameters: Sequence[Scalar],
        *,
        tables: dict[str, Path],
        columns: Sequence[ResultColumn] | None = None,
        max_rows: int = 10_000,
        timeout: float = 30.0,
    ) -> Result:
        """The rows. Raises QueryFailed."""
        limits = {"tables": tables, "columns": columns, "max_rows": max_rows, "timeout": timeout}
        self._line.send(("query", ((sql, parameters), limits)))
        found: Result = taken(*self._line.recv())
        return found


def main(line: Connection) -> None:
    """Serves the other end until it closes."""
    # The collector would walk again and again through values that all stay, for a third of the time.
    gc.disable()
    tables: list[Table] = []
    kind, content = line.recv()
    while kind == "table":
        tables.append(content)
        kind, content = line.recv()
    version, joins = content
    calls = _learned(version, tuple(tables), joins, line)
    gc.freeze()
    gc.enable()
    line.send(("done", None))
    while True:
        what, arguments = line.recv()
        try:
            said: tuple[str, object] = ("done", calls[what](*arguments))
        except AnalystError as error:
            said = ("refused", error)
        except MemoryError:
            return
        except Exception as error:
            # The kinds alone: the words of an error may quote cells.
            said = ("broken", f"{type(error).__name__} in {what}")
        line.send(said)


def _learned(
    version: str, tables: tuple[Table, ...], joins: tuple[JoinPath, ...], line: Connection
) -> Mapping[str, Callable[..., object]]:
    """What may be called. What every question needs of the catalog is made here, in nobody's time."""
    from apps.analyst.language import lexicon
    from apps.analyst.reading.index import index_of
    from apps.analyst.tables.catalog import FixedCatalog

    catalog = FixedCatalog(version, tables, joins)
    index_of(catalog)
    lexicon.build(catalog)
    return _calls(catalog, line)


def _calls(catalog: Catalog, line: Connection) -> Mapping[str, Callable[..., object]]:
    from apps.analyst.pipeline import answer, suggest
    from apps.analyst.telling.followups import answerable

    warehouse = _FarWarehouse(line)
    return {
        "answer": lambda question: answer(
            question, catalog=catalog, warehouse=warehouse, emit=lambda step: line.send(("step", step))
        ),
        "suggest": lambda count: suggest(catalog, count),
        "can_answer": lambda question: answerable(question, catalog),
    }


if __name__ == "__main__":
    most = int(sys.argv[2]) << 20
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        main(Connection(int(sys.argv[1])))
