"""Files as people have them become typed, profiled Parquet tables that can be joined.

Nothing is imported here before it is asked for: whoever waits for a child that reads needs no reader, and the child
none of what waits for it.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from apps.analyst.tables.ingestion import ingest
    from apps.analyst.tables.results import IngestedTable, IngestProgress, Progress
    from apps.analyst.tables.supervision import IngestLimits, run_in_child

_HOMES = {
    "ingest": "ingestion",
    "IngestedTable": "results",
    "IngestProgress": "results",
    "Progress": "results",
    "IngestLimits": "supervision",
    "run_in_child": "supervision",
}
__all__ = ["IngestLimits", "IngestProgress", "IngestedTable", "Progress", "ingest", "run_in_child"]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(name)
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
