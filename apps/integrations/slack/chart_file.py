"""A chart file (SPEC section 3) read for drawing: known types, finite figures, bounded sizes; the rest is refused."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

TYPES = ("line", "scatter", "bar", "pie", "doughnut", "radar", "polarArea")
ROUND = ("pie", "doughnut", "polarArea")
MAX_CHARACTERS = 4_000_000
MAX_SERIES = 60
MAX_POINTS = 20_000
Point = float | tuple[float, float] | None
Place = float | str


class NotDrawable(Exception):
    """This is no chart file, or one that this type of chart cannot show."""


@dataclass(frozen=True, slots=True)
class Series:
    """A named row of figures; `places` are its points' own coordinates, where it has any."""

    name: str
    points: tuple[Point, ...]
    places: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class ChartFile:
    """What is drawn."""

    type: str
    title: str
    labels: tuple[str, ...]
    series: tuple[Series, ...]
    x_title: str
    y_title: str
    horizontal: bool
    stacked: bool
    legend: bool


def chart_file(content: str) -> ChartFile:
    """Reads the text of a chart file. Raises NotDrawable."""
    if len(content) > MAX_CHARACTERS:
        raise NotDrawable
    try:
        document = json.loads(content)
        return _read(document)
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError) as error:
        raise NotDrawable from error


def _read(document: Mapping[str, Any]) -> ChartFile:
    kind = document.get("type") or "line"
    options = document.get("options") or {}
    series = tuple(_series(dataset) for dataset in document["datasets"][:MAX_SERIES])
    labels = tuple("" if label is None else str(label) for label in document.get("labels") or ())
    if kind not in TYPES or not any(one.points for one in series) or (kind in ROUND and not labels):
        raise NotDrawable
    if kind in ROUND and any(not isinstance(p, float) or p < 0 for p in series[0].points if p is not None):
        raise NotDrawable
    if kind != "bar" and any(isinstance(point, tuple) for one in series for point in one.points):
        raise NotDrawable
    scales = options.get("scales") or {}
    legend = options.get("legend")
    shown = legend.get("display") if isinstance(legend, Mapping) else legend
    return ChartFile(
        type=kind,
        title=_text(document.get("title")),
        labels=labels or _places_as_labels(kind, series),
        series=series,
        x_title=_text(options.get("xAxisTitle")),
        y_title=_text(options.get("yAxisTitle")),
        horizontal=options.get("indexAxis") == "y",
        stacked=any(bool((scales.get(axis) or {}).get("stacked")) for axis in ("x", "y")),
        legend=bool(shown) if shown is not None else len(series) > 1 or kind in ROUND,
    )


def _series(dataset: Mapping[str, Any]) -> Series:
    points: list[Point] = []
    places: list[Place] = []
    for point in dataset["data"][:MAX_POINTS]:
        if isinstance(point, Mapping):
            y = _figure(point.get("y"))
            if y is None or point.get("x") is None:
                continue
            points.append(y)
            places.append(_place(point["x"]))
        elif isinstance(point, list):
            low, high = point
            points.append((float(low), float(high)))
        else:
            points.append(_figure(point))
    return Series(_text(dataset.get("label")), tuple(points), tuple(places))


def _figure(value: object) -> float | None:
    if value is None:
        return None
    number = float(value)  # type: ignore[arg-type]
    if isinstance(value, bool) or not math.isfinite(number):
        raise NotDrawable
    return number


def _place(value: object) -> Place:
    return float(value) if isinstance(value, int | float) else str(value)


def _places_as_labels(kind: str, series: tuple[Series, ...]) -> tuple[str, ...]:
    """Plain figures get the labels Category 1, Category 2 ... (SPEC section 9); coordinates are their own."""
    if kind == "scatter":
        return ()
    named = next((one.places for one in series if one.places), None)
    if named:
        return tuple(str(place) for place in named)
    return tuple(f"Category {at + 1}" for at in range(max(len(one.points) for one in series)))


def moments(places: tuple[Place, ...]) -> list[datetime] | None:
    """The places as moments, where every one of them is a date."""
    try:
        return [datetime.fromisoformat(place) for place in places if isinstance(place, str)] or None
    except ValueError:
        return None


def _text(value: object) -> str:
    return str(value)[:300] if value is not None else ""
