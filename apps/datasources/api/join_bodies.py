"""What callers say about ways between tables, parsed once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from apps.core.api.parameters import json_object
from apps.core.errors import Invalid
from apps.datasources.limits import MAX_JOIN_COLUMNS
from apps.datasources.ways import VERDICTS, End, Way
from apps.preferences.values import plain_text


@dataclass(frozen=True, slots=True)
class JoinSaying:
    """PUT /files/dictionary/joins {table, columns, other_table, other_columns, verdict}."""

    way: Way
    verdict: str


def parse_join_saying(data: object) -> JoinSaying:
    """Raises Invalid for anything else."""
    body = json_object(data)
    verdict = body.get("verdict")
    if not isinstance(verdict, str) or verdict not in VERDICTS:
        raise Invalid(f"verdict must be one of: {', '.join(VERDICTS)}.", code="not_a_choice")
    return JoinSaying(parse_way(data), verdict)


def parse_way(data: object) -> Way:
    """The way of {table, columns, other_table, other_columns}. Raises Invalid."""
    body = json_object(data)
    one, other = _end(body, "table", "columns"), _end(body, "other_table", "other_columns")
    if len(one.columns) != len(other.columns):
        raise Invalid("columns and other_columns must name as many columns.", code="not_in_pairs")
    return Way(one, other)


def _end(body: Mapping[str, Any], table: str, columns: str) -> End:
    named = body.get(columns)
    if not isinstance(named, list) or not 1 <= len(named) <= MAX_JOIN_COLUMNS:
        raise Invalid(f"{columns} must be a list of 1 to {MAX_JOIN_COLUMNS} columns.", code="not_columns")
    return End(plain_text(body.get(table), table, 255), tuple(plain_text(name, columns, 255) for name in named))
