"""Workers on threads of the serving process, the regular sweep, and what each app wants done at start and end.

An app says what it wants in its AppConfig, as dotted paths of functions without arguments: `embedded_start` (once,
before anything is served, in the only process: unfinished work is orphaned), `embedded_tick` (every few seconds),
`embedded_warm` (once, beside serving) and `embedded_stop` (once, after the workers ended).
"""

from __future__ import annotations

import gc
import logging
import threading
from collections.abc import Callable, Iterator
from importlib import import_module

import dramatiq
from django.apps import apps
from django.conf import settings
from django.db import close_old_connections, connections
from django.utils.module_loading import import_string, module_has_submodule
from dramatiq import Broker, Worker

logger = logging.getLogger("apps.jobs")

TICK_SECONDS = 5.0
GC_THRESHOLDS = (20_000, 20, 20)
"""A question makes tens of thousands of values that die with it: at 700, Python's own, each is looked at often."""
STOP_MILLISECONDS = 5_000


class EmbeddedWorkers:
    """All job queues of the product on threads of this process.

    Each queue has threads of its own, so that a long ingestion never keeps a question waiting.
    """

    def __init__(self, broker: Broker | None = None) -> None:
        self.broker = broker or dramatiq.get_broker()
        self._workers: list[Worker] = []
        self._stopping = threading.Event()
        self._clock = threading.Thread(target=self._tick, name="sweep", daemon=True)

    def start(self, *, alone: bool = True) -> None:
        """Declares the actors and starts the threads.

        `alone` says that no other process works on the same data: then all unfinished work is an earlier process's, and
        is taken over. With others, the sweep finds what was lost by its lease.
        """
        for config in apps.get_app_configs():
            if config.module is not None and module_has_submodule(config.module, "tasks"):
                import_module(f"{config.name}.tasks")
        # Nobody else says so in a process that is not dramatiq's own: without it the shutdown middleware never starts.
        self.broker.emit_after("process_boot")
        for function in _wanted("embedded_start") if alone else ():
            _guarded(function)
        for queue in sorted({actor.queue_name for actor in self.broker.actors.values()}):
            worker = Worker(self.broker, queues={queue}, worker_threads=settings.WORKER_THREADS)
            worker.start()
            self._workers.append(worker)
        self._clock.start()

    def warm(self) -> None:
        """Loads what the first job would otherwise wait for. Takes seconds: call it beside serving, not before."""
        for function in _wanted("embedded_warm"):
            _guarded(function)
        connections.close_all()
        # What is loaded now stays: the collector need not walk through it again in the middle of an answer.
        gc.collect()
        gc.freeze()
        gc.set_threshold(*GC_THRESHOLDS)

    def alive(self) -> bool:
        """True while every worker thread runs."""
        threads = [thread for worker in self._workers for thread in (*worker.workers, *worker.consumers.values())]
        return bool(threads) and all(thread.is_alive() for thread in threads)

    def stop(self) -> None:
        """Ends the threads; jobs that are told of a shutdown give their work back."""
        self._stopping.set()
        stoppers = [
            threading.Thread(target=worker.stop, kwargs={"timeout": STOP_MILLISECONDS}) for worker in self._workers
        ]
        for stopper in stoppers:
            stopper.start()
        for stopper in stoppers:
            stopper.join()
        for function in _wanted("embedded_stop"):
            _guarded(function)
        self.broker.close()

    def _tick(self) -> None:
        while not self._stopping.wait(TICK_SECONDS):
            close_old_connections()
            for function in _wanted("embedded_tick"):
                _guarded(function)
        connections.close_all()


def _wanted(moment: str) -> Iterator[Callable[[], object]]:
    for config in apps.get_app_configs():
        path = getattr(config, moment, None)
        if path:
            yield import_string(path)


def _guarded(function: Callable[[], object]) -> None:
    """One app's failure must neither stop the others nor the next tick."""
    try:
        function()
    except Exception:
        logger.exception("%s.%s failed", function.__module__, function.__qualname__)
