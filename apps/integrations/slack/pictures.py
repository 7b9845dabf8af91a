"""A chart file as a PNG, for places that show pictures only. Drawn by matplotlib, which is loaded with the first one.

Titles, labels and names are data: they are drawn as they stand and never read as markup. One picture at a time: the
library's font cache is shared.
"""

from __future__ import annotations

import io
import math
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from apps.integrations.slack.chart_file import ChartFile, NotDrawable, Series, moments
from apps.integrations.slack.palette import DEFAULT_STOPS, series_colors

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INCHES = (8.0, 4.5)
DOTS_PER_INCH = 160
INK, MUTED, LINES, SURFACE = "#21161F", "#6B5E69", "#E7DFE5", "#FFFFFF"
LABEL_LENGTH = 24
MOST_LABELS = 24
_drawing = threading.Lock()


def chart_png(chart: ChartFile, *, colors: Sequence[str] = DEFAULT_STOPS) -> bytes:
    """The chart as a PNG of 1280 x 720. Raises NotDrawable where this type cannot show these figures."""
    with _drawing:
        import matplotlib as mpl
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        with mpl.rc_context({"text.parse_math": False, "font.size": 10, "axes.unicode_minus": True}):
            figure = Figure(figsize=INCHES, dpi=DOTS_PER_INCH, facecolor=SURFACE)
            figure.set_layout_engine("constrained", w_pad=0.14, h_pad=0.14)
            round_axes = chart.type in ("radar", "polarArea")
            axes = figure.add_subplot(projection="polar") if round_axes else figure.add_subplot()
            _DRAW[chart.type](axes, chart, list(colors))
            if chart.title:
                figure.suptitle(_short(chart.title, 90), fontsize=13, fontweight="bold", color=INK)
            out = io.BytesIO()
            figure.set_canvas(FigureCanvasAgg(figure))
            figure.savefig(out, format="png")
    return out.getvalue()


def _lines(axes: Axes, chart: ChartFile, stops: list[str]) -> None:
    for series, color in zip(chart.series, series_colors(len(chart.series), stops), strict=True):
        values = [math.nan if point is None else point for point in series.points]
        mark = "o" if len(values) <= 40 else None
        axes.plot(range(len(values)), values, color=color, linewidth=2, marker=mark, markersize=4, label=series.name)
    _categories(axes.set_xticks, chart.labels, slanted=True)
    _frame(axes, chart)


def _bars(axes: Axes, chart: ChartFile, stops: list[str]) -> None:
    draw = axes.barh if chart.horizontal else axes.bar
    count, bases = len(chart.series), [0.0] * len(chart.labels)
    width = 0.8 if chart.stacked else 0.8 / count
    for at, (series, color) in enumerate(zip(chart.series, series_colors(count, stops), strict=True)):
        places = [i if chart.stacked else i - 0.4 + width * (at + 0.5) for i in range(len(series.points))]
        starts = [point[0] if isinstance(point, tuple) else 0.0 for point in series.points]
        sizes = [point[1] - point[0] if isinstance(point, tuple) else point or 0.0 for point in series.points]
        if chart.stacked:
            starts = bases[: len(sizes)]
            bases = [base + size for base, size in zip(starts, sizes, strict=True)]
        draw(places, sizes, width, starts, color=color, label=series.name)
    _categories(axes.set_yticks if chart.horizontal else axes.set_xticks, chart.labels, slanted=not chart.horizontal)
    if chart.horizontal:
        axes.invert_yaxis()
    _frame(axes, chart)


def _scatter(axes: Axes, chart: ChartFile, stops: list[str]) -> None:
    for series, color in zip(chart.series, series_colors(len(chart.series), stops), strict=True):
        dates = moments(series.places)
        places: Sequence[Any] = dates if dates and len(dates) == len(series.places) else series.places
        points = [math.nan if not isinstance(point, float) else point for point in series.points]
        axes.scatter(places or range(len(points)), points, s=18, color=color, label=series.name)
    _frame(axes, chart)


def _slices(axes: Axes, chart: ChartFile, stops: list[str]) -> None:
    values, labels = _shares(chart)
    colors = series_colors(len(values), stops)
    wedges = axes.pie(
        values,
        colors=colors,
        startangle=90,
        counterclock=False,
        wedgeprops={"width": 0.42 if chart.type == "doughnut" else 1.0, "edgecolor": SURFACE, "linewidth": 1.5},
    )[0]
    total = sum(values)
    names = [f"{label}  {value / total:.1%}" for label, value in zip(labels, values, strict=True)]
    axes.legend(wedges, names, loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False, labelcolor=INK)


def _polar_area(axes: Axes, chart: ChartFile, stops: list[str]) -> None:
    values, labels = _shares(chart)
    step = 2 * math.pi / len(values)
    _clockwise(axes)
    bars = axes.bar(
        [step * (at + 0.5) for at in range(len(values))],
        values,
        width=step,
        color=series_colors(len(values), stops),
        edgecolor=SURFACE,
        linewidth=1.5,
    )
    axes.set_xticks([])
    axes.legend(bars, labels, loc="center left", bbox_to_anchor=(1.1, 0.5), frameon=False, labelcolor=INK)


def _radar(axes: Axes, chart: ChartFile, stops: list[str]) -> None:
    angles = [2 * math.pi * at / len(chart.labels) for at in range(len(chart.labels))]
    _clockwise(axes)
    for series, color in zip(chart.series, series_colors(len(chart.series), stops), strict=True):
        values = [math.nan if point is None else point for point in series.points]
        around = [*zip(angles, values, strict=False)]
        turns, sizes = zip(*[*around, around[0]], strict=True)
        axes.plot(turns, sizes, color=color, linewidth=2, label=series.name)
        axes.fill(turns, sizes, color=color, alpha=0.12)
    axes.set_xticks(angles, [_short(label) for label in chart.labels], color=INK)
    if chart.legend:
        axes.legend(loc="center left", bbox_to_anchor=(1.15, 0.5), frameon=False, labelcolor=INK)


def _clockwise(axes: Any) -> None:
    axes.set_theta_zero_location("N")
    axes.set_theta_direction(-1)
    axes.grid(color=LINES)
    axes.spines["polar"].set_color(LINES)
    axes.tick_params(colors=MUTED)


def _shares(chart: ChartFile) -> tuple[list[float], list[str]]:
    """The first series' figures with their labels, without those that are nothing."""
    series: Series = chart.series[0]
    pairs = [
        (p, _short(n)) for p, n in zip(series.points, chart.labels, strict=False) if isinstance(p, float) and p > 0
    ]
    if not pairs:
        raise NotDrawable
    return [value for value, _ in pairs], [name for _, name in pairs]


def _categories(set_ticks: Any, labels: Sequence[str], *, slanted: bool) -> None:
    every = max(1, math.ceil(len(labels) / MOST_LABELS))
    places = range(0, len(labels), every)
    names = [_short(labels[at]) for at in places]
    turned = slanted and (len(names) > 8 or max(map(len, names), default=0) > 12)
    set_ticks(places, names, **({"rotation": 35, "ha": "right"} if turned else {}))


def _frame(axes: Axes, chart: ChartFile) -> None:
    """Titles, figures in thousands and millions, quiet lines behind the data, a legend where it tells something."""
    figures = axes.xaxis if chart.horizontal else axes.yaxis
    figures.set_major_formatter(lambda value, _: _figure(value))
    figures.grid(True, color=LINES, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.set_xlabel(_short(chart.x_title, 60), color=MUTED)
    axes.set_ylabel(_short(chart.y_title, 60), color=MUTED)
    axes.tick_params(colors=MUTED, length=0)
    for side, line in axes.spines.items():
        line.set_visible(side in ("left", "bottom"))
        line.set_color(LINES)
    if chart.legend:
        axes.legend(frameon=False, labelcolor=INK, fontsize=9)


def _figure(value: float) -> str:
    for size, letter in ((1e9, "B"), (1e6, "M"), (1e3, "K")):
        if abs(value) >= size:
            return f"{value / size:.4g}{letter}"
    return f"{value:.4g}"


def _short(text: str, length: int = LABEL_LENGTH) -> str:
    return text if len(text) <= length else f"{text[: length - 1]}…"


_DRAW = {
    "line": _lines,
    "bar": _bars,
    "scatter": _scatter,
    "pie": _slices,
    "doughnut": _slices,
    "polarArea": _polar_area,
    "radar": _radar,
}
