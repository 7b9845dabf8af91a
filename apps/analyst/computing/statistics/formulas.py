"""Row formulas of a frame program: a small typed tree of columns, numbers, arithmetic and allowed functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from apps.analyst.computing.statistics.result import figure_text
from apps.analyst.computing.statistics.values import column, days, numbers
from apps.analyst.errors import AnalystError

if TYPE_CHECKING:
    import pandas as pd

FormulaFunction = Literal[
    "log10",
    "ln",
    "log2",
    "sqrt",
    "abs",
    "exp",
    "square",
    "round",
    "floor",
    "year",
    "month",
    "day",
    "hour",
    "weekday",
    "weekend",
    "length",
    "letters",
    "previous",
    "change",
    "percent_change",
    "cumulative",
    "moving_average",
    "mean_of",
    "median_of",
    "std_of",
    "min_of",
    "max_of",
    "sum_of",
    "zscore",
    "minmax",
    "rank",
    "row_mean",
    "row_sum",
    "row_min",
    "row_max",
]
"""`letters` counts characters that are no spaces; `change` and `percent_change` (0 to 100) look at the row before;
`x_of` is the column's figure in every row; `row_x` goes across columns; `weekend` is 1 on Saturday and Sunday."""
PURE_ACROSS = ("row_mean", "row_sum", "row_min", "row_max")


class Node(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Col(Node):
    """A column of the frame, by name."""

    kind: Literal["col"] = "col"
    name: str


class Num(Node):
    kind: Literal["num"] = "num"
    value: float


class Op(Node):
    kind: Literal["op"] = "op"
    op: Literal["+", "-", "*", "/"]
    left: Formula
    right: Formula


class Fn(Node):
    kind: Literal["fn"] = "fn"
    name: FormulaFunction
    args: tuple[Formula, ...] = Field(min_length=1, max_length=50)


Formula = Annotated[Col | Num | Op | Fn, Field(discriminator="kind")]
Op.model_rebuild()
Fn.model_rebuild()

Series = Any
"""A pandas Series of the frame's index."""


def columns_of(formula: Formula) -> tuple[str, ...]:
    """The columns a formula reads, each once, in reading order."""
    match formula:
        case Col(name=name):
            return (name,)
        case Op(left=left, right=right):
            return tuple(dict.fromkeys(columns_of(left) + columns_of(right)))
        case Fn(args=args):
            return tuple(dict.fromkeys(name for arg in args for name in columns_of(arg)))
        case _:
            return ()


def worded(formula: Formula) -> str:
    """The formula as people write it: (High - Low) / Open."""
    match formula:
        case Col(name=name):
            return name
        case Num(value=value):
            return figure_text(value)
        case Op(op=op, left=left, right=right):
            sides = [f"({worded(side)})" if isinstance(side, Op) else worded(side) for side in (left, right)]
            return f"{sides[0]} {op} {sides[1]}"
        case Fn(name=name, args=args):
            return f"{name.replace('_', ' ')} of {', '.join(map(worded, args))}"


def evaluate(formula: Formula, frame: pd.DataFrame) -> Series:
    """The formula's value in every row; division by zero and logarithms of nothing give missing values.

    Raises AnalystError for columns that are missing or hold the wrong type.
    """
    import numpy as np
    import pandas as pd

    match formula:
        case Num(value=value):
            return pd.Series(value, index=frame.index, dtype=float)
        case Col(name=name):
            return numbers(frame, name).series
        case Op():
            return operated(formula, frame)
        case Fn(name=name) if name in DATES or name in TEXTS:
            return of_column(formula, frame)
        case Fn(name=name) if name in PURE_ACROSS:
            table = pd.concat([evaluate(arg, frame) for arg in formula.args], axis=1)
            return getattr(table, name.removeprefix("row_"))(axis=1)
        case Fn(name=name):
            values = evaluate(formula.args[0], frame)
            if name == "moving_average":
                span = formula.args[1] if len(formula.args) > 1 else Num(value=3)
                return values.rolling(max(2, int(span.value)) if isinstance(span, Num) else 3).mean()
            with np.errstate(all="ignore"):
                found = NUMERIC[name](values)
            return found.where(np.isfinite(found))


def operated(formula: Op, frame: pd.DataFrame) -> Series:
    """The two sides put together row by row; between two dates, minus gives days."""
    import numpy as np

    left, right = evaluate(formula.left, frame), evaluate(formula.right, frame)
    if formula.op == "+":
        return left + right
    if formula.op == "-":
        return left - right
    if formula.op == "*":
        return left * right
    with np.errstate(all="ignore"):
        ratio = left / right
    return ratio.where(np.isfinite(ratio))


def of_column(formula: Fn, frame: pd.DataFrame) -> Series:
    """Date parts and text lengths, which need the column itself and not its numbers."""
    source = formula.args[0]
    if not isinstance(source, Col):
        raise AnalystError(f"The {formula.name} can only be taken of a column.")
    raw = column(frame, source.name)
    if formula.name in TEXTS:
        text = raw.astype("string")
        counted = (text.str.replace(r"\s", "", regex=True) if formula.name == "letters" else text).str.len()
        return counted.astype("float64")
    return DATES[formula.name](moments(raw, source.name)).astype("float64")


def moments(raw: pd.Series[Any], name: str) -> pd.Series[Any]:
    """The column as timestamps: dates, date texts and times of day. Raises AnalystError where most do not read."""
    import warnings

    import pandas as pd

    if pd.api.types.is_datetime64_any_dtype(raw):
        return raw
    present = raw.dropna()
    if pd.api.types.is_numeric_dtype(raw) and len(present) and 9e8 < present.min() <= present.max() < 5e9:
        return pd.to_datetime(raw, unit="s")
    text = raw.astype("string")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        best = pd.to_datetime(raw, errors="coerce") if not pd.api.types.is_numeric_dtype(raw) else raw.isna()
        for form in ("%I:%M %p", "%H:%M:%S", "%H:%M", "%Y%m%d_%H%M%S", "%Y%m%d"):
            if len(present) and not pd.api.types.is_bool_dtype(best) and best.notna().sum() >= 0.9 * len(present):
                break
            tried = pd.to_datetime(text, errors="coerce", format=form)
            if pd.api.types.is_bool_dtype(best) or tried.notna().sum() > best.notna().sum():
                best = tried
    if pd.api.types.is_bool_dtype(best) or best.notna().sum() < 0.5 * max(1, len(present)):
        raise AnalystError(f"“{name}” holds no dates or times.")
    return best


def scaled(values: Series) -> Series:
    """(x - minimum) / (maximum - minimum), 0 to 1."""
    span = values.max() - values.min()
    return (values - values.min()) / (span if span else float("nan"))


def standardised(values: Series) -> Series:
    """(x - mean) / standard deviation of the population."""
    spread = values.std(ddof=0)
    return (values - values.mean()) / (spread if spread else float("nan"))


def constant(values: Series, figure: float) -> Series:
    """The same figure in every row."""
    return values * 0 + figure


def logarithm(base: str) -> Callable[[Series], Series]:
    """The logarithm function of a base; values at or below zero give missing."""

    def take(values: Series) -> Series:
        import numpy as np

        return {"10": np.log10, "e": np.log, "2": np.log2}[base](values.where(values > 0))

    return take


def exponential(values: Series) -> Series:
    """e to the power of each value."""
    import numpy as np

    return np.exp(values)


NUMERIC: dict[str, Callable[[Series], Series]] = {
    "log10": logarithm("10"),
    "ln": logarithm("e"),
    "log2": logarithm("2"),
    "sqrt": lambda v: v.where(v >= 0) ** 0.5,
    "abs": lambda v: v.abs(),
    "exp": exponential,
    "square": lambda v: v * v,
    "round": lambda v: v.round(),
    "floor": lambda v: v // 1,
    "previous": lambda v: v.shift(1),
    "change": lambda v: v.diff(),
    "percent_change": lambda v: (v / v.shift(1) - 1) * 100,
    "cumulative": lambda v: v.cumsum(),
    "mean_of": lambda v: constant(v, v.mean()),
    "median_of": lambda v: constant(v, v.median()),
    "std_of": lambda v: constant(v, v.std()),
    "min_of": lambda v: constant(v, v.min()),
    "max_of": lambda v: constant(v, v.max()),
    "sum_of": lambda v: constant(v, v.sum()),
    "zscore": standardised,
    "minmax": scaled,
    "rank": lambda v: v.rank(),
}
TEXTS = ("length", "letters")
DATES: dict[str, Callable[[Series], Series]] = {
    "year": lambda m: m.dt.year,
    "month": lambda m: m.dt.month,
    "day": lambda m: m.dt.day,
    "hour": lambda m: m.dt.hour,
    "weekday": lambda m: m.dt.dayofweek + 1,
    "weekend": lambda m: (m.dt.dayofweek >= 5).where(m.notna()).astype("float64"),
}

__all__ = ["Col", "Fn", "Formula", "Num", "Op", "columns_of", "days", "evaluate", "moments", "worded"]
