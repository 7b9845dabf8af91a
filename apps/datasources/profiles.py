"""A source's page: its tables with their columns, what is missing, the spread of figures, the first rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from apps.datasources.cells import cell_to_json
from apps.datasources.models import CatalogState, DataTable, Source
from apps.datasources.selectors import source_row
from apps.datasources.ways import JoinJson, joins_said, joins_that_hold

SHOWN_VALUES = 20
"""Most frequent values told of each column."""


def source_profile(source: Source, *, viewer_id: UUID) -> dict[str, Any]:
    """`{source, tables}` as GET /files/profile says it."""
    state = CatalogState.objects.of(source.organization).first()
    joins = joins_that_hold(state.joins if state else [], joins_said(source.organization))
    return {
        "source": source_row(source, viewer_id=viewer_id),
        "tables": [_table(table, joins) for table in source.tables.order_by("name")],
    }


def _connections(name: str, joins: Sequence[JoinJson]) -> list[dict[str, Any]]:
    """The ways from a table to the organization's others, seen from the table."""
    found = []
    for join in joins:
        ends = [(join["left_table"], join["left_columns"]), (join["right_table"], join["right_columns"])]
        if name not in (join["left_table"], join["right_table"]):
            continue
        mine, other = ends if join["left_table"] == name else ends[::-1]
        found.append(
            {
                "columns": mine[1],
                "table": other[0],
                "table_columns": other[1],
                "match_rate": join["match_rate"],
                "refers": join["left_table"] == name,
            }
        )
    return found


def _table(row: DataTable, joins: Sequence[JoinJson]) -> dict[str, Any]:
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
            "unique": column.unique and table.rows > 1,
            "minimum": cell_to_json(column.minimum),
            "maximum": cell_to_json(column.maximum),
            "values": [{"value": item.value, "count": item.count} for item in column.values[:SHOWN_VALUES]],
            "histogram": row.histograms.get(column.name, []),
        }
        for column in table.columns
    ]
    sample = {"columns": [column.name for column in table.columns], "rows": row.sample}
    return {
        "name": row.name,
        "rows": row.rows,
        "columns": columns,
        "sample": sample,
        "connections": _connections(row.name, joins),
    }
