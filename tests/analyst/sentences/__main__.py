"""Writes the golden file anew: `python -m tests.analyst.sentences`. Read what changed before it is kept."""

from __future__ import annotations

import tempfile
from pathlib import Path

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from tests.analyst.sentences.said import everything_said
from tests.analyst.sentences.tables import catalog_of

GOLDEN = Path(__file__).parent / "said.txt"

if __name__ == "__main__":
    warehouse = LocalWarehouse()
    with tempfile.TemporaryDirectory() as folder:
        GOLDEN.write_text(everything_said(catalog_of(Path(folder)), warehouse), encoding="utf-8")
    warehouse.close()
