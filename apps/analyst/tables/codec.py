"""Tables, columns, join paths and ingestion results to JSON-ready values and back, without loss."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from apps.analyst.tables.results import IngestedTable
from apps.analyst.types import Column, EmbeddedKey, JoinPath, Scalar, Table, ValueCount

Json = dict[str, Any]


def scalar_to_json(value: Scalar) -> object:
    """Texts, whole numbers, floats, truth values and None as they are; the rest tagged: {"decimal": "1.50"}."""
    if isinstance(value, Decimal):
        return {"decimal": str(value)}
    if isinstance(value, datetime):
        return {"datetime": value.isoformat()}
    if isinstance(value, date):
        return {"date": value.isoformat()}
    return value


def scalar_from_json(value: Any) -> Scalar:
    """The scalar of `scalar_to_json`."""
    if isinstance(value, Mapping):
        ((kind, text),) = value.items()
        if kind == "decimal":
            return Decimal(text)
        return datetime.fromisoformat(text) if kind == "datetime" else date.fromisoformat(text)
    result: Scalar = value
    return result


def column_to_json(column: Column) -> Json:
    """A column's profile, JSON-ready."""
    return {
        "name": column.name,
        "type": column.type,
        "role": column.role,
        "unit": column.unit,
        "distinct": column.distinct,
        "missing": column.missing,
        "minimum": scalar_to_json(column.minimum),
        "maximum": scalar_to_json(column.maximum),
        "values": [[item.value, item.count] for item in column.values],
        "values_complete": column.values_complete,
        "unique": column.unique,
        "description": column.description,
        "per_key": column.per_key,
    }


def column_from_json(data: Mapping[str, Any]) -> Column:
    """The column of `column_to_json`."""
    return Column(
        name=data["name"],
        type=data["type"],
        role=data["role"],
        unit=data["unit"],
        distinct=data["distinct"],
        missing=data["missing"],
        minimum=scalar_from_json(data["minimum"]),
        maximum=scalar_from_json(data["maximum"]),
        values=tuple(ValueCount(value, count) for value, count in data["values"]),
        values_complete=data["values_complete"],
        unique=data["unique"],
        description=data.get("description", ""),
        per_key=data.get("per_key", ""),
    )


def table_to_json(table: Table) -> Json:
    """A table with its columns, JSON-ready."""
    return {
        "name": table.name,
        "file_name": table.file_name,
        "path": str(table.path),
        "rows": table.rows,
        "columns": [column_to_json(column) for column in table.columns],
        "refreshed_at": table.refreshed_at.isoformat() if table.refreshed_at else None,
        "description": table.description,
        "values_path": str(table.values_path) if table.values_path else None,
    }


def table_from_json(data: Mapping[str, Any]) -> Table:
    """The table of `table_to_json`."""
    return Table(
        name=data["name"],
        file_name=data["file_name"],
        path=Path(data["path"]),
        rows=data["rows"],
        columns=tuple(column_from_json(column) for column in data["columns"]),
        refreshed_at=datetime.fromisoformat(data["refreshed_at"]) if data.get("refreshed_at") else None,
        description=data.get("description", ""),
        values_path=Path(data["values_path"]) if data.get("values_path") else None,
    )


def join_to_json(join: JoinPath) -> Json:
    """A join path, JSON-ready."""
    return {
        "left_table": join.left_table,
        "left_columns": list(join.left_columns),
        "right_table": join.right_table,
        "right_columns": list(join.right_columns),
        "match_rate": join.match_rate,
        "right_unique": join.right_unique,
        "fold": join.fold,
        "versions": join.versions,
        "embedded": asdict(join.embedded) if join.embedded is not None else None,
    }


def join_from_json(data: Mapping[str, Any]) -> JoinPath:
    """The join path of `join_to_json`."""
    return JoinPath(
        data["left_table"],
        tuple(data["left_columns"]),
        data["right_table"],
        tuple(data["right_columns"]),
        data["match_rate"],
        data["right_unique"],
        data["fold"],
        EmbeddedKey(**data["embedded"]) if data.get("embedded") else None,
        data.get("versions", False),
    )


def ingested_to_json(ingested: IngestedTable) -> Json:
    """An ingestion result, JSON-ready."""
    return {
        "name": ingested.name,
        "file_name": ingested.file_name,
        "table": table_to_json(ingested.table),
        "report": list(ingested.report),
        "sample": [[scalar_to_json(cell) for cell in row] for row in ingested.sample],
        "histograms": {name: list(bins) for name, bins in ingested.histograms.items()},
    }


def ingested_from_json(data: Mapping[str, Any]) -> IngestedTable:
    """The ingestion result of `ingested_to_json`."""
    return IngestedTable(
        data["name"],
        data["file_name"],
        table_from_json(data["table"]),
        tuple(data["report"]),
        tuple(tuple(scalar_from_json(cell) for cell in row) for row in data["sample"]),
        {name: tuple(bins) for name, bins in data["histograms"].items()},
    )
