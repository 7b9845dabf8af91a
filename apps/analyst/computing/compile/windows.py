"""Figures that look across the rows of a result, as SQL window functions over the base's columns."""

from __future__ import annotations

from dataclasses import dataclass

from apps.analyst.computing.compile.expressions import Writer
from apps.analyst.computing.compile.layers import Layers
from apps.analyst.computing.compile.names import identifier
from apps.analyst.computing.compile.order import SortKey, key_sql, window_keys
from apps.analyst.computing.compile.shapes import shape_of
from apps.analyst.plan import Expr, Window


@dataclass
class FramedWriter(Writer):
    """Writes expressions over the base's columns, windows included."""

    layers: Layers | None = None

    def sql(self, expr: Expr) -> str:
        if isinstance(expr, Window):
            return self._window(expr)
        return super().sql(expr)

    def _window(self, window: Window) -> str:
        of = self.sql(window.of)
        real = f"CAST({of} AS DOUBLE)"
        partition = ", ".join(identifier(label) for label in window.partition)
        part = f"PARTITION BY {partition}" if partition else ""
        if window.fn == "share":
            return f"(100 * {real} / nullif(sum({real}) OVER ({part}), 0))"
        assert self.layers is not None
        steady = self.statement.steady
        floating = steady and shape_of(window.of, self.scope).type == "float"
        order = _ordered(window_keys(window, self.layers.query, self.layers.shapes), of, floating, steady)
        over = f"({part} {order})".replace("( ", "(")
        back = window.span or 1
        match window.fn:
            case "rank" | "row_number":
                return f"{window.fn}() OVER {over}"
            case "running_total":
                return f"sum({of}) OVER {over[:-1]} ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)"
            case "moving_average":
                rows = f"ROWS BETWEEN {(window.span or 3) - 1} PRECEDING AND CURRENT ROW"
                return f"avg({real}) OVER {over[:-1]} {rows})"
            case "previous":
                return f"lag({of}, {back}) OVER {over}"
            case "change":
                return f"({of} - lag({of}, {back}) OVER {over})"
            case _:
                before = f"lag({real}, {back}) OVER {over}"
                return f"(100 * ({real} - {before}) / nullif(abs({before}), 0))"


def _ordered(keys: list[SortKey], of: str, real: bool, steady: bool) -> str:
    """The window's ORDER BY; a key without label is the window's own figure, `real` where that is a floating one."""
    terms = [
        key_sql(k, of, real=real) if k.label is None else key_sql(k, identifier(k.label), real=steady) for k in keys
    ]
    return "ORDER BY " + ", ".join(terms)


def framed_writer(writer: Writer, layers: Layers) -> FramedWriter:
    """A writer for framed columns that shares the statement with the base's writer."""
    return FramedWriter(writer.statement, layers.base_scope(), writer.subquery, layers=layers)
