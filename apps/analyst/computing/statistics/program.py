"""A frame program: prepare a table by typed steps, take named figures from it, word them as asked.

It stands in a plan as `Statistic(name="program", options={"program": <JSON of Program>})`. Steps, formulas and figures
come from allow-lists; the JSON is data and is never run as code.
"""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from apps.analyst.computing.statistics import step_words
from apps.analyst.computing.statistics import steps as step_kinds
from apps.analyst.computing.statistics.options import Options
from apps.analyst.computing.statistics.outliers import names_of_outliers
from apps.analyst.computing.statistics.result import StatisticResult, figure_text
from apps.analyst.computing.statistics.steps import AnyStep, Keep
from apps.analyst.computing.statistics.studies import STUDIES
from apps.analyst.computing.statistics.values import column, numbers, scalar
from apps.analyst.errors import AnalystError, PlanRejected
from apps.analyst.types import Scalar

if TYPE_CHECKING:
    import pandas as pd


class Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Test(Frozen):
    """A figure of the study against a number; `absolute` ignores its sign."""

    figure: str
    op: Literal["<", "<=", ">", ">=", "="]
    value: float
    absolute: bool = False


class Label(Frozen):
    """A word to answer with when all the tests of one of the alternatives hold (no alternative: always)."""

    text: str
    when: tuple[tuple[Test, ...], ...] = ()


class Figure(Frozen):
    """One value to give: a figure of a study over columns, at the state of the table after `at` steps (None: all)."""

    name: str
    study: str
    figure: str
    columns: tuple[str, ...] = ()
    options: dict[str, str | int | float | bool | None] = Field(default_factory=dict)
    where: tuple[Keep, ...] = ()
    at: int | None = None
    decimals: int | None = None
    scale: float = 1.0
    labels: tuple[Label, ...] = ()
    """Where given, the first whose tests hold is the value instead of the figure."""
    separator: str = ", "


class Program(Frozen):
    """What to do, in order. `steps` change the table, `figures` read it."""

    steps: tuple[AnyStep, ...] = Field(default=(), max_length=50)
    figures: tuple[Figure, ...] = Field(min_length=1, max_length=200)


def parse(text: object) -> Program:
    """The program of its JSON text. Raises PlanRejected where it is none, or names an unknown study."""
    try:
        program = Program.model_validate_json(str(text))
    except ValidationError as error:
        raise PlanRejected("The steps of this statistic are not well formed.") from error
    for figure in program.figures:
        if figure.study not in STUDIES and figure.study not in OWN_STUDIES:
            raise PlanRejected(f"There is no statistic called “{figure.study}”.")
        if figure.at is not None and not 0 <= figure.at <= len(program.steps):
            raise PlanRejected(f"“{figure.name}” refers to a step that is not there.")
    return program


def run_program(frame: pd.DataFrame, options: Options) -> StatisticResult:
    """Run the program in `options["program"]` (JSON) over the frame. The figures come back under their asked names."""
    program = parse(options.get("program"))
    states = [frame]
    for step in program.steps:
        states.append(step_kinds.apply(step, states[-1]))
    figures: dict[str, Scalar] = {}
    rules: list[str] = []
    notes: list[str] = []
    studied: dict[object, StatisticResult] = {}
    for figure in program.figures:
        state = states[-1 if figure.at is None else figure.at]
        if figure.study in OWN_STUDIES:
            figures[figure.name] = rounded(own(figure, narrowed(state, figure.where)), figure)
            continue
        key = (figure.study, figure.columns, figure.at, figure.where, tuple(sorted(figure.options.items())))
        if key not in studied:
            studied[key] = study(figure, narrowed(state, figure.where))
            rules += [studied[key].rule] if studied[key].rule else []
            notes += studied[key].notes
        figures[figure.name] = told(figure, studied[key])
    sentences = [found.sentence for found in studied.values() if found.sentence]
    done = [step_words.worded(step) for step in program.steps]
    return StatisticResult(
        name="program",
        figures=figures,
        rule="; ".join(dict.fromkeys([*done, *rules])),
        sentence=" ".join(sentences[:1]) if len(studied) == 1 else "",
        notes=tuple(dict.fromkeys(notes)),
        rows_used=min((found.rows_used for found in studied.values()), default=len(states[-1])),
    )


def narrowed(frame: pd.DataFrame, where: tuple[Keep, ...]) -> pd.DataFrame:
    """The rows that pass all tests."""
    for test in where:
        frame = step_kinds.apply(test, frame)
    return frame


def study(figure: Figure, frame: pd.DataFrame) -> StatisticResult:
    """The figure's study over its columns (none named: all)."""
    names = step_kinds.existing(frame, figure.columns) or list(frame.columns)
    return STUDIES[figure.study](frame[names], figure.options)


def told(figure: Figure, found: StatisticResult) -> Scalar:
    """The figure itself, rounded as asked, or the label whose tests hold."""
    if figure.labels:
        for label in figure.labels:
            if not label.when or any(all(holds(test, found) for test in tests) for tests in label.when):
                return label.text
        return None
    if figure.figure not in found.figures:
        raise PlanRejected(f"The statistic “{figure.study}” has no figure “{figure.figure}”.")
    return rounded(found.figures[figure.figure], figure)


def rounded(value: Scalar, figure: Figure) -> Scalar:
    """A number scaled and rounded to the asked decimals; whole numbers for none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    scaled = value * figure.scale if figure.scale != 1.0 else value
    if figure.decimals is None or isinstance(scaled, int):
        return scaled
    exact = half_up(scaled, figure.decimals)
    return int(exact) if figure.decimals == 0 else exact


def half_up(value: float, decimals: int) -> float:
    """Rounded as people round: 1.305 gives 1.31, although the nearest binary fraction lies a hair below."""
    clean = Decimal(repr(float(f"{value:.12g}")))
    return float(clean.quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP)) + 0.0


def holds(test: Test, found: StatisticResult) -> bool:
    """Whether the study's figure passes the test; figures that are no numbers never do."""
    value = found.figures.get(test.figure)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    number = abs(value) if test.absolute else value
    return {
        "<": number < test.value,
        "<=": number <= test.value,
        ">": number > test.value,
        ">=": number >= test.value,
        "=": number == test.value,
    }[test.op]


OWN_STUDIES = ("first", "last", "at_maximum", "at_minimum", "listed", "outlier_rows")
"""Figures read straight from the table: a column's first or last value, the first column's value where the second is
highest or lowest (or that figure itself), all its values, and the last column's values in the outlier rows of the
first."""


def own(figure: Figure, frame: pd.DataFrame) -> Scalar:
    """One of OWN_STUDIES."""
    names = step_kinds.existing(frame, figure.columns)
    if not names or frame.empty:
        raise AnalystError("No rows are left to read a value from.")
    if figure.study in ("first", "last"):
        return scalar(column(frame, names[0]).iloc[0 if figure.study == "first" else -1])
    if figure.study in ("at_maximum", "at_minimum"):
        if figure.options.get("per"):
            frame = per_group(frame, names, str(figure.options["per"]))
        values = numbers(frame, names[-1]).series
        best = values.max() if figure.study == "at_maximum" else values.min()
        if figure.figure == "value":
            return scalar(best)
        found = [scalar(v) for v in column(frame, names[0])[values == best]]
    elif figure.study == "outlier_rows":
        found = names_of_outliers(frame[names], figure.options)
    else:
        found = [scalar(v) for v in column(frame, names[0]).dropna()]
    distinct = found if figure.study == "outlier_rows" else list(dict.fromkeys(found))
    if len(distinct) == 1:
        return distinct[0]
    return figure.separator.join(as_text(rounded(value, figure)) for value in distinct) or None


def per_group(frame: pd.DataFrame, names: list[str], fn: str) -> pd.DataFrame:
    """One row per value of the first column with the figure of the last one in its place."""
    if fn not in ("mean", "sum", "median", "min", "max", "count"):
        raise PlanRejected(f"There is no figure “{fn}” per group.")
    values = numbers(frame, names[-1]).series
    grouped = values.groupby(column(frame, names[0]), observed=True).agg(fn)
    result: pd.DataFrame = grouped.rename(names[-1]).rename_axis(names[0]).reset_index()
    return result


def as_text(value: Scalar) -> str:
    """A listed value without thousands separators."""
    return figure_text(value) if isinstance(value, bool) or value is None else str(value)


def worded(program: Program) -> str:
    """The program as one sentence: its steps, then what is taken from the table."""
    parts = [step_words.worded(step) for step in program.steps]
    wanted = ", ".join(
        dict.fromkeys(
            f"{figure.figure.replace('_', ' ')} of {', '.join(figure.columns) or 'all columns'}"
            for figure in program.figures
        )
    )
    return "; ".join([*parts, f"then give {wanted}" if parts else f"give {wanted}"])
