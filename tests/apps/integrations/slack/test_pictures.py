"""Charts as pictures: every type of the specification is drawn, what is no chart is refused, names are never markup."""

from __future__ import annotations

import json
import struct

import pytest

from apps.integrations.slack.chart_file import TYPES, NotDrawable, chart_file
from apps.integrations.slack.palette import series_colors
from apps.integrations.slack.pictures import chart_png

LABELS = ["North", "South", "East & <West>", "$x^2$"]
DATA = [12.5, 30, 7, 19]


def document(kind: str, **more: object) -> str:
    data = [{"x": f"2026-01-0{n + 1}", "y": value} for n, value in enumerate(DATA)] if kind == "scatter" else DATA
    datasets = [{"label": "Amount $", "data": data, "unit": "USD"}, {"label": "Other", "data": data}]
    return json.dumps({"type": kind, "title": "Amount_by $region$", "labels": LABELS, "datasets": datasets, **more})


def size(png: bytes) -> tuple[int, int]:
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", png[16:24])


@pytest.mark.parametrize("kind", TYPES)
def test_each_type_is_drawn(kind):
    assert size(chart_png(chart_file(document(kind)))) == (1280, 720)


@pytest.mark.parametrize(
    "options", [{"indexAxis": "y"}, {"scales": {"x": {"stacked": True}}}, {"legend": {"display": False}}]
)
def test_bars_lie_stack_and_do_without_a_legend(options):
    assert size(chart_png(chart_file(document("bar", options=options))))


def test_ranges_gaps_and_hundreds_of_labels_are_drawn():
    ranges = {"type": "bar", "labels": ["a", "b"], "datasets": [{"data": [[-1, 4], [2, 3]]}]}
    gaps = {"type": "line", "labels": [str(n) for n in range(400)], "datasets": [{"data": [None, 1.5] * 200}]}
    for drawn in (ranges, gaps):
        assert size(chart_png(chart_file(json.dumps(drawn))))


@pytest.mark.parametrize(
    "content",
    [
        "", "[]", "{}", "null", '{"datasets": []}', '{"datasets": [{"data": []}]}', "[" * 9_000,
        '{"type": "sunburst", "datasets": [{"data": [1]}]}',
        '{"type": "pie", "datasets": [{"data": [1, 2]}]}',
        '{"type": "pie", "labels": ["a", "b"], "datasets": [{"data": [1, -2]}]}',
        '{"type": "line", "labels": ["a"], "datasets": [{"data": [[1, 2]]}]}',
        '{"type": "bar", "labels": ["a"], "datasets": [{"data": ["x"]}]}',
        '{"type": "bar", "labels": ["a"], "datasets": [{"data": [NaN]}]}',
        '{"type": "bar", "labels": ["a"], "datasets": [{"data": [{"a": 1}, [1, 2, 3]]}]}',
    ],
)  # fmt: skip
def test_what_is_no_chart_is_refused(content):
    with pytest.raises(NotDrawable):
        chart_file(content)


def test_slices_of_nothing_are_refused():
    with pytest.raises(NotDrawable):
        chart_png(chart_file('{"type": "doughnut", "labels": ["a", "b"], "datasets": [{"data": [0, null]}]}'))


def test_colours_are_those_of_the_page():
    assert series_colors(1) == ["#F75D2C"]
    assert series_colors(2) == ["#F75D2C", "#EC8AB8"]
    assert series_colors(3) == ["#F75D2C", "#BE58EA", "#EC8AB8"]
    assert series_colors(0) == []
