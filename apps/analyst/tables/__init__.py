"""Files as people have them become typed, profiled Parquet tables that can be joined.

Nothing heavy is imported here: readers and writers load when they are first used.
"""

from apps.analyst.tables.ingestion import ingest
from apps.analyst.tables.results import IngestedTable, IngestProgress, Progress
from apps.analyst.tables.supervision import IngestLimits, run_in_child

__all__ = ["IngestLimits", "IngestProgress", "IngestedTable", "Progress", "ingest", "run_in_child"]
