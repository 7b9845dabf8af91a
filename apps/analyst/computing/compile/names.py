"""The one place where a name from outside becomes part of SQL text. Values never do: they are bound parameters."""

from __future__ import annotations

from apps.analyst.errors import PlanRejected


def identifier(name: str) -> str:
    """`name` as a quoted SQL identifier. Raises PlanRejected for a name no identifier can hold."""
    if not name or "\x00" in name:
        raise PlanRejected("A name in the plan is empty or holds a character that names cannot have.")
    return '"' + name.replace('"', '""') + '"'


def qualified(table: str, column: str) -> str:
    """A column of a scanned table, both names quoted."""
    return f"{identifier(table)}.{identifier(column)}"
