"""The child that reads one very wide catalog: takes its tables, then answers calls until its line is closed. Of a newer
version of the catalog it takes what is new.

Run as `python -m apps.analyst.approaches.aside_child FD MEGABYTES` by `aside`, which kills it. It computes nothing
itself: queries go back over the line. The engine is imported only once the tables are here, so that the other end need
not wait with them.
"""

from __future__ import annotations

import contextlib
import gc
import resource
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from apps.analyst.errors import AnalystError
from apps.analyst.types import JoinPath, Result, ResultColumn, Scalar, Table

if TYPE_CHECKING:
    from apps.analyst.approaches.checking import Check, Given, Selected
    from apps.analyst.approaches.recounting import Recounted, Way
    from apps.analyst.plan import Plan
    from apps.analyst.ports import Catalog
    from apps.analyst.types import Question, Step

LEARNING = "Looking through your tables"
"""The step of a child that starts; a question waits for it longer than reading one may take."""
_AGAIN_SECONDS = 0.1


class Broken(Exception):
    """What was asked of a child failed in it; the words are the kinds of what was raised there."""


def taken(kind: str, content: Any) -> Any:
    """The content of a message that ends something. Raises the error that it tells of."""
    if kind == "done":
        return content
    if kind == "refused":
        raise content
    raise Broken(content)


class _FarEnd:
    """The process at the other end of the line: its warehouse (apps.analyst.ports.Warehouse), and what else it does
    for this one. A check asks from several threads."""

    def __init__(self, line: Connection) -> None:
        self._line = line
        self._sending, self._asking = threading.Lock(), threading.Lock()

    def told(self, step: Step) -> None:
        """Passes a step on."""
        with self._sending:
            self._line.send(("step", step))

    def recount(self, way: Way, plan: Plan, catalog: Catalog) -> Recounted:
        """`recounting.recount_in_child`, over there. Raises what that raises."""
        found: Recounted = self._asked("recount", way, plan)
        return found

    def voice(self, place: int) -> Given:
        """What a model says that was asked over there. Others may ask while it is awaited. Raises AnalystError."""
        said: Given | None = self._asked("voice", place)
        while said is None:
            time.sleep(_AGAIN_SECONDS)
            said = self._asked("voice", place)
        return said

    def _asked(self, what: str, *content: object) -> Any:
        with self._asking:
            with self._sending:
                self._line.send((what, content))
            return taken(*self._line.recv())

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
        found: Result = self._asked("query", (sql, parameters), limits)
        return found


def main(line: Connection) -> None:
    """Serves the other end until it closes."""
    tables: dict[str, Table] = {}
    calls: Mapping[str, Callable[..., object]] = {}
    while True:
        what, content = line.recv()
        if what in ("table", "catalog"):
            # The collector would walk again and again through values that all stay, for a third of the time.
            gc.disable()
        if what == "table":
            tables[content.name] = content
        elif what == "catalog":
            version, names, joins = content
            tables = {name: tables[name] for name in names}
            calls = _learned(version, tuple(tables.values()), joins, line)
            gc.freeze()
            gc.enable()
            line.send(("done", None))
        else:
            try:
                line.send(_said(calls, what, content))
            except MemoryError:
                return


def _said(calls: Mapping[str, Callable[..., object]], what: str, arguments: Sequence[object]) -> tuple[str, object]:
    """What a call gives, or how it ends, as a message. Raises MemoryError."""
    try:
        return "done", calls[what](*arguments)
    except AnalystError as error:
        return "refused", error
    except MemoryError:
        raise
    except Exception as error:
        # The kinds alone: the words of an error may quote cells.
        return "broken", f"{type(error).__name__} in {what}"


def _learned(
    version: str, tables: tuple[Table, ...], joins: tuple[JoinPath, ...], line: Connection
) -> Mapping[str, Callable[..., object]]:
    """What may be called. What every question needs of the catalog is made here, in nobody's time. What was made of an
    earlier version is let go."""
    from apps.analyst.dictionary import cache
    from apps.analyst.language import lexicon
    from apps.analyst.reading import index
    from apps.analyst.tables.catalog import FixedCatalog

    for kept in (cache, index, lexicon):
        kept.forget()
    catalog = FixedCatalog(version, tables, joins)
    index.index_of(catalog)
    lexicon.build(catalog)
    return _calls(catalog, line)


def _calls(catalog: Catalog, line: Connection) -> Mapping[str, Callable[..., object]]:
    from apps.analyst.approaches import choosing
    from apps.analyst.pipeline import answer, suggest
    from apps.analyst.telling.followups import answerable

    far = _FarEnd(line)
    return {
        "answer": lambda question: answer(question, catalog=catalog, warehouse=far, emit=far.told),
        "suggest": lambda count: suggest(catalog, count),
        "can_answer": lambda question: answerable(question, catalog),
        "check": partial(_checked, catalog, far),
        "offered": lambda *asked: choosing.offered(*asked, catalog=catalog, warehouse=far),
        "take": lambda asked, key, always: choosing.take(asked, key, always=always, catalog=catalog, warehouse=far),
    }


def _checked(
    catalog: Catalog,
    far: _FarEnd,
    question: Question,
    selected: Selected,
    models: Sequence[str],
    beside: Sequence[Selected],
) -> Check:
    from apps.analyst.approaches.checking import Ports, check

    voices = tuple((name, partial(far.voice, place)) for place, name in enumerate(models))
    return check(question, selected, Ports(catalog, far, far.recount, far.told, voices), beside)


if __name__ == "__main__":
    most = int(sys.argv[2]) << 20
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        main(Connection(int(sys.argv[1])))
