"""A warehouse for one question: several readings of it often come to one statement and call its columns differently
("Total amount", "total_amount"). It is run once.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from apps.analyst.computing.warehouse.shaping import to_result
from apps.analyst.ports import Warehouse
from apps.analyst.types import Result, ResultColumn, Scalar


class OnceWarehouse:
    """Runs what was not run before. It lives no longer than a question: tables may change after it."""

    def __init__(self, warehouse: Warehouse) -> None:
        self._warehouse = warehouse
        self._known: dict[tuple[object, ...], Result] = {}

    def query(
        self,
        sql: str,
        parameters: Sequence[Scalar],
        *,
        tables: dict[str, Path],
        columns: Sequence[ResultColumn] | None = None,
        max_rows: int = 10_000,
        timeout: float = 30.0,
    ) -> Result:
        """As the warehouse below answers it. Raises QueryFailed, each time anew."""
        values = tuple((type(value), value) for value in parameters)  # 1 and True are no one value
        key = (_nameless(sql, columns), values, tuple(sorted(tables.items())), max_rows)
        known = self._known.get(key)
        if known is None:
            known = self._warehouse.query(
                sql, parameters, tables=tables, columns=columns, max_rows=max_rows, timeout=timeout
            )
            self._known[key] = known
            return known
        return to_result(
            [(column.name, column.type) for column in known.columns], known.rows, known.total_rows, columns
        )


def _nameless(sql: str, columns: Sequence[ResultColumn] | None) -> str:
    """The statement with numbers for the names of its columns. A name that it refers to elsewhere stays there, so that
    only statements that do the same become alike."""
    for place, column in enumerate(columns or ()):
        name = column.name.replace('"', '""')
        sql = sql.replace(f' AS "{name}"', f' AS "{place}"')
    return sql
