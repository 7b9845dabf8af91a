"""The engine as this process holds it: made once, when first needed, because its imports take longer than a start may.

Which one is a setting, so that tests can bring a scripted one; everything else only sees `Engine`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from django.conf import settings
from django.utils.module_loading import import_string

if TYPE_CHECKING:
    from apps.accounts.models import Organization
    from apps.analyst.approaches.checking import Check, Selected, Voice
    from apps.analyst.approaches.choosing import Asked, Offer, Taken
    from apps.analyst.approaches.models.layer import Talk
    from apps.analyst.ports import Catalog, Emit, Warehouse
    from apps.analyst.types import Answer, Question


class AnswerFunction(Protocol):
    """The engine's one entrance: `apps.analyst.pipeline.answer`."""

    def __call__(self, question: Question, *, catalog: Catalog, warehouse: Warehouse, emit: Emit) -> Answer: ...


class CheckFunction(Protocol):
    """The entrance of a check: `apps.analyst.approaches.checking.check` with its way of recounting."""

    def __call__(
        self,
        question: Question,
        selected: Selected,
        *,
        catalog: Catalog,
        warehouse: Warehouse,
        emit: Emit,
        models: tuple[tuple[str, Voice], ...],
        beside: tuple[Selected, ...],
    ) -> Check: ...


class OfferFunction(Protocol):
    """The entrance of other readings: `apps.analyst.approaches.choosing.offered`."""

    def __call__(self, asked: Asked, lessons: int, *, catalog: Catalog, warehouse: Warehouse) -> list[Offer]: ...


class TakeFunction(Protocol):
    """The entrance of a chosen reading: `apps.analyst.approaches.choosing.take`."""

    def __call__(self, asked: Asked, key: str, *, always: bool, catalog: Catalog, warehouse: Warehouse) -> Taken: ...


def _offered_here(asked: Asked, lessons: int, *, catalog: Catalog, warehouse: Warehouse) -> list[Offer]:
    from apps.analyst.approaches.choosing import offered

    return offered(asked, lessons, catalog=catalog, warehouse=warehouse)


def _taken_here(asked: Asked, key: str, *, always: bool, catalog: Catalog, warehouse: Warehouse) -> Taken:
    from apps.analyst.approaches.choosing import take

    return take(asked, key, always=always, catalog=catalog, warehouse=warehouse)


@dataclass(frozen=True, slots=True)
class Engine:
    """What answering needs: the entrance, the catalog of an organization, and the warehouse of this process."""

    answer: AnswerFunction
    catalog_of: Callable[[Organization], Catalog]
    warehouse: Warehouse
    suggest: Callable[[Catalog, int], list[str]]
    close: Callable[[], None]
    can_answer: Callable[[str, Catalog], bool] | None = None
    """Whether a question can be answered over a catalog; None where nobody can tell."""
    check: CheckFunction | None = None
    """None: answers cannot be checked (an engine of a test)."""
    talk: Talk | None = None
    """Asks a language model; None where none is configured."""
    route: Callable[[Catalog], Warehouse] | None = None
    """Which warehouse answers for an organization; None: always the same."""
    sandbox: Warehouse | None = None
    """Where queries that a model wrote run; None: where all do."""
    offered: OfferFunction = _offered_here
    take: TakeFunction = _taken_here
    is_wide: Callable[[Catalog], bool] = lambda _: False
    """Whether a catalog has too many columns to be read in this process."""
    ready: Callable[[Catalog], None] = lambda _: None
    """Reads such a catalog ahead of its questions."""

    def over(self, catalog: Catalog) -> Engine:
        """This engine with the warehouse that answers for the catalog's organization. What a model wrote stays in this
        machine's query children, whose gate and limits it was checked for."""
        if self.route is None:
            return self
        return replace(self, warehouse=self.route(catalog), sandbox=self.sandbox or self.warehouse)


_engine: Engine | None = None
_lock = threading.Lock()


def current() -> Engine:
    """The engine of this process."""
    global _engine
    if _engine is None:
        with _lock:
            if _engine is None:
                _engine = import_string(getattr(settings, "ENGINE", "apps.threads.engine.local"))()
    assert _engine is not None
    return _engine


def use(engine: Engine | None) -> None:
    """Puts another engine in place; None makes the next call build the configured one."""
    global _engine
    _engine = engine


def close() -> None:
    """Ends what the engine started, at the end of the process."""
    global _engine
    engine, _engine = _engine, None
    if engine is not None:
        engine.close()


def local() -> Engine:
    """The built-in analyst over Parquet files. Its queries run in child processes, and so does reading wide tables."""
    from apps.analyst.approaches.aside import Aside
    from apps.analyst.approaches.models.layer import talk
    from apps.analyst.computing.warehouse.child_process import ChildLimits, scratch_sweep
    from apps.analyst.computing.warehouse.pool import ChildWarehouse
    from apps.datasources.catalog import catalog_of

    scratch = settings.DATA_DIR / "tmp"
    scratch_sweep(scratch)
    warehouse, aside = ChildWarehouse(limits=ChildLimits(scratch_in=scratch)), Aside()
    route, close_cluster = _routing(warehouse)

    def close() -> None:
        aside.close()
        warehouse.close()
        close_cluster()

    return Engine(
        answer=aside.answer,
        catalog_of=catalog_of,
        warehouse=warehouse,
        suggest=aside.suggest,
        close=close,
        can_answer=aside.can_answer,
        check=aside.check,
        talk=talk,
        route=route,
        offered=aside.offered,
        take=aside.take,
        is_wide=aside.is_wide,
        ready=aside.ready,
    )


def _routing(near: Warehouse) -> tuple[Callable[[Catalog], Warehouse] | None, Callable[[], None]]:
    """Where large organizations are answered, if a cluster is configured, and what ends it with the process."""
    if not settings.SPARK_MASTER:
        return None, lambda: None
    from apps.analyst.computing.warehouse.routing import Routing
    from apps.analyst.computing.warehouse.spark.process import drivers_sweep
    from apps.analyst.computing.warehouse.spark.warehouse import SparkWarehouse

    drivers_sweep()
    cluster = SparkWarehouse(settings.SPARK_MASTER, settings.SPARK_PYTHON)
    return Routing(near, cluster, above_rows=settings.SPARK_ABOVE_ROWS), cluster.close
