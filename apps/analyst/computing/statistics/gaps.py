"""What is missing or doubled in a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apps.analyst.computing.statistics.options import Options, flag
from apps.analyst.computing.statistics.result import StatisticResult
from apps.analyst.computing.statistics.values import column
from apps.analyst.types import ResultColumn, Scalar

if TYPE_CHECKING:
    import pandas as pd


def missing(frame: pd.DataFrame, options: Options) -> StatisticResult:
    """How many values are missing in each column; `texts_only` looks at text columns alone.

    Figures: count and percent (0 to 100) over all columns looked at, the column with the most, and those with any.
    """
    import pandas as pd

    names = [str(name) for name in frame.columns]
    if flag(options, "texts_only"):
        names = [n for n in names if column(frame, n).dtype == object or pd.api.types.is_string_dtype(column(frame, n))]
    counts = {name: int(column(frame, name).isna().sum()) for name in names}
    total, cells = sum(counts.values()), len(frame) * len(names)
    gaps = {name: count for name, count in counts.items() if count}
    most = max(gaps, key=lambda name: gaps[name]) if gaps else None
    figures: dict[str, Scalar] = {
        "count": total,
        "percent": 100 * total / cells if cells else None,
        "present": cells - total,
        "any": total > 0,
        "most": most,
        "columns": ", ".join(sorted(gaps)) or "none",
        "column_count": len(gaps),
        "rows with a gap": int(frame[names].isna().any(axis=1).sum()) if names else 0,
    }
    many = len(names) > 1
    return StatisticResult(
        name="missing",
        figures=figures,
        columns=(
            ResultColumn("column", "text", "dimension"),
            ResultColumn("missing", "integer", "measure"),
            ResultColumn("share", "float", "measure", "%"),
        ),
        rows=tuple(
            (name, count, 100 * count / len(frame) if len(frame) else None)
            for name, count in sorted(counts.items(), key=lambda item: -item[1])
        ),
        units={"percent": "%"},
        rule="empty cells count as missing",
        sentence=(
            f"{len(gaps)} of {len(names)} columns have gaps, {total:,} values in all; most are in {most}."
            if many and gaps
            else f"{total:,} of {cells:,} values{'' if many or not names else f' of {names[0]}'} are missing."
        ),
        rows_used=len(frame),
    )


def duplicates(frame: pd.DataFrame, options: Options) -> StatisticResult:
    """Rows that repeat an earlier row in all columns given."""
    doubled = int(frame.duplicated().sum())
    return StatisticResult(
        name="duplicates",
        figures={"count": doubled, "remaining": len(frame) - doubled, "any": doubled > 0},
        rule="a row counts as a duplicate when an earlier one has the same value in every column looked at",
        sentence=f"{doubled:,} of {len(frame):,} rows repeat an earlier one."
        if doubled
        else f"No row repeats an earlier one ({len(frame):,} rows).",
        rows_used=len(frame),
    )


def rows(frame: pd.DataFrame, options: Options) -> StatisticResult:
    """How many rows are left, and which percentage (0 to 100) of the `of` rows there were."""
    whole = options.get("of")
    total = int(whole) if isinstance(whole, int) and not isinstance(whole, bool) else len(frame)
    return StatisticResult(
        name="rows",
        figures={
            "count": len(frame),
            "share": len(frame) / total if total else None,
            "percent": 100 * len(frame) / total if total else None,
        },
        rule="",
        sentence=f"{len(frame):,} rows." if total == len(frame) else f"{len(frame):,} of {total:,} rows.",
        rows_used=len(frame),
    )
