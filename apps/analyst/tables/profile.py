"""Describes typed columns: distinct values with counts, ranges, gaps, roles, units, histograms."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from apps.analyst.tables.grid import TypedColumn
from apps.analyst.tables.roles import Facts, role_of, unit_in_name
from apps.analyst.tables.wording import shortened
from apps.analyst.types import Column, Scalar, ValueCount

MAX_VALUES = 2_000
"""So many of a column's values are kept in the profile; `{i}.values.parquet` has all texts."""
MAX_VALUE_LENGTH = 400
MAX_SHOWN = 2_000
MAX_NUMBER_VALUES = 100
"""A column of numbers keeps its values where it has at most so many."""
BINS = 20


def profile_column(column: TypedColumn, position: int) -> Column:
    """The profile of one typed column."""
    rows = len(column.values)
    filled = column.counts.total()
    distinct = len(column.counts)
    low, high = bounds(column.plan.type, column.counts)
    length = 0.0
    if column.plan.type == "text" and distinct:
        length = sum(len(str(text)) for text in column.counts) / distinct
    facts = Facts(column.name, column.plan.type, rows, distinct, rows - filled, low, high, length, position)
    return finish_column(facts, column.plan.unit, value_counts(column.plan.type, column.counts))


def finish_column(facts: Facts, unit: str | None, values: tuple[ValueCount, ...]) -> Column:
    """A Column from what profiling found; adds the role and a unit that the name states."""
    role = role_of(facts)
    if unit is None and role == "measure":
        unit = unit_in_name(facts.name)
    filled = facts.rows - facts.missing
    return Column(
        name=facts.name,
        type=facts.type,
        role=role,
        unit=unit,
        distinct=facts.distinct,
        missing=facts.missing,
        minimum=facts.minimum,
        maximum=facts.maximum,
        values=values,
        values_complete=len(values) == facts.distinct,
        unique=filled > 0 and facts.distinct == filled,
    )


def bounds(kind: str, counts: Mapping[Any, int]) -> tuple[Scalar, Scalar]:
    """Smallest and largest value; (None, None) for texts, truth values and empty columns."""
    if kind in ("text", "boolean") or not counts:
        return None, None
    return min(counts), max(counts)


def value_counts(kind: str, counts: Counter[Any]) -> tuple[ValueCount, ...]:
    """The most frequent values as text, most frequent first; none for large sets of numbers and dates."""
    if kind not in ("text", "boolean") and len(counts) > MAX_NUMBER_VALUES:
        return ()
    return short_values((as_text(value), count) for value, count in counts.most_common(MAX_VALUES))


def short_values(counted: Iterable[tuple[str, int]]) -> tuple[ValueCount, ...]:
    """Values with their counts; whole paragraphs are not kept in a profile."""
    return tuple(ValueCount(text, count) for text, count in counted if len(text) <= MAX_VALUE_LENGTH)


def shown(value: Scalar) -> Scalar:
    """A cell as a sample shows it: long texts are cut."""
    return shortened(value, MAX_SHOWN) if isinstance(value, str) else value


def as_text(value: object) -> str:
    """A value as the profile writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return value.isoformat(sep=" ")
    if isinstance(value, Decimal):
        return f"{value.normalize():f}"
    return str(value)


def histogram(column: TypedColumn) -> tuple[int, ...]:
    """Counts of equal-width bins between minimum and maximum; empty for texts and single values."""
    if column.plan.type in ("text", "boolean") or len(column.counts) < 2:
        return ()
    numbers = {as_number(value): count for value, count in column.counts.items()}
    low, high = min(numbers), max(numbers)
    if not high > low:
        return ()
    bins = [0] * BINS
    width = (high - low) / BINS
    if not math.isfinite(width):
        return ()
    for number, count in numbers.items():
        bins[min(int((number - low) / width), BINS - 1)] += count
    return tuple(bins)


def as_number(value: object) -> float:
    """A number or a moment as a float, for positions on an axis."""
    if isinstance(value, datetime):
        return (value - datetime(1970, 1, 1)).total_seconds()  # noqa: DTZ001 - stored without a zone
    if isinstance(value, date):
        return float(value.toordinal())
    return float(value) if isinstance(value, int | float | Decimal) else 0.0


def profile(columns: Sequence[TypedColumn]) -> tuple[Column, ...]:
    """The profiles of a table's columns."""
    return tuple(profile_column(column, position) for position, column in enumerate(columns))
