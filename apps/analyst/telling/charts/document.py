"""A choice of chart as the chart file that the front end draws (SPEC section 3): labels, datasets, titles, options."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from apps.analyst.plan import Comparison, Drivers
from apps.analyst.plan.conditions import is_of_group
from apps.analyst.telling import formats
from apps.analyst.telling.charts.choice import Choice, is_binned
from apps.analyst.telling.charts.slices import SLICED, why_no_slices
from apps.analyst.telling.formats import capital, is_number, listed, spoken
from apps.analyst.telling.narrate.conditions import scope
from apps.analyst.telling.narrate.phrases import bin_label, dimension_name, measure_name
from apps.analyst.telling.narrate.reasons import measure_words
from apps.analyst.telling.narrate.rows import row_name
from apps.analyst.telling.narrate.sides import measure_name_of
from apps.analyst.telling.narrate.view import View
from apps.analyst.telling.wording import is_stretch, shortened
from apps.analyst.types import Scalar

MOST_BARS = 30
WHOLE_BARS = 12
"""Longer rankings are folded on the page; those of all groups, which add up, with one bar for the others."""
MOST_SERIES = 8
MOST_POINTS = 5_000
_MISSING = "No value"


def document(view: View, choice: Choice) -> dict[str, Any]:
    """The chart file's content, ready for JSON."""
    if choice.mark == "scatter":
        return _scatter(view, choice)
    rows = _in_order(view, choice)
    if choice.across:
        labels, datasets, cut = _across(view, choice)
    elif choice.color is not None:
        labels, datasets, cut = _by_color(view, choice, rows)
    else:
        cut = choice.mark != "line" and len(rows) > MOST_BARS
        rows = rows[: MOST_BARS if cut else MOST_POINTS]
        labels = [_label(view, row, choice.x) for row in rows]
        datasets = [_dataset(view, place, [view.rows[row][place] for row in rows]) for place in choice.y]
    title = chart_title(view, choice) + (f" (first {len(labels)} of {view.total_rows:,})" if cut else "")
    return {
        "type": choice.mark,
        "title": title,
        "labels": labels,
        "datasets": datasets,
        "options": _options(view, choice, len(datasets)),
    }


def _in_order(view: View, choice: Choice) -> list[int]:
    """The rows as the chart shows them: along a line they run upwards."""
    rows = list(range(len(view.rows)))
    if choice.mark == "line" and (view.runs_on(choice.x) or choice.x in view.numbers()):
        rows.sort(key=lambda row: (view.rows[row][choice.x] is None, view.rows[row][choice.x] or 0))
    return rows


def _across(view: View, choice: Choice) -> tuple[list[Any], list[dict[str, Any]], bool]:
    """The figures' names as labels, one series a row."""
    labels = [capital(measure_name(view, place)) for place in choice.y]
    unit = view.columns[choice.y[0]].unit
    datasets = []
    for row in range(min(len(view.rows), MOST_SERIES)):
        data = [_plain(value) if is_number(value := view.rows[row][place]) else None for place in choice.y]
        name = _label(view, row, choice.x) if choice.x not in choice.y else ""
        datasets.append({"label": name, "data": data, "unit": unit})
    return labels, datasets, len(view.rows) > MOST_SERIES


def _by_color(view: View, choice: Choice, rows: list[int]) -> tuple[list[Any], list[dict[str, Any]], bool]:
    """One dataset per value of the colour column, the largest ones where there are too many."""
    assert choice.color is not None
    place = choice.y[0]
    totals: dict[Scalar, float] = {}
    for row in rows:
        value = view.rows[row][place]
        key = view.rows[row][choice.color]
        totals[key] = totals.get(key, 0.0) + (abs(float(value)) if is_number(value) else 0.0)
    shown = list(totals)
    if len(shown) > MOST_SERIES:
        largest = set(sorted(shown, key=lambda key: -totals[key])[:MOST_SERIES])
        shown = [key for key in shown if key in largest]
    xs = list(dict.fromkeys(view.rows[row][choice.x] for row in rows))
    cut = choice.mark != "line" and len(xs) > MOST_BARS
    xs = xs[:MOST_BARS] if cut else xs[:MOST_POINTS]
    cells = {(view.rows[row][choice.x], view.rows[row][choice.color]): view.rows[row][place] for row in rows}
    first = {view.rows[row][choice.x]: row for row in reversed(rows)}
    labels = [_label(view, first[x], choice.x) for x in xs]
    color = view.columns[choice.color]
    datasets = []
    for key in shown:
        data = _dataset(view, place, [cells.get((x, key)) for x in xs])
        data["label"] = formats.cell(key, color) if key is not None else _MISSING
        datasets.append(data)
    return labels, datasets, cut


def _scatter(view: View, choice: Choice) -> dict[str, Any]:
    x, y = choice.x, choice.y[0]
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in view.rows[:MOST_POINTS]:
        if row[x] is None or not is_number(row[y]):
            continue
        name = "" if choice.color is None else formats.cell(row[choice.color], view.columns[choice.color])
        across = _plain(row[x]) if not isinstance(row[x], str) else row[x]
        groups.setdefault(name, []).append({"x": across, "y": _plain(row[y])})
    datasets = [
        {"label": name or capital(measure_name(view, y)), "data": points, "unit": view.columns[y].unit}
        for name, points in list(groups.items())[: MOST_SERIES * 2]
    ]
    options = {
        "xAxisTitle": axis_title(view, x),
        "yAxisTitle": axis_title(view, y),
        "legend": {"display": choice.color is not None},
    }
    return {"type": "scatter", "title": chart_title(view, choice), "datasets": datasets, "options": options}


def _dataset(view: View, place: int, values: list[Scalar]) -> dict[str, Any]:
    data = [_plain(value) if is_number(value) else None for value in values]
    return {"label": capital(measure_name(view, place)), "data": data, "unit": view.columns[place].unit}


def _plain(value: Scalar) -> float | int | str | None:
    """A value for JSON: decimals as numbers, dates as ISO text."""
    if isinstance(value, bool):
        return "Yes" if value else "No"
    if isinstance(value, int):
        return value
    if is_number(value):
        return float(value)
    if isinstance(value, datetime | date):
        return value.isoformat()
    return value if isinstance(value, str) else None


def _label(view: View, row: int, place: int) -> str:
    value, column = view.rows[row][place], view.columns[place]
    if view.one_entity and place in view.names and view.shape == "ranking":
        return row_name(view, row)
    if value is None:
        return _MISSING
    if column.grain == "month" and isinstance(value, date):
        return f"{value.year:04d}-{value.month:02d}"
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%d %H:%M")
    if isinstance(value, date) and column.grain in (None, "day", "week"):
        return value.isoformat()
    if is_binned(view, place) and is_number(value):
        return bin_label(view, place, float(value))
    return formats.cell(value, column)


def _options(view: View, choice: Choice, series: int) -> dict[str, Any]:
    legend = {"display": series > 1 or choice.mark in SLICED}
    if choice.mark in SLICED or choice.mark == "radar":
        return {"legend": legend}
    name = "" if choice.across else axis_title(view, choice.x)
    figure = axis_title(view, choice.y[0], shared=len(choice.y) > 1)
    options: dict[str, Any] = {
        "xAxisTitle": figure if choice.horizontal else name,
        "yAxisTitle": name if choice.horizontal else figure,
        "legend": legend,
    }
    if why_no_slices(view, choice.y, across=choice.across):
        options["slices"] = False
    if choice.horizontal:
        options["indexAxis"] = "y"
        whole = view.complete and WHOLE_BARS < len(view.rows) <= MOST_BARS
        if series == 1 and whole and view.additive(choice.y[0]):
            options["others"] = "sum"
    if choice.mark == "bar" and (choice.color is not None or choice.stacked):
        options["scales"] = {"x": {"stacked": choice.stacked}, "y": {"stacked": choice.stacked}}
    return options


def axis_title(view: View, place: int, *, shared: bool = False) -> str:
    """What an axis shows, with its unit: "Total amount (USD)"; several figures share only their unit."""
    column = view.columns[place]
    if shared:
        return column.unit or ""
    name = capital(measure_name(view, place)) if place in view.figures else capital(view.said(spoken(column.name)))
    return f"{name} ({column.unit})" if column.unit and not name.endswith(f"({column.unit})") else name


def chart_title(view: View, choice: Choice) -> str:
    """ "Total amount by region with stage Closed won in 2024"."""
    figures = listed([measure_name(view, place) for place in choice.y], most=3)
    if told := _title_of_sides(view, choice):
        return told
    if choice.mark == "scatter" and choice.x in view.figures:
        text = f"{figures} against {measure_name(view, choice.x)}"
        by = [choice.color] if choice.color is not None else []
    elif choice.across:
        names = [
            formats.cell(row[choice.x], view.columns[choice.x]) for row in view.rows[:3] if choice.x not in choice.y
        ]
        return capital(f"{figures}{f' of {listed(names)}' if names else ''}" + scope(view))
    else:
        text = figures
        by = [choice.x] + ([choice.color] if choice.color is not None else [])
    named = [dimension_name(view, place) for place in by if place is not None]
    return capital(text + (f" by {listed(named)}" if named else "") + scope(view))


def _title_of_sides(view: View, choice: Choice) -> str:
    """What is compared, or what of a change is explained, with its two sides; "" for all else."""
    if isinstance(view.plan, Drivers):
        then, now = view.plan.comparison.baseline_label, view.plan.comparison.current_label
        what = "Difference" if is_of_group(view.plan.comparison.current) else "Change"
        against = what == "Difference" or is_stretch(then)
        sides = f"{shortened(now)} against {shortened(then)}" if against else f"{then} to {now}"
        return f"{what} in {measure_words(view)}{scope(view)} by {dimension_name(view, choice.x)}, {sides}"
    named = choice.across or choice.x in view.dimensions
    if not isinstance(view.plan, Comparison) or len(view.plan.query.measures) != 1 or not named:
        return ""
    name = measure_name_of(view, view.plan.query.measures[0].label)
    by = "" if choice.across else f" by {dimension_name(view, choice.x)}"
    sides = listed([view.columns[place].name for place in choice.y])  # "Americas" keeps its capital
    return capital(f"{name}{by}{scope(view)}, {sides}")
