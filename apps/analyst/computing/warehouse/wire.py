"""What goes over the pipe between the warehouse and its children: framed JSON, with raw buffers for columns of numbers.

Nothing here can be made to run code by a hostile peer: a child that was taken over can only send wrong values. Standard
library only, so that children start fast.
"""

from __future__ import annotations

import json
import math
import struct
from array import array
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Literal

WireKind = Literal["text", "integer", "decimal", "float", "boolean", "date", "datetime"]
HEAD = struct.Struct(">II")
"""Lengths of the JSON part and of the raw part that follows it."""

ROW_BYTES, FRAME_BYTES = 32 << 10, 1 << 20
"""What a result may take on the way: so much a row that was asked for, and so much in any case."""

_KINDS: tuple[tuple[str, WireKind], ...] = (
    ("DECIMAL", "decimal"),
    ("DOUBLE", "float"),
    ("FLOAT", "float"),
    ("TIMESTAMP", "datetime"),
    ("DATE", "date"),
    ("BOOL", "boolean"),
    ("BIGINT", "integer"),
    ("INTEGER", "integer"),
    ("HUGEINT", "integer"),
    ("SMALLINT", "integer"),
    ("TINYINT", "integer"),
    ("UBIGINT", "integer"),
    ("UINTEGER", "integer"),
    ("UHUGEINT", "integer"),
    ("USMALLINT", "integer"),
    ("UTINYINT", "integer"),
)


def kind_of(duckdb_type: str) -> WireKind:
    """The kind of value a DuckDB type holds; nested and unknown types are text."""
    upper = duckdb_type.upper()
    if upper.endswith("]") or upper.startswith(("STRUCT", "MAP", "UNION")):
        return "text"
    return next((kind for prefix, kind in _KINDS if upper.startswith(prefix)), "text")


def most_bytes(max_rows: int) -> int:
    """The largest frame that a result of so many rows may be."""
    return FRAME_BYTES + ROW_BYTES * max_rows


def pack(document: Mapping[str, Any], raw: bytes = b"") -> bytes:
    """One frame."""
    body = json.dumps(document, separators=(",", ":")).encode()
    return b"".join((HEAD.pack(len(body), len(raw)), body, raw))


# ---------------------------------------------------------------- parameters
def parameter_to_json(value: object) -> object:
    """A bound value, tagged where JSON has no word for it."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return {"f": repr(value)}
    if isinstance(value, Decimal):
        return {"n": str(value)}
    if isinstance(value, datetime):
        return {"t": value.isoformat()}
    if isinstance(value, date):
        return {"d": value.isoformat()}
    raise TypeError(f"{type(value).__name__} cannot be a query parameter")


def parameter_from_json(value: Any) -> object:
    """The bound value of `parameter_to_json`."""
    if not isinstance(value, dict):
        return value
    ((tag, text),) = value.items()
    if tag == "f":
        return float(text)
    if tag == "n":
        return Decimal(text)
    return datetime.fromisoformat(text) if tag == "t" else date.fromisoformat(text)


# ---------------------------------------------------------------- results
def pack_result(described: Sequence[tuple[str, str]], rows: Sequence[Sequence[Any]], total: int) -> bytes:
    """One frame with a result, column by column."""
    buffers: list[bytes] = []
    columns = []
    values_by_column = list(zip(*rows, strict=True)) if rows else [()] * len(described)
    for (name, duckdb_type), values in zip(described, values_by_column, strict=True):
        kind = kind_of(duckdb_type)
        entry: dict[str, Any] = {"name": name, "kind": kind}
        raw = _raw(kind, values)
        if raw is None:
            entry["values"] = [_plain(kind, value) for value in values]
        else:
            entry["raw"] = len(raw)
            buffers.append(raw)
        columns.append(entry)
    return pack({"columns": columns, "rows": len(rows), "total": total}, b"".join(buffers))


def _raw(kind: WireKind, values: Sequence[Any]) -> bytes | None:
    """The bytes of a column of numbers; NaN stands for a missing float. None where JSON has to carry it."""
    try:
        if kind == "float":
            return array("d", [math.nan if value is None else value for value in values]).tobytes()
        if kind == "integer":
            return array("q", values).tobytes()
    except (TypeError, OverflowError):
        return None
    return None


def _plain(kind: WireKind, value: Any) -> object:
    if value is None or kind in ("integer", "boolean"):
        return value
    if kind == "text":
        return value if isinstance(value, str) else _text(value)
    if kind == "datetime":
        return value.isoformat() if isinstance(value, datetime) else None
    return str(value)


def _text(value: Any) -> str:
    isoformat = getattr(value, "isoformat", None)
    return isoformat() if callable(isoformat) else str(value)


def unpack_result(
    document: Mapping[str, Any], raw: memoryview
) -> tuple[list[tuple[str, WireKind]], list[tuple[Any, ...]], int]:
    """Columns, rows and total of a result frame. Raises ValueError or KeyError where the frame is not one."""
    described: list[tuple[str, WireKind]] = []
    columns: list[Sequence[Any]] = []
    position = 0
    for entry in document["columns"]:
        kind: WireKind = entry["kind"]
        described.append((str(entry["name"]), kind))
        if "raw" in entry:
            size = int(entry["raw"])
            columns.append(_from_raw(kind, raw[position : position + size]))
            position += size
        else:
            columns.append(_from_plain(kind, entry["values"]))
    rows = list(zip(*columns, strict=True))
    if len(rows) != document["rows"]:
        raise ValueError("rows are missing")
    return described, rows, int(document["total"])


def _from_raw(kind: WireKind, raw: memoryview) -> Sequence[Any]:
    values: array[Any] = array("d" if kind == "float" else "q")
    values.frombytes(raw)
    if kind == "float":
        return [value if math.isfinite(value) else None for value in values]
    return values.tolist()


def _from_plain(kind: WireKind, values: Sequence[Any]) -> Sequence[Any]:
    if kind == "decimal":
        return [None if value is None else Decimal(value) for value in values]
    if kind == "date":
        return [None if value is None else date.fromisoformat(value) for value in values]
    if kind == "datetime":
        return [None if value is None else datetime.fromisoformat(value).replace(tzinfo=None) for value in values]
    return values
