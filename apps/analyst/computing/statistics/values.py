"""From a frame's columns to clean arrays of numbers: what is read as a number, and what is said about the rest."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from apps.analyst.errors import AnalystError
from apps.analyst.tables.lengths import are_lengths
from apps.analyst.types import Scalar

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

READABLE_SHARE = 0.5
"""A text column counts as numbers when at least this share of its values reads as numbers."""

CLOCK = r"^\s*(\d{1,3}):([0-5]?\d)(?::([0-5]?\d))?([.,]\d+)?\s*$"


@dataclass(frozen=True, slots=True)
class Numbers:
    """A column as floats with NaN for what is missing or does not read, and a note where texts were converted."""

    series: pd.Series[float]
    note: str = ""

    def present(self) -> np.ndarray[Any, np.dtype[Any]]:
        """The values that are there, as an array."""
        return self.series.dropna().to_numpy(dtype=float)


def column(frame: pd.DataFrame, name: str) -> pd.Series[Any]:
    """The column of that name. Raises AnalystError where the frame has none."""
    if name not in frame.columns:
        raise AnalystError(f"There is no column “{name}” to compute with.")
    picked: Any = frame.loc[:, name]
    single: pd.Series[Any] = picked if picked.ndim == 1 else picked.iloc[:, 0]
    return single


def numbers(frame: pd.DataFrame, name: str) -> Numbers:
    """The column as numbers: booleans as 0 and 1, dates as days since 1970, "1:02:03" as seconds, "$1,200" as 1200.

    Raises AnalystError where fewer than half of the values read as numbers.
    """
    import numpy as np
    import pandas as pd

    raw = column(frame, name)
    if pd.api.types.is_numeric_dtype(raw) or pd.api.types.is_bool_dtype(raw):
        plain = pd.to_numeric(raw, errors="coerce").astype("float64")
        return Numbers(plain.where(np.isfinite(plain)))
    if pd.api.types.is_datetime64_any_dtype(raw):
        return Numbers(days(raw), f"{name}: dates as days")
    present = raw.dropna()
    if present.empty:
        raise AnalystError(f"“{name}” holds no values.")
    if present.map(lambda v: isinstance(v, date | datetime)).all():
        return Numbers(days(pd.to_datetime(raw, errors="coerce")), f"{name}: dates as days")
    converted, note = read_texts(raw, name)
    readable = int(converted.notna().sum())
    if readable < max(1, math.ceil(READABLE_SHARE * len(present))):
        raise AnalystError(f"“{name}” holds text, not numbers ({readable} of {len(present)} values read as numbers).")
    unread = len(present) - readable
    if unread:
        note = f"{note or name + ': texts read as numbers'}; {unread} values that are no numbers left out"
    return Numbers(converted, note)


def days(stamps: pd.Series[Any]) -> pd.Series[float]:
    """Moments as days since 1970-01-01, with fractions."""
    import pandas as pd

    if getattr(stamps.dt, "tz", None) is not None:
        stamps = stamps.dt.tz_convert("UTC").dt.tz_localize(None)
    return (stamps - pd.Timestamp("1970-01-01")) / pd.Timedelta(days=1)


def read_texts(raw: pd.Series[Any], name: str) -> tuple[pd.Series[float], str]:
    """Texts as numbers and what was done: plain numbers, clock times as seconds, currency and percent signs."""
    import numpy as np
    import pandas as pd

    plain = pd.to_numeric(raw, errors="coerce").astype("float64")
    plain = plain.where(np.isfinite(plain))
    wanted = int(raw.notna().sum())
    if int(plain.notna().sum()) == wanted:
        return plain, ""
    text = raw.astype("string")
    clock = text.str.extract(CLOCK)
    if int(clock[0].notna().sum()) > READABLE_SHARE * wanted:
        if are_lengths(text[clock[0].notna()].tolist()):
            return _seconds(clock, short=60).fillna(plain), f"{name}: lengths of time read as seconds"
        return _seconds(clock, short=3600), f"{name}: times of day read as seconds"
    bare = text.str.replace(r"[$€£¥%\s\u00a0]|(?<=\d),(?=\d{3}\b)", "", regex=True).str.replace("\u2212", "-")
    stripped = pd.to_numeric(bare, errors="coerce").astype("float64")
    stripped = stripped.where(np.isfinite(stripped))
    if int(stripped.notna().sum()) > int(plain.notna().sum()):
        return stripped, f"{name}: texts read as numbers"
    return plain, ""


def _seconds(clock: pd.DataFrame, short: int) -> pd.Series[float]:
    """The parts of clocks as seconds; the first of two parts stands for `short` of them, that of three for an hour."""
    first, second, third, rest = (clock[part].str.replace(",", ".").astype("float64") for part in range(4))
    whole = (first * 3600 + second * 60 + third).fillna(first * short + second * (short / 60))
    return whole + rest.fillna(0)


def sample(frame: pd.DataFrame, name: str, least: int, purpose: str) -> tuple[np.ndarray[Any, np.dtype[Any]], str]:
    """The column's present numbers and the note, or AnalystError where there are fewer than `least`."""
    read = numbers(frame, name)
    values = read.present()
    if len(values) < least:
        raise AnalystError(
            f"{purpose} needs at least {least} value{'s' if least > 1 else ''} of “{name}”; there are {len(values)}."
        )
    return values, read.note


def paired(
    frame: pd.DataFrame, names: tuple[str, ...], least: int, purpose: str
) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """The columns as numbers in the rows where all are there, and the notes. Raises AnalystError below `least` rows."""
    import pandas as pd

    read = [numbers(frame, name) for name in names]
    table = pd.concat([r.series for r in read], axis=1, keys=range(len(names))).dropna()
    if len(table) < least:
        raise AnalystError(f"{purpose} needs at least {least} rows with {' and '.join(names)}; there are {len(table)}.")
    return table, tuple(r.note for r in read if r.note)


def scalar(value: Any) -> Scalar:
    """A value out of a frame as a plain Python one; NaN, NaT and infinities become None."""
    import numpy as np
    import pandas as pd

    if value is None or value is pd.NaT or value is pd.NA:
        return None
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, pd.Timestamp):
        return value.date() if value == value.normalize() else value.to_pydatetime()
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, str | int | bool | date | datetime):
        return value
    return value if type(value).__name__ == "Decimal" else str(value)
