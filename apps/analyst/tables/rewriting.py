"""Rewrites a text file that DuckDB would not read as we mean it into plain UTF-8 CSV with rows of one width."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from apps.analyst.errors import ReadFailed
from apps.analyst.tables import source as sources
from apps.analyst.tables.layout import MAX_COLUMNS
from apps.analyst.tables.results import IngestProgress, Progress
from apps.analyst.tables.wording import counted, was

_REPORT_EVERY = 50_000


@dataclass(slots=True)
class Rewritten:
    """The plain file (without header), its column names, and what was changed on the way."""

    path: Path
    names: list[str]
    notes: list[str] = field(default_factory=list)
    longest: int = 0
    """Bytes of the longest row, at least."""


def rewrite(found: sources.Source, target: Path, name: str, progress: Progress, *, words: bool) -> Rewritten:
    """Writes the file's rows of data to `target`: short rows filled up, blank rows and repeated headers left out.
    `words`: whether its columns hold words alone."""
    names = list(found.layout.names)
    width = _widest(found, len(names))
    overflow = width - len(names)
    names += [f"Column {number}" for number in range(len(names) + 1, width + 1)]
    short = long = repeated = count = longest = 0
    header = header_of(found, words=words)
    with target.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        for row in _data_rows(found):
            if not any(row) or all(not cell or cell.isspace() for cell in row):
                continue
            if header and row[0].strip() == header[0] and [" ".join(cell.split()) for cell in row] == header:
                repeated += 1
                continue
            if len(row) < width:
                short += len(row) < width - overflow
                row = [*row, *[""] * (width - len(row))]
            elif len(row) > width:
                row = row[:width]
            long += overflow > 0 and any(cell.strip() for cell in row[width - overflow :])
            longest = max(longest, writer.writerow([cell.strip() for cell in row]))
            count += 1
            if count % _REPORT_EVERY == 0:
                progress(IngestProgress("reading", count, name))
    if not count:
        raise ReadFailed(f"{found.display_name} has a header but no rows of data.")
    notes = row_notes(short=short, long=long, overflow=overflow, repeated=repeated)
    return Rewritten(target, names, notes, 4 * longest)


def header_of(found: sources.Source, *, words: bool) -> list[str] | None:
    """The words of a header that may stand again among the rows; None where there is none, and in a file of one
    column of words, where it may be a value."""
    if not found.layout.header_rows or (words and len(found.layout.names) < 2):
        return None
    return [" ".join(cell.split()) for cell in found.head_rows[found.layout.header_rows[-1]]]


def _data_rows(found: sources.Source) -> Iterator[list[str]]:
    rows = sources.rows_of(found)
    for _ in range(found.layout.first_data_row):
        next(rows, None)
    return rows


def _widest(found: sources.Source, width: int) -> int:
    """The width of the widest row, trailing empty cells aside, but not less than the header's."""
    return max(width, min(_last_filled(_data_rows(found), width), MAX_COLUMNS))


def _last_filled(rows: Iterable[list[str]], width: int) -> int:
    widest = width
    for row in rows:
        if len(row) > widest:
            for index in range(len(row) - 1, widest - 1, -1):
                if row[index].strip():
                    widest = index + 1
                    break
    return widest


def row_notes(*, short: int, long: int, overflow: int, repeated: int) -> list[str]:
    """What to tell about rows of another width than the header, and repeated headers."""
    notes = []
    if repeated:
        notes.append(f"{counted(repeated, 'repeated header row')} left out")
    if long:
        kept = counted(overflow, "unnamed column")
        notes.append(f"{counted(long, 'row')} {was(long)} longer than the header; the extra cells were kept in {kept}")
    if short:
        notes.append(f"{counted(short, 'row')} {was(short)} shorter than the header and filled with empty cells")
    return notes
