"""A chart file as a chart of spreadsheets: the figures that it shows as a table, and the chart that is drawn of them.

Which chart shows a result best is chosen elsewhere; here the chosen one is only said in the terms of spreadsheets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from apps.analyst.tables.workbook import Book, SheetColumn, number_format, sayable
from apps.analyst.types import Scalar

WIDTH, HEIGHT = 24, 12
"""In centimetres."""
COLORS = ("F75D2C", "BE58EA", "EC8AB8", "DB5B8B", "D571D1", "7A4FD0", "F0A07C", "8C8C8C")
"""The product's own palette first (SPEC section 9), in the order of the series."""
_ROUND = ("pie", "doughnut")


@dataclass(frozen=True, slots=True)
class _Drawn:
    """What a chart stands on: columns of names or places first, then the figures of its series."""

    columns: tuple[SheetColumn, ...]
    rows: tuple[tuple[Scalar, ...], ...]
    pairs: bool
    """True where each series has a column of places of its own, left of its figures."""


def chart_sheet(book: Book, title: str, document: Mapping[str, Any]) -> None:
    """Adds a sheet with the chart and its figures; none where spreadsheets have no such chart."""
    drawn = _of_points(document) if document.get("type") == "scatter" else _of_labels(document)
    if drawn is None:
        return
    sheet = book.table(title, drawn.columns, drawn.rows)
    chart = _chart(sheet, document, drawn)
    chart.width, chart.height = WIDTH, HEIGHT
    sheet.add_chart(chart, book.cell_name(row=2, column=len(drawn.columns) + 2))


# ---------------------------------------------------------------- the figures
def _of_labels(document: Mapping[str, Any]) -> _Drawn | None:
    labels, datasets = document.get("labels") or [], document.get("datasets") or []
    figures = [dataset["data"] for dataset in datasets]
    if not labels or not figures or any(isinstance(cell, list | dict) for data in figures for cell in data):
        return None
    options = document.get("options") or {}
    horizontal = options.get("indexAxis") == "y"
    name = options.get("yAxisTitle" if horizontal else "xAxisTitle") or "Label"
    columns = (SheetColumn(str(name)), *(_figures(dataset) for dataset in datasets))
    rows = tuple(
        (str(label), *(data[place] if place < len(data) else None for data in figures))
        for place, label in enumerate(labels)
    )
    return _Drawn(columns, rows, pairs=False)


def _of_points(document: Mapping[str, Any]) -> _Drawn | None:
    datasets = document.get("datasets") or []
    series = [[(_place(point.get("x")), point.get("y")) for point in dataset["data"]] for dataset in datasets]
    places = [place for points in series for place, _ in points]
    if not places or any(isinstance(place, str) for place in places):
        return None
    across = "yyyy-mm-dd" if isinstance(places[0], date) else "General"
    name = str((document.get("options") or {}).get("xAxisTitle") or "x")
    columns = tuple(column for dataset in datasets for column in (SheetColumn(name, across), _figures(dataset)))
    rows = tuple(
        tuple(cell for points in series for cell in (points[row] if row < len(points) else (None, None)))
        for row in range(max(map(len, series)))
    )
    return _Drawn(columns, rows, pairs=True)


def _figures(dataset: Mapping[str, Any]) -> SheetColumn:
    return SheetColumn(str(dataset.get("label") or "Value"), number_format("decimal", dataset.get("unit")))


def _place(said: Any) -> Scalar:
    """Where a point stands across: a figure, or a moment that was written as text."""
    if not isinstance(said, str):
        return said if isinstance(said, int | float) else None
    try:
        return datetime.fromisoformat(said).replace(tzinfo=None)
    except ValueError:
        return said


# ---------------------------------------------------------------- the chart
def _chart(sheet: Any, document: Mapping[str, Any], drawn: _Drawn) -> Any:
    chart = _of_kind(str(document.get("type") or "line"), document.get("options") or {})
    last = len(drawn.rows) + 1
    places = range(2, len(drawn.columns) + 1, 2 if drawn.pairs else 1)
    chart.series = [_series(sheet, drawn, place, last) for place in places]
    _paint(chart, document)
    chart.title = sayable(str(document.get("title") or "")) or None
    if not ((document.get("options") or {}).get("legend") or {}).get("display"):
        chart.legend = None
    return chart


def _of_kind(kind: str, options: Mapping[str, Any]) -> Any:
    """Polar areas, which spreadsheets have not, become bars: their figures are compared by size."""
    from openpyxl.chart import BarChart, DoughnutChart, LineChart, PieChart, RadarChart, ScatterChart

    if kind in (*_ROUND, "radar"):
        return {"pie": PieChart, "doughnut": DoughnutChart, "radar": RadarChart}[kind]()
    chart = {"line": LineChart, "scatter": ScatterChart}.get(kind, BarChart)()
    if isinstance(chart, BarChart):
        chart.type = "bar" if options.get("indexAxis") == "y" else "col"
        if (((options.get("scales") or {}).get("x")) or {}).get("stacked"):
            chart.grouping, chart.overlap = "stacked", 100
    flat = isinstance(chart, BarChart) and chart.type == "bar"
    across, up = options.get("xAxisTitle"), options.get("yAxisTitle")
    chart.x_axis.title = sayable(str((up if flat else across) or "")) or None
    chart.y_axis.title = sayable(str((across if flat else up) or "")) or None
    chart.x_axis.delete = chart.y_axis.delete = False
    if flat:
        chart.x_axis.scaling.orientation = "maxMin"  # the first one on top, as on the page
    return chart


def _series(sheet: Any, drawn: _Drawn, place: int, last: int) -> Any:
    from openpyxl.chart import Reference, Series

    values = Reference(sheet, min_col=place, min_row=1, max_row=last)
    across = Reference(sheet, min_col=place - 1 if drawn.pairs else 1, min_row=2, max_row=last)
    if drawn.pairs:
        return Series(values, across, title_from_data=True)
    made = Series(values, title_from_data=True)
    made.cat = _categories(across)
    return made


def _categories(names: Any) -> Any:
    from openpyxl.chart.data_source import AxDataSource, StrRef

    return AxDataSource(strRef=StrRef(f=names))


def _paint(chart: Any, document: Mapping[str, Any]) -> None:
    """The product's colors: one a series, or one a slice."""
    from openpyxl.chart.marker import DataPoint

    kind = document.get("type")
    for place, series in enumerate(chart.series):
        color = COLORS[place % len(COLORS)]
        if kind in _ROUND:
            series.data_points = [_slice(DataPoint(idx=n), n) for n in range(_slices(document))]
        elif kind == "scatter":
            series.marker.symbol, series.graphicalProperties.line.noFill = "circle", True
            series.marker.graphicalProperties.solidFill = color
        elif kind in ("line", "radar"):
            series.graphicalProperties.line.solidFill, series.smooth = color, False
        else:
            series.graphicalProperties.solidFill = color


def _slice(point: Any, number: int) -> Any:
    point.graphicalProperties.solidFill = COLORS[number % len(COLORS)]
    return point


def _slices(document: Mapping[str, Any]) -> int:
    labels: Sequence[object] = document.get("labels") or []
    return len(labels)
