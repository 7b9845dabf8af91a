"""The driver: a process of its own that holds the Spark session and answers questions on a socket of its parent.

It runs in Spark's own environment (pyspark and sqlglot beside the standard library), so nothing of the engine but this
package and `wire` may be imported here. A question is one connection: closing it cancels the query. The process ends
with its parent, and Spark's with it.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from apps.analyst.computing.warehouse import wire

MAX_SCHEMAS = 256
_OWN = {
    "spark.app.name": "plumbline",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.ansi.enabled": "true",
    "spark.sql.caseSensitive": "false",
    "spark.sql.runSQLOnFiles": "false",
    "spark.sql.mapKeyDedupPolicy": "EXCEPTION",
    "spark.sql.artifact.isolation.enabled": "false",
    "spark.scheduler.mode": "FAIR",
    # A cancelled task that does not stop by itself is ended with its executor, which Spark replaces.
    "spark.task.reaper.enabled": "true",
    "spark.task.reaper.pollingInterval": "1s",
    "spark.task.reaper.killTimeout": "5s",
}
"""What figures and safety stand on; options may not change these."""


class Asked:
    """Everything about one question: its views are its own, and gone when it is answered."""

    def __init__(self, session: Any, schemas: Schemas, question: Mapping[str, Any]) -> None:
        self._session = session
        self._schemas = schemas
        self._question = question
        self._tag = f"run{question['id']}"
        self._views: list[str] = []

    def answer(self) -> bytes:
        """One frame: a result, or {"error": ...}."""
        # Both are imported here: before the session stands, a missing one is told as what it is.
        from apps.analyst.computing.warehouse.spark.dialect import spoken
        from apps.analyst.computing.warehouse.spark.pieces import NotOnSpark

        question = self._question
        names = {name: f"run_{question['id']}_{place}" for place, name in enumerate(sorted(question["tables"]))}
        self._session.sparkContext.setJobGroup(self._tag, "a question", interruptOnCancel=True)
        try:
            said = spoken(question["sql"], names)
            for name, view in names.items():
                self._register(view, question["tables"][name], placed=name in said.placed)
            parameters = {f"p{i + 1}": wire.parameter_from_json(v) for i, v in enumerate(question["parameters"])}
            return self._run(said.sql, parameters, question["max_rows"])
        except NotOnSpark as error:
            return wire.pack({"error": str(error)})
        except Exception as error:  # Spark's errors have no family of their own over py4j
            return wire.pack({"error": told(error)})
        finally:
            for view in self._views:
                with contextlib.suppress(Exception):
                    self._session.catalog.dropTempView(view)

    def cancel(self) -> None:
        """Ends the jobs of this question."""
        with contextlib.suppress(Exception):
            self._session.sparkContext.cancelJobGroup(self._tag)

    def _register(self, view: str, file: Mapping[str, Any], *, placed: bool) -> None:
        frame = self._schemas.frame(self._session, file)
        frame.createOrReplaceTempView(view)
        self._views.append(view)
        if placed:
            frame.selectExpr("*", "_metadata.row_index + 1 AS `(row number)`").createOrReplaceTempView(view + "_placed")
            self._views.append(view + "_placed")

    def _run(self, sql: str, parameters: Mapping[str, Any], max_rows: int) -> bytes:
        frame = self._session.sql(sql, args=dict(parameters))
        described = [(field.name, _kind(field.dataType)) for field in frame.schema.fields]
        rows = [tuple(row) for row in frame.limit(max_rows + 1).collect()]
        total = len(rows)
        if total > max_rows:
            rows, total = rows[:max_rows], int(frame.count())
        return wire.pack_result(described, rows, total)


class Schemas:
    """The schemas of files that were read before, so that their footers need not be asked again."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[Any, ...], Any] = OrderedDict()
        self._lock = threading.Lock()

    def frame(self, session: Any, file: Mapping[str, Any]) -> Any:
        """The file's rows."""
        key = (file["path"], *file["version"])
        with self._lock:
            schema = self._known.get(key)
        if schema is not None:
            return session.read.schema(schema).parquet(file["path"])
        frame = session.read.parquet(file["path"])
        with self._lock:
            self._known[key] = frame.schema
            while len(self._known) > MAX_SCHEMAS:
                self._known.popitem(last=False)
        return frame


def _kind(data_type: Any) -> str:
    """A Spark type by the name that `wire.kind_of` knows."""
    name: str = data_type.simpleString().upper()
    return {"STRING": "VARCHAR", "LONG": "BIGINT", "VOID": "INTEGER", "INT": "INTEGER"}.get(name, name)


def told(error: Exception) -> str:
    """The first line of an error, without Spark's own class names in front."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
    line = next((found for found in lines if found.startswith(("[", "Caused by"))), lines[0])
    return line[:400]


# ---------------------------------------------------------------- serving
def open_session(settings: Mapping[str, Any]) -> Any:
    """The session on the configured master. Whatever is wrong is raised."""
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(settings["master"])
    for name, value in {**settings["options"], **_OWN}.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session


def serve(listener: socket.socket, session: Any) -> None:
    """Answers connections, each in a thread of its own, until Spark is gone."""
    schemas = Schemas()
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=_converse, args=(connection, session, schemas), daemon=True).start()


def _converse(connection: socket.socket, session: Any, schemas: Schemas) -> None:
    with contextlib.suppress(OSError, ValueError, KeyError), connection, connection.makefile("rb") as source:
        head = source.read(wire.HEAD.size)
        if len(head) < wire.HEAD.size:
            return
        asked = Asked(session, schemas, json.loads(source.read(wire.HEAD.unpack(head)[0])))
        done = threading.Event()
        threading.Thread(target=_watch, args=(source, asked, done), daemon=True).start()
        frame = asked.answer()
        done.set()
        if session.sparkContext._jsc.sc().isStopped():
            frame = wire.pack({"away": "The cluster ended the application."})
        connection.sendall(frame)


def _watch(source: Any, asked: Asked, done: threading.Event) -> None:
    """Cancels the query when the other side has gone; again and again, as it may not have begun to run yet."""
    with contextlib.suppress(OSError, ValueError):
        source.read(1)
    while not done.wait(0.2):
        asked.cancel()


def _end_with_parent() -> None:
    """Ends the process, and Spark's with it, when the parent has closed the input."""
    sys.stdin.buffer.read()
    os._exit(0)


def main() -> None:
    """Serves until the input closes."""
    os.environ["TZ"] = "UTC"
    time.tzset()
    output = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    settings = json.loads(sys.stdin.buffer.readline())
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        session = open_session(settings)
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(settings["socket"])
            listener.listen(16)
            print(json.dumps({"ready": True}), file=output, flush=True)
            serve(listener, session)
    except ImportError as error:
        print(json.dumps({"missing": str(error)}), file=output, flush=True)
    except Exception as error:
        print(json.dumps({"error": told(error)}), file=output, flush=True)
    os._exit(1)


if __name__ == "__main__":
    main()
