"""Stored tables as the engine describes them, each made of its row once while it is asked for: the catalog of a new
version, the search for joins and the likely sources of a question need all of them at about the same time."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from apps.datasources.models import DataTable

if TYPE_CHECKING:
    from apps.analyst.types import Table

KEPT_SECONDS = 45.0

_kept: dict[UUID, _Kept] = {}
_lock = threading.Lock()


@dataclass(slots=True)
class _Kept:
    """A table with the time when it was last asked for."""

    table: Table
    used: float


def tables_described(keys: Iterable[UUID]) -> dict[UUID, Table]:
    """The tables of these rows, without their places on disk; a row's profile never changes. One query for those that
    are not kept; rows that are gone are left out."""
    from apps.analyst.tables.codec import table_from_json

    described_forget()
    wanted, now = list(keys), time.monotonic()
    with _lock:
        found = {key: kept for key in wanted if (kept := _kept.get(key)) is not None}
    missing = [key for key in wanted if key not in found]
    for key, profile in DataTable.objects.filter(pk__in=missing).values_list("pk", "profile").iterator(chunk_size=1):
        found[key] = _Kept(table_from_json(profile), now)
    with _lock:
        for key, kept in found.items():
            kept.used = now
            _kept[key] = kept
    return {key: found[key].table for key in wanted if key in found}


def described_forget(unused_for: float = KEPT_SECONDS) -> None:
    """Lets go of tables that nobody asked for lately."""
    until = time.monotonic() - unused_for
    with _lock:
        for key in [key for key, kept in _kept.items() if kept.used <= until]:
            del _kept[key]
