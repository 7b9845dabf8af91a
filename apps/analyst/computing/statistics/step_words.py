"""The steps of a frame program as instructions a person can check."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apps.analyst.computing.statistics import formulas
from apps.analyst.computing.statistics.result import figure_text
from apps.analyst.computing.statistics.steps import (
    AnyStep,
    Classify,
    Derive,
    DropDuplicates,
    DropMissing,
    Encode,
    FillMissing,
    Keep,
    Outliers,
    PerGroup,
    Scale,
    Sort,
)

if TYPE_CHECKING:
    pass


def worded(step: AnyStep) -> str:
    """The step as an instruction a person can check."""
    match step:
        case Keep():
            return f"keep rows where {condition(step)}"
        case DropMissing(columns=names):
            return f"leave out rows without {' or '.join(names) if names else 'any of the values'}"
        case DropDuplicates():
            return "leave out rows that repeat an earlier one"
        case FillMissing(columns=names, by=by, value=value, per=per):
            what = {"value": figure_text(value), "forward": "the value before", "backward": "the value after"}.get(
                by, f"the {by}"
            )
            return f"fill gaps of {', '.join(names)} with {what}" + (f" of the same {per}" if per else "")
        case Derive(name=name, formula=formula):
            return f"compute {name} = {formulas.worded(formula)}"
        case Outliers(column=name, method=method, threshold=threshold, by=by):
            rule = (
                f"beyond {threshold or 1.5:g} IQR from the quartiles"
                if method == "iqr"
                else f"beyond {threshold or 3:g} standard deviations"
            )
            instead = "nothing" if by == "missing" else f"the {by}"
            how = "leave out rows" if by == "removal" else f"replace values by {instead}"
            return f"{how} where {name} is {rule}"
        case Scale(columns=names, method=method):
            return f"rescale {', '.join(names)} {'to 0 to 1' if method == 'minmax' else 'to z-scores'}"
        case Encode(columns=names):
            return f"number the values of {', '.join(names)} from 0 in alphabetical order"
        case Classify(name=name, column=source, edges=edges, labels=labels, quantiles=quantiles):
            marks = ", ".join(f"{100 * e:g}%" if quantiles else f"{e:g}" for e in edges)
            return f"sort {source} into {name}: {', '.join(labels)} (edges at {marks})"
        case Sort(column=name, descending=descending):
            return f"sort by {name}{', highest first' if descending else ''}"
        case PerGroup(by=by, column=name, figure=figure):
            return f"take the {figure} of {name} for each {' and '.join(by)}"


def condition(step: Keep) -> str:
    """A test in words."""
    if step.op in ("present", "missing"):
        return f"{step.column} is {'there' if step.op == 'present' else 'missing'}"
    if step.of_figure:
        return f"{step.column} {step.op} its {step.of_figure}"
    if step.op in ("in", "not in"):
        return f"{step.column} is {'not ' if step.op == 'not in' else ''}{' or '.join(step.values)}"
    return f"{step.column} {step.op} {figure_text(step.value)}"
