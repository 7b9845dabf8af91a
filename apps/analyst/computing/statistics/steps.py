"""The steps of a frame program: an allow-list of ways to prepare a table before figures are taken from it.

Every step is typed data, checked by pydantic, worded by `worded`, and applied by `apply`; none is ever code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from apps.analyst.computing.statistics import formulas
from apps.analyst.computing.statistics.formulas import Formula
from apps.analyst.computing.statistics.outliers import fence
from apps.analyst.computing.statistics.values import column, numbers
from apps.analyst.errors import AnalystError

if TYPE_CHECKING:
    import pandas as pd


Fill = Literal["mean", "median", "mode", "value", "forward", "backward"]


class Step(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Keep(Step):
    """Keep the rows that pass a test. `to` is a column's name instead of a value where `of_column`, or one of the
    figures median/mean/q1/q3 of the tested column where `of_figure`."""

    do: Literal["keep"] = "keep"
    column: str
    op: Literal["=", "!=", "<", "<=", ">", ">=", "in", "not in", "contains", "present", "missing"]
    value: str | float | int | bool | None = None
    values: tuple[str, ...] = ()
    of_figure: Literal["mean", "median", "q1", "q3"] | None = None


class DropMissing(Step):
    """Leave out rows with a gap in any of the columns (none named: in any column)."""

    do: Literal["drop_missing"] = "drop_missing"
    columns: tuple[str, ...] = ()


class DropDuplicates(Step):
    """Leave out rows that repeat an earlier one."""

    do: Literal["drop_duplicates"] = "drop_duplicates"
    columns: tuple[str, ...] = ()


class FillMissing(Step):
    """Put something where a value is missing; `per` fills within the groups of that column first."""

    do: Literal["fill_missing"] = "fill_missing"
    columns: tuple[str, ...]
    by: Fill
    value: str | float | int | None = None
    per: str | None = None


class Derive(Step):
    """Add a column by a row formula."""

    do: Literal["derive"] = "derive"
    name: str
    formula: Formula


class Outliers(Step):
    """Remove the rows whose value is an outlier, or replace the value. Rules as `statistics.outliers.fence`."""

    do: Literal["outliers"] = "outliers"
    column: str
    method: Literal["iqr", "zscore"] = "iqr"
    threshold: float | None = None
    ddof: int = 0
    by: Literal["removal", "mean", "median", "missing", "bounds"] = "removal"


class Scale(Step):
    """Rescale columns: minmax to 0..1, or zscore to mean 0 and standard deviation 1."""

    do: Literal["scale"] = "scale"
    columns: tuple[str, ...]
    method: Literal["minmax", "zscore"] = "minmax"


class Encode(Step):
    """Replace the texts of columns by their place in alphabetical order, from 0."""

    do: Literal["encode"] = "encode"
    columns: tuple[str, ...]


class Classify(Step):
    """Add a column of classes by the edges between them; with `quantiles` the edges are shares (0 to 1) of the column.

    A value goes into the first class whose upper edge it does not pass; on the edge itself it belongs to the class
    below where `right`, else to the one above. There is one label more than there are edges, lowest first."""

    do: Literal["classify"] = "classify"
    name: str
    column: str
    edges: tuple[float, ...] = Field(min_length=1, max_length=100)
    labels: tuple[str, ...]
    quantiles: bool = False
    right: bool = False


class Sort(Step):
    do: Literal["sort"] = "sort"
    column: str
    descending: bool = False


class PerGroup(Step):
    """One row per value of `by`, with the figure of `column` under the name `name`."""

    do: Literal["per_group"] = "per_group"
    by: tuple[str, ...]
    column: str
    figure: Literal["mean", "median", "sum", "count", "min", "max", "std"]
    name: str


AnyStep = Annotated[
    Keep | DropMissing | DropDuplicates | FillMissing | Derive | Outliers | Scale | Encode | Classify | Sort | PerGroup,
    Field(discriminator="do"),
]


def apply(step: AnyStep, frame: pd.DataFrame) -> pd.DataFrame:
    """A new frame with the step done. Raises AnalystError where it does not fit the data."""
    match step:
        case Keep():
            kept: pd.DataFrame = frame[passing(step, frame)]
            return kept
        case DropMissing(columns=names):
            dropped: pd.DataFrame = frame.dropna(subset=existing(frame, names) or None)
            return dropped
        case DropDuplicates(columns=names):
            return frame.drop_duplicates(subset=existing(frame, names) or None)
        case FillMissing():
            return filled(step, frame)
        case Derive(name=name, formula=formula):
            return frame.assign(**{name: formulas.evaluate(formula, frame)})
        case Outliers():
            return without_outliers(step, frame)
        case Scale(columns=names, method=method):
            change = formulas.scaled if method == "minmax" else formulas.standardised
            return frame.assign(**{name: change(numbers(frame, name).series) for name in existing(frame, names)})
        case Encode(columns=names):
            return frame.assign(**{name: coded(column(frame, name)) for name in existing(frame, names)})
        case Classify():
            return classified(step, frame)
        case Sort(column=name, descending=descending):
            existing(frame, (name,))
            return frame.sort_values(name, ascending=not descending, kind="stable")
        case PerGroup():
            return per_group(step, frame)


def existing(frame: pd.DataFrame, names: tuple[str, ...]) -> list[str]:
    """The names, all of which must be columns of the frame."""
    for name in names:
        column(frame, name)
    return list(names)


def passing(step: Keep, frame: pd.DataFrame) -> Any:
    """True for each row that passes the test; a missing value only passes "missing"."""
    raw = column(frame, step.column)
    if step.op == "present":
        return raw.notna()
    if step.op == "missing":
        return raw.isna()
    if step.of_figure is not None:
        values = numbers(frame, step.column).series
        shares = {"median": 0.5, "q1": 0.25, "q3": 0.75}
        mark = values.mean() if step.of_figure == "mean" else values.quantile(shares[step.of_figure])
        return compared(values, step.op, float(mark))
    if isinstance(step.value, int | float) and not isinstance(step.value, bool):
        return compared(numbers(frame, step.column).series, step.op, float(step.value))
    text = raw.astype("string").str.strip().str.casefold()
    if step.op in ("in", "not in"):
        among = text.isin([value.strip().casefold() for value in step.values])
        return (among if step.op == "in" else ~among) & raw.notna()
    wanted = str(step.value).strip().casefold()
    if step.op == "contains":
        return text.str.contains(wanted, regex=False).fillna(False).astype(bool)
    if step.op in ("=", "!="):
        same = (text == wanted).fillna(False).astype(bool)
        return same if step.op == "=" else ~same & raw.notna()
    return compared_dates(step, raw)


def compared(values: Any, op: str, mark: float) -> Any:
    """The test of numbers against one number."""
    tests = {
        "=": values == mark,
        "!=": (values != mark) & values.notna(),
        "<": values < mark,
        "<=": values <= mark,
        ">": values > mark,
        ">=": values >= mark,
    }
    if op not in tests:
        raise AnalystError(f"A number cannot be tested with “{op}”.")
    return tests[op]


def compared_dates(step: Keep, raw: Any) -> Any:
    """The test of dates against ISO text."""
    import pandas as pd

    mark = pd.to_datetime(str(step.value), errors="coerce")
    if not isinstance(mark, pd.Timestamp):
        raise AnalystError(f"“{step.column}” cannot be compared with “{step.value}”.")
    since = (mark - pd.Timestamp("1970-01-01")) / pd.Timedelta(days=1)
    return compared(formulas.days(formulas.moments(raw, step.column)), step.op, float(since))


def filled(step: FillMissing, frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with gaps filled; columns of texts take the mode where a mean or median was asked."""
    changed: dict[str, Any] = {}
    for name in existing(frame, step.columns):
        raw = column(frame, name)
        if step.by == "value":
            changed[name] = raw.fillna(step.value) if step.value is not None else raw
        elif step.by in ("forward", "backward"):
            changed[name] = raw.ffill() if step.by == "forward" else raw.bfill()
        elif step.by == "mode":
            found = raw.mode(dropna=True)
            changed[name] = raw.fillna(found.iloc[0]) if len(found) else raw
        else:
            try:
                values = numbers(frame, name).series
            except AnalystError:
                continue
            if step.per is not None:
                keys = column(frame, step.per)
                groups = values.groupby(keys, observed=True)
                values = values.fillna(groups.transform("mean" if step.by == "mean" else "median"))
            changed[name] = values.fillna(values.mean() if step.by == "mean" else values.median())
    return frame.assign(**changed)


def without_outliers(step: Outliers, frame: pd.DataFrame) -> pd.DataFrame:
    """The frame without the rows that are out of line, or with their value replaced."""
    values = numbers(frame, step.column).series
    options: dict[str, Any] = {"method": step.method, "ddof": step.ddof}
    if step.threshold is not None:
        options["threshold"] = step.threshold
    bounds = fence(values, options)
    out = bounds.outside(values)
    if step.by == "removal":
        return frame[~out]
    if step.by == "bounds":
        return frame.assign(**{step.column: values.clip(bounds.low, bounds.high)})
    instead = {"mean": values.mean(), "median": values.median(), "missing": float("nan")}[step.by]
    return frame.assign(**{step.column: values.mask(out, instead)})


def coded(raw: Any) -> Any:
    """Each text's place among the sorted distinct ones, from 0; numbers stay."""
    import pandas as pd

    if pd.api.types.is_numeric_dtype(raw) and not pd.api.types.is_bool_dtype(raw):
        return raw
    codes = pd.Categorical(raw.astype("string")).codes
    return pd.Series(codes, index=raw.index, dtype="float64").where(raw.notna())


def classified(step: Classify, frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with the classes as one more column."""
    import numpy as np
    import pandas as pd

    if len(step.labels) != len(step.edges) + 1:
        raise AnalystError("There must be one class more than there are edges between classes.")
    values = numbers(frame, step.column).series
    edges = [float(values.quantile(share)) for share in step.edges] if step.quantiles else list(step.edges)
    if edges != sorted(edges):
        raise AnalystError("The edges between classes must rise.")
    places = np.searchsorted(np.asarray(edges), values.to_numpy(dtype=float), side="left" if step.right else "right")
    named = pd.Series([step.labels[min(i, len(step.labels) - 1)] for i in places], index=frame.index, dtype="object")
    return frame.assign(**{step.name: named.where(values.notna())})


def per_group(step: PerGroup, frame: pd.DataFrame) -> pd.DataFrame:
    """One row per group."""
    keys = existing(frame, step.by)
    if step.figure == "count":
        counted = frame.groupby(keys, sort=True, observed=True).size()
        return counted.rename(step.name).reset_index()
    values = numbers(frame, step.column).series.rename(step.name)
    found = frame[keys].assign(**{step.name: values}).groupby(keys, sort=True, observed=True)[step.name]
    result: pd.DataFrame = found.agg(step.figure).reset_index()
    return result
