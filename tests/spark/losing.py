"""Losing a worker in the middle of a query: the moment is read from what its executor says it has done."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from typing import TypeVar

from tests.spark.cluster import Cluster

T = TypeVar("T")
PATIENCE = 300.0


def losing(cluster: Cluster, worker: str, query: Callable[[], T]) -> T:
    """What `query` gives although `worker` is killed once it has done a part of it. Raises where it was not in time."""
    before = len(_done(cluster, worker))
    found: list[T] = []
    failed: list[BaseException] = []

    def ask() -> None:
        try:
            found.append(query())
        except BaseException as error:
            failed.append(error)

    asking = threading.Thread(target=ask)
    asking.start()
    end = time.monotonic() + PATIENCE
    while asking.is_alive() and len(_done(cluster, worker)) <= before:
        if time.monotonic() > end:
            raise RuntimeError(f"{worker} was given nothing to do")
        time.sleep(0.01)
    cluster.freeze(worker)
    in_the_middle = asking.is_alive()
    cluster.kill(worker)
    asking.join()
    if failed:
        raise failed[0]
    if not in_the_middle:
        raise RuntimeError("the query was done before a worker could be lost: it needs more rows")
    return found[0]


def _done(cluster: Cluster, worker: str) -> list[str]:
    """The tasks that the worker's executors say they have finished."""
    said = [log.read_text(errors="replace") for log in cluster.executor_logs(worker)]
    return re.findall(r"Finished task \S+ in stage \S+", "\n".join(said))
