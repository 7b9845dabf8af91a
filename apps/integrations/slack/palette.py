"""The colours of a chart's series: three stops, interpolated in Lab as the page does (SPEC section 9). Pure."""

from __future__ import annotations

from collections.abc import Sequence

DEFAULT_STOPS = ("#F75D2C", "#BE58EA", "#EC8AB8")
_WHITE = (0.96422, 1.0, 0.82521)
_TO_XYZ = ((0.4360747, 0.3850649, 0.1430804), (0.2225045, 0.7168786, 0.0606169), (0.0139322, 0.0971045, 0.7141733))
_FROM_XYZ = (
    (3.1338561, -1.6168667, -0.4906146),
    (-0.9787684, 1.9161415, 0.0334540),
    (0.0719453, -0.2289914, 1.4052427),
)
Lab = tuple[float, float, float]


def series_colors(count: int, stops: Sequence[str] = DEFAULT_STOPS) -> list[str]:
    """As many colours as there are series: one gets the first stop, two the first and the last."""
    if count <= 1:
        return [stops[0]][:count]
    points = [_lab(stop) for stop in stops]
    colors = []
    for at in range(count):
        place = at / (count - 1) * (len(points) - 1)
        left = min(int(place), len(points) - 2)
        share = place - left
        colors.append(_hex(tuple(a + (b - a) * share for a, b in zip(points[left], points[left + 1], strict=True))))
    return colors


def _lab(color: str) -> Lab:
    channels = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    x, y, z = (sum(m * c for m, c in zip(row, linear, strict=True)) / w for row, w in zip(_TO_XYZ, _WHITE, strict=True))
    fx, fy, fz = (t ** (1 / 3) if t > 216 / 24389 else (t * 24389 / 27 + 16) / 116 for t in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def _hex(lab: tuple[float, ...]) -> str:
    fy = (lab[0] + 16) / 116
    parts = (fy + lab[1] / 500, fy, fy - lab[2] / 200)
    xyz = [(f**3 if f > 6 / 29 else (116 * f - 16) * 27 / 24389) * w for f, w in zip(parts, _WHITE, strict=True)]
    linear = [sum(m * c for m, c in zip(row, xyz, strict=True)) for row in _FROM_XYZ]
    channels = [c * 12.92 if c <= 0.0031308 else 1.055 * c ** (1 / 2.4) - 0.055 for c in (max(0.0, v) for v in linear)]
    return "#" + "".join(f"{round(min(1.0, c) * 255):02X}" for c in channels)
