"""Columns that are quotients of two others, found in their figures alone: a rate of clicks, the cost of one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Figures = NDArray[np.float64]
Column = Sequence[float | None] | Figures
"""The figures of a column, missing ones None or NaN."""
SCALES = (1, 100, 1000)
"""As it is, in percent, for a thousand."""
MOST_ROWS = 4_000
"""Rows that are looked at."""
_FEWEST, _RATES, _UNDERS = 20, 8, 3
"""Rows that tell something, different rates among them, and different figures that these are divided by, that no
accident explains."""
_HOLDS = 0.98
"""The share of these rows in which the quotient is the rate, as far as that is written."""
_SOME, _LIKELY = 64, 0.9
"""Rows by which pairs are left out, and the share of them in which a likely pair holds."""
_TELLING = 0.05
"""How much of a rate may be lost by rounding, so that its row tells something."""
_MOST_DECIMALS, _FACTOR_DECIMALS, _CENTS = 9, 4, 2
_SET = 0.05
"""The share of the rows that rates which somebody sets differ in, at most."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """`scale` times the sum of `over` divided by the sum of `under`: columns by name."""

    over: str
    under: str
    scale: int = 1


def ratio_of(rate: Column, others: Mapping[str, Column]) -> Ratio | None:
    """The quotient that a column is in its rows, or None. One that several pairs of columns explain equally well is
    taken where they come to the same over all rows. A price that an amount was made of (price × pieces) is none: it was
    there first."""
    whole, parts = _array(rate), {name: _array(column) for name, column in others.items()}
    fits = sorted(_fits(whole, parts), key=lambda fit: -fit[0])
    best = [ratio for holds, ratio in fits if holds == fits[0][0]]
    if not best:
        return None
    overall = [_overall(ratio, parts) for ratio in best]
    return best[0] if np.allclose(overall, overall[0], rtol=1e-6) else None


def is_share(ratio: Ratio, columns: Mapping[str, Column]) -> bool:
    """Whether a quotient is the share of a part in its whole, in each row; as it is or in percent."""
    over, under = _array(columns[ratio.over]), _array(columns[ratio.under])
    given = np.isfinite(over) & np.isfinite(under)
    return ratio.scale <= 100 and bool(np.all((over[given] >= 0) & (over[given] <= under[given])))


def _fits(rate: Figures, parts: Mapping[str, Figures]) -> Iterator[tuple[float, Ratio]]:
    slack, lost = _rounding(rate), {name: _rounding(part) for name, part in parts.items()}
    telling = np.abs(np.nan_to_num(rate)) * _TELLING >= slack
    for over, under, scale in _likely(rate, telling, parts, lost):
        a, b = parts[over], parts[under]
        given = telling & np.isfinite(rate) & _given(a) & _given(b)
        if given.sum() < _FEWEST or _different(rate[given]) < _RATES or _different(b[given]) < _UNDERS:
            continue
        holds = float(np.mean(_close(rate[given], a[given], b[given], scale, slack, lost[over])))
        if holds >= _HOLDS and not _is_factor(rate[given], a[given], b[given] / scale):
            yield holds, Ratio(over, under, scale)


def _likely(
    rate: Figures, telling: NDArray[np.bool_], parts: Mapping[str, Figures], lost: Mapping[str, float]
) -> Iterator[tuple[str, str, int]]:
    """The pairs of columns, each with its scale, that the rate may be the quotient of, by some rows: of wide tables
    most pairs need no look at all."""
    rows = np.flatnonzero(telling & np.isfinite(rate))
    if not parts or not len(rows):
        return
    rows = rows[np.linspace(0, len(rows) - 1, min(len(rows), _SOME)).astype(int)]
    names, some = list(parts), np.stack([np.where(_given(part[rows]), part[rows], np.nan) for part in parts.values()])
    over, under = some[:, None, :], some[None, :, :]
    rounded = np.array([lost[name] for name in names])[:, None, None]
    given = np.isfinite(over / under).sum(axis=2)
    for scale in SCALES:
        holds = _close(rate[rows], over, under, scale, _rounding(rate), rounded).sum(axis=2) >= _LIKELY * given
        for a, b in zip(*np.nonzero(holds), strict=True):
            if a != b:
                yield names[a], names[b], scale


def _given(column: Figures) -> NDArray[np.bool_]:
    given: NDArray[np.bool_] = np.isfinite(column) & (column != 0)
    return given


def _close(rate: Figures, a: Figures, b: Figures, scale: int, slack: float, lost: Figures | float) -> NDArray[np.bool_]:
    """In which rows a quotient is the rate, as far as both are written."""
    made = scale * a / b
    found: NDArray[np.bool_] = np.abs(made - rate) <= slack + scale * lost / np.abs(b) + 1e-6 * np.abs(made)
    return found


def _is_factor(rate: Figures, amount: Figures, pieces: Figures) -> bool:
    """Whether amounts of money were made of a rate, times pieces, and rounded: they follow from it to the cent, or the
    rate is one of few that somebody set. Whole counts were never made of a rate."""
    if _decimals(rate) > _FACTOR_DECIMALS or not _decimals(amount):
        return False
    if _decimals(amount) < _CENTS and _different(rate) > _SET * len(rate):
        return False
    return float(np.mean(np.abs(rate * pieces - amount) <= _rounding(amount) + 1e-9 * np.abs(amount))) >= _HOLDS


def _different(column: Figures) -> int:
    return len(np.unique(column))


def _overall(ratio: Ratio, parts: Mapping[str, Figures]) -> float:
    return float(ratio.scale * np.nansum(parts[ratio.over]) / (np.nansum(parts[ratio.under]) or np.nan))


def _array(column: Column) -> Figures:
    return np.array([np.nan if value is None else value for value in column], dtype=np.float64)


def _decimals(column: Figures) -> int:
    """How many decimals a column is written with."""
    given = column[np.isfinite(column)][:500]
    return next((d for d in range(_MOST_DECIMALS) if np.allclose(np.round(given, d), given, rtol=0, atol=1e-9)), 9)


def _rounding(column: Figures) -> float:
    """How far a written figure may lie from the one that it was; counts are whole by nature."""
    decimals = _decimals(column)
    return 0.51 * 10.0**-decimals if decimals else 0.0
