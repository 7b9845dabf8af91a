"""Rows of a large text file that are no rows of data: totals, wherever they stand, and remarks at its end."""

# ruff: noqa: S608 - names and literals are quoted by bulk_sql, the rest is ours

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from apps.analyst.tables import bulk_sql, strays, totals
from apps.analyst.tables.bulk_engine import Engine
from apps.analyst.tables.bulk_sql import literal
from apps.analyst.tables.bulk_stage import ParquetTexts
from apps.analyst.tables.grid import as_decimal
from apps.analyst.tables.plans import ColumnPlan
from apps.analyst.tables.wording import counted

_ROW = "file_row_number"


@dataclass(frozen=True, slots=True)
class Sums:
    """What the rows between two candidates add up to, column by column."""

    rows: int
    sums: tuple[Decimal | None, ...]
    parts: tuple[int, ...]
    """How many figures are not zero."""


def ends_oddly(rows: Sequence[Sequence[str]]) -> bool:
    """Whether some of a file's last rows are worded like totals, or are remarks below the table."""
    return bool(remarks_of(rows)) or any(_is_worded(row) for row in rows)


def remarks_of(rows: Sequence[Sequence[str]]) -> list[str]:
    """The remarks at the end of these rows, which may hold blank ones."""
    blank = {index for index, row in enumerate(rows) if not any(row)}
    footer = strays.footer(len(rows), blank, rows.__getitem__) if rows else set()
    return [totals.label_of(rows[index]) for index in sorted(footer)]


def leave_out(
    texts: ParquetTexts, plans: Sequence[ColumnPlan], remarks: Sequence[str], kept: Path, engine: Engine
) -> tuple[ParquetTexts, list[str]]:
    """The texts without rows of totals and without these remarks at their end, and what to tell about it."""
    width, notes = len(texts.gaps), []
    end = _before_remarks(texts, remarks, engine)
    gone = list(range(end, texts.rows))
    if gone:
        notes.append(strays.footer_note(remarks))
    candidates = _candidates(texts, width, end, engine)
    confirmed = _confirmed(texts, plans, candidates, end, engine)
    confirmed += totals.share_rows(candidates, confirmed)
    if confirmed:
        labels = ", ".join(dict.fromkeys(f'"{totals.label_of(candidates[row])}"' for row in confirmed[:3]))
        notes.append(f"{counted(len(confirmed), 'totals row')} left out ({labels})")
    if not gone and not confirmed:
        return texts, notes
    numbers = ", ".join(map(str, [*gone, *confirmed]))
    engine.run(
        f"COPY (SELECT * EXCLUDE ({_ROW}) FROM {_numbered(texts)} WHERE {_ROW} NOT IN ({numbers})) "
        f"TO {literal(str(kept))} (FORMAT parquet, COMPRESSION snappy)"
    )
    return ParquetTexts(kept, width, engine), notes


def _is_worded(row: Sequence[str]) -> bool:
    """Whether a row's first filled cell is worded like the label of a total, or a later cell is just that word."""
    return totals.is_total_label(totals.label_of(row)) or not totals.PLAIN_LABELS.isdisjoint(row[1:])


def _numbered(texts: ParquetTexts) -> str:
    return f"read_parquet({literal(str(texts.path))}, file_row_number=true)"


def _cells(width: int) -> str:
    return ", ".join(f"coalesce(c{index}, '')" for index in range(width))


def _before_remarks(texts: ParquetTexts, remarks: Sequence[str], engine: Engine) -> int:
    """The number of rows above the remarks, where the last rows are these and nothing else."""
    first = texts.rows - len(remarks)
    if not remarks or first <= 0:
        return texts.rows
    last = engine.rows(
        f"SELECT {_cells(len(texts.gaps))} FROM {_numbered(texts)} WHERE {_ROW} >= {first} ORDER BY {_ROW}"
    )
    found = [[cell for cell in row if cell] for row in last]
    return first if found == [[remark] for remark in remarks] else texts.rows


def _candidates(texts: ParquetTexts, width: int, end: int, engine: Engine) -> dict[int, tuple[str, ...]]:
    """The rows that are worded like totals, as `grid` finds them in smaller tables."""
    label = f"coalesce({', '.join(f'c{index}' for index in range(width))})"
    plain = ", ".join(literal(word) for word in sorted(totals.PLAIN_LABELS))
    worded = [f"regexp_matches({label}, 'total|sum|gesamt', 'i')"]
    worded += [f"c{index} IN ({plain})" for index in range(1, width)]
    rows = engine.rows(
        f"SELECT {_ROW}, {_cells(width)} FROM {_numbered(texts)} WHERE {_ROW} < {end} AND ({' OR '.join(worded)}) "
        f"LIMIT {10 * totals.MAX_CANDIDATES}"
    )
    found = {row[0]: row[1:] for row in sorted(rows) if _is_worded(row[1:])}
    return found if len(rows) < 10 * totals.MAX_CANDIDATES and len(found) <= totals.MAX_CANDIDATES else {}


def _confirmed(
    texts: ParquetTexts, plans: Sequence[ColumnPlan], candidates: dict[int, tuple[str, ...]], end: int, engine: Engine
) -> list[int]:
    """The candidates that are sums: of all other rows above them, or of those since the total before."""
    figures = [
        index
        for index, plan in enumerate(plans)
        if plan.type in ("integer", "decimal", "float") and bulk_sql.value(plan, "c") is not None
    ]
    if not candidates or not figures:
        return []
    between = _between(texts, plans, figures, list(candidates), end, engine)
    agreeing: dict[int, int] = {}
    after = 0
    for place, (row, cells) in enumerate(candidates.items()):
        read = [as_decimal(totals.read_figure(plans[index], cells[index])) for index in figures]
        rates = [plans[index].unit == "%" for index in figures]
        digits = _agree(read, between[: place + 1], rates) or _agree(read, between[after : place + 1], rates)
        if digits:
            agreeing[row], after = digits, place + 1
    return totals.beyond_chance(agreeing, {row: totals.label_of(cells) for row, cells in candidates.items()}, end)


def _between(
    texts: ParquetTexts,
    plans: Sequence[ColumnPlan],
    figures: Sequence[int],
    candidates: Sequence[int],
    end: int,
    engine: Engine,
) -> list[Sums]:
    """What the rows above the first candidate, and those between each and the next, add up to."""
    values = [bulk_sql.value(plans[index], f"c{index}") for index in figures]
    sums = ", ".join([*(f"sum({value})" for value in values), *(f"count_if({value} <> 0)" for value in values)])
    listed = ", ".join(f"({row}, {place})" for place, row in enumerate((-1, *candidates)))
    found = engine.rows(
        f"SELECT place, count(*), {sums} FROM {_numbered(texts)} AS t "
        f"ASOF JOIN (VALUES {listed}) AS marks(marked, place) ON t.{_ROW} >= marks.marked "
        f"WHERE t.{_ROW} < {end} AND t.{_ROW} <> marks.marked GROUP BY place"
    )
    width = len(figures)
    by_place = {
        row[0]: Sums(row[1], tuple(as_decimal(value) for value in row[2 : width + 2]), row[width + 2 :])
        for row in found
    }
    none = Sums(0, (None,) * width, (0,) * width)
    return [by_place.get(place, none) for place in range(len(candidates) + 1)]


def _agree(figures: Sequence[Decimal | None], parts: Sequence[Sums], rates: Sequence[bool]) -> int:
    """In how many digits a row's figures are the sums of these parts; 0 where they are not."""
    count = sum(part.rows for part in parts)
    if count < 2:
        return 0
    asked, sums, added, percent = [], [], [], []
    for position, figure in enumerate(figures):
        if figure is not None:
            known = [value for part in parts if (value := part.sums[position]) is not None]
            asked.append(figure)
            sums.append(sum(known, Decimal(0)) if known else None)
            added.append(sum(part.parts[position] for part in parts) > 1)
            percent.append(rates[position])
    return totals.agree(asked, sums, count, added, percent)
