"""A source's page: its tables with their columns, what is missing, the spread of figures, the first rows."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from apps.datasources.cells import cell_to_json
from apps.datasources.models import DataTable, Source
from apps.datasources.selectors import source_row

SHOWN_VALUES = 20
"""Most frequent values told of each column."""


def source_profile(source: Source, *, viewer_id: UUID) -> dict[str, Any]:
    """`{source, tables}` as GET /files/profile says it."""
    return {
        "source": source_row(source, viewer_id=viewer_id),
        "tables": [_table(table) for table in source.tables.order_by("name")],
    }


def _table(row: DataTable) -> dict[str, Any]:
    from apps.analyst.tables.codec import table_from_json

    table = table_from_json(row.profile)
    columns = [
        {
            "name": column.name,
            "type": column.type,
            "role": column.role,
            "unit": column.unit,
            "distinct": column.distinct,
            "missing": column.missing,
            "minimum": cell_to_json(column.minimum),
            "maximum": cell_to_json(column.maximum),
            "values": [{"value": item.value, "count": item.count} for item in column.values[:SHOWN_VALUES]],
            "histogram": row.histograms.get(column.name, []),
        }
        for column in table.columns
    ]
    sample = {"columns": [column.name for column in table.columns], "rows": row.sample}
    return {"name": row.name, "rows": row.rows, "columns": columns, "sample": sample}
