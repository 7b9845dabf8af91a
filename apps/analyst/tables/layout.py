"""Finds the table inside a grid of cells: where its header stands, over how many rows, and what is above and below
it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from apps.analyst.tables import dates, headers, numbers
from apps.analyst.tables.wording import counted, shortened
from apps.analyst.tables.words import MISSING_AMONG_VALUES

Row = Sequence[str]
MAX_COLUMNS = 16_384
HEADER_SEARCH = 40
"""Header rows are looked for among so many first filled rows."""
LOOK_BELOW = 60
"""So many filled rows below a header are looked at to tell it from data."""
_YEAR = re.compile(r"(?:1[6-9]|20)\d{2}")
_UNIT = re.compile(r"[(\[].+[)\]]|[^\w\s]{1,3}|[A-Z]{3}|[A-Za-zµ°]{1,3}(?:[/²³^][\w²³]{0,3})?")
_DEFAULT_NAMES = re.compile(r"(?:column|spalte|colonne|field|unnamed: ?)\d+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the table stands in a grid. Rows are counted from 0 in the grid as given."""

    names: tuple[str, ...]
    first_data_row: int
    header_rows: tuple[int, ...]
    notes: tuple[str, ...] = ()
    above: tuple[str, ...] = ()
    """The lines above the header."""


def is_value(cell: str) -> bool:
    """Whether a cell is a figure, a date or a word for nothing, rather than words."""
    text = cell.strip()
    return bool(text) and (text.casefold() in MISSING_AMONG_VALUES or is_figure(text))


def is_figure(text: str) -> bool:
    """Whether a trimmed cell is a figure or a date."""
    if text[0].isalpha() and not any(ch.isdigit() for ch in text):
        return False
    return numbers.take_apart(text) is not None or dates.take_apart(text) is not None


def is_year(text: str) -> bool:
    """Whether a trimmed cell may be a year, which names columns as well as it is a value of them."""
    return bool(_YEAR.fullmatch(text))


def says_one_thing(row: Row) -> bool:
    """Whether a row of three or more cells says the same words in each: a merged line between rows of data."""
    if len(row) < 3 or row[0] != row[1] or not row[0]:
        return False
    first = row[0].strip()
    return bool(first) and all(cell.strip() == first for cell in row) and not is_value(first)


def filled(row: Row) -> int:
    """How many cells of a row hold something."""
    return sum(1 for cell in row if cell and not cell.isspace())


def find(rows: Sequence[Row], width: int) -> Layout:
    """The layout of a grid whose usual row has `width` cells. `rows` may be the first rows only."""
    indexed = [(index, row) for index, row in enumerate(rows[: HEADER_SEARCH + 400]) if filled(row)]
    indexed = indexed[: HEADER_SEARCH + LOOK_BELOW]
    if not indexed:
        return Layout((), 0, ())
    position = _header_position(indexed, width)
    index, header = indexed[position]
    body = [row for _, row in indexed[position + 1 :]]
    if body and _is_data(header, body):
        numbered = tuple(f"Column {number}" for number in range(1, width + 1))
        above = _lines([row for _, row in indexed[:position]])
        notes = ["there was no header row; columns were numbered", *_preamble_notes(above)]
        return Layout(numbered, index, (), tuple(notes), above)
    first = position
    if position and _heads_groups(indexed[position - 1], (index, header), width):
        first -= 1
    last = position
    while last + 1 < len(indexed):
        below = [row for _, row in indexed[last + 2 :]]
        if not _continues_header(indexed[first : last + 2], below):
            break
        last += 1
    used = indexed[first : last + 1]
    names, notes = headers.names([row for _, row in used], width)
    above = _lines([row for _, row in indexed[:first]])
    notes = [*_preamble_notes(above), *notes]
    return Layout(tuple(names), used[-1][0] + 1, tuple(index for index, _ in used), tuple(notes), above)


def _lines(rows: Sequence[Row]) -> tuple[str, ...]:
    """Rows as lines of text."""
    return tuple(" ".join(cell.strip() for cell in row if cell.strip()) for row in rows)


def _preamble_notes(told: Sequence[str]) -> list[str]:
    """What to tell about lines above the header."""
    if not told:
        return []
    return [f"{counted(len(told), 'line')} above the header left out: {shortened('; '.join(told))}"]


def _header_position(indexed: Sequence[tuple[int, Row]], width: int) -> int:
    """Which of the filled rows is the header: the first that is as full as the table is wide."""
    if width <= 1:
        return 0
    fullness = [filled(row) for _, row in indexed[:HEADER_SEARCH]]
    usual = Counter(fullness[1:] or fullness).most_common(1)[0][0]
    enough = max(2, min(usual, width) * 0.6)
    for position, count in enumerate(fullness):
        if count >= enough and not _better_below(indexed, position) and not _is_preamble(indexed, position, width):
            return position
    return 0


def _is_preamble(indexed: Sequence[tuple[int, Row]], position: int, width: int) -> bool:
    """Whether a row that is not full says something about the table ("Made on, 2024-01-01") above its header: it holds
    a figure, or stands apart, and one of the next rows is full of nothing but words."""
    index, row = indexed[position]
    cells = [cell.strip() for cell in row if cell.strip()]
    if len(cells) >= min(width, 4) or position + 2 >= len(indexed):
        return False
    apart = indexed[position + 1][0] > index + 1
    if not apart and not any(is_figure(cell) and not _YEAR.fullmatch(cell) for cell in cells):
        return False
    for _, below in indexed[position + 1 : position + 6]:
        names = [cell.strip() for cell in below if cell.strip()]
        if len(names) >= width and not any(is_value(name) for name in names):
            return True
    return False


def only_default_names(row: Row) -> bool:
    """Whether a row holds nothing but "Column1, Column2, …"."""
    cells = [cell.strip() for cell in row if cell.strip()]
    return len(cells) >= 3 and all(_DEFAULT_NAMES.fullmatch(cell) for cell in cells)


def _better_below(indexed: Sequence[tuple[int, Row]], position: int) -> bool:
    """Whether a row of default names has a better header below it."""
    if not only_default_names(indexed[position][1]) or position + 2 >= len(indexed):
        return False
    cells = [cell for cell in indexed[position][1] if cell.strip()]
    row = [cell.strip() for cell in indexed[position + 1][1]]
    below = [cell for cell in row if cell]
    if len(below) < 0.8 * len(cells) or any(is_value(cell) for cell in below):
        return False
    others = [line for _, line in indexed[position + 2 :]]
    columns = [[line[column].strip() for line in others if column < len(line)] for column in range(len(row))]
    if any(cell in column for cell, column in zip(row, columns, strict=True) if cell):
        return False
    figures = any(cell and holds_figures(column) for cell, column in zip(row, columns, strict=True))
    return figures or sum(len(set(column)) < len(column) for column in columns) >= 0.5 * len(columns)


def holds_figures(column: Sequence[str]) -> bool:
    """Whether the trimmed cells of a column that hold something are figures or dates, but for a few."""
    filled_cells = [cell for cell in column if cell]
    return bool(filled_cells) and sum(1 for cell in filled_cells if is_figure(cell)) >= 0.8 * len(filled_cells)


def _is_data(header: Row, body: Sequence[Row]) -> bool:
    """Whether a first row is data already: wherever its column holds figures it holds one as well, years and the dates
    that figures are of aside."""
    agreeing = 0
    for column, cell in enumerate(header):
        text = cell.strip()
        below = [row[column].strip() for row in body[:50] if column < len(row) and row[column].strip()]
        if not below:
            continue
        if sum(1 for value in below if is_value(value)) < 0.9 * len(below):
            continue
        if not text or not is_figure(text) or _YEAR.fullmatch(text) or _dates_figures(text, below):
            return False
        agreeing += 1
    return agreeing > 0


def _dates_figures(text: str, below: Sequence[str]) -> bool:
    """Whether a cell is a date above figures that are none: the month that they are of."""
    if dates.take_apart(text) is None or numbers.take_apart(text) is not None:
        return False
    return not any(dates.take_apart(value) for value in below)


def _heads_groups(above: tuple[int, Row], header: tuple[int, Row], width: int) -> bool:
    """Whether the row directly above a header names groups of its columns ("2023, , 2024, ")."""
    if above[0] + 1 != header[0]:
        return False
    cells = [cell.strip() for cell in above[1]]
    starts = [column for column, cell in enumerate(cells) if cell and (not column or cell != cells[column - 1])]
    lower = [header[1][column].strip() if column < len(header[1]) else "" for column in range(width)]
    if not starts or starts[-1] >= width or any(not lower[column] for column in starts):
        return False
    if len(starts) == 1:
        return starts[0] >= 1 and len({name.casefold() for name in lower[starts[0] :]}) == width - starts[0] > 1
    gaps = [b - a for a, b in zip(starts, [*starts[1:], width], strict=True)]
    return max(gaps) > 1 and any(not cell for cell in cells[1:width])


def _is_word(text: str) -> bool:
    return not text[0].isdigit() and not is_value(text)


def _continues_header(used: Sequence[tuple[int, Row]], body: Sequence[Row]) -> bool:
    """Whether the last of `used` belongs to the header above it: words wherever the rows below hold figures."""
    (above_index, above), (index, row) = used[-2], used[-1]
    if index != above_index + 1 or len(body) < 3 or len(used) > 3 or says_one_thing(row):
        return False
    figures = []
    for column in range(len(row)):
        below = [line[column] for line in body[:LOOK_BELOW] if column < len(line) and line[column].strip()]
        full = len(below) >= 0.5 * min(len(body), LOOK_BELOW)
        if full and sum(1 for cell in below if is_value(cell)) >= 0.9 * len(below):
            figures.append(column)
    if len(figures) < 2:
        return False
    words = [column for column in figures if row[column].strip() and _is_word(row[column].strip())]
    empty = [column for column in figures if not row[column].strip()]
    if len(words) + len(empty) < len(figures) or len(words) < max(2, 0.6 * len(figures)):
        return False
    if any(not above[column].strip() for column in words if column < len(above)):
        return True
    labels = [column for column in range(len(row)) if column not in figures and not row[column].strip()]
    if any(_mostly_filled(column, body) for column in labels):
        return True
    return not empty and _says_more(above, row, words)


def _mostly_filled(column: int, body: Sequence[Row]) -> bool:
    """Whether most rows have something in a column."""
    return filled([row[column] for row in body if column < len(row)]) >= 0.6 * len(body)


def _says_more(above: Row, row: Row, words: Sequence[int]) -> bool:
    """Whether words below full names are more of the header, rather than values for missing figures ("to follow"):
    units, in brackets or in all of the row, the names once more, or what tells columns of one name apart."""
    texts = [row[column].strip() for column in words]
    names = [above[column].strip().casefold() for column in words if column < len(above)]
    in_brackets = all(text[0] in "([" and text[-1] in ")]" for text in texts)
    units = all(_UNIT.fullmatch(cell.strip()) for cell in row if cell.strip())
    if in_brackets or units or len(set(names)) < len(names):
        return True
    return sum(text.casefold() == name for text, name in zip(texts, names, strict=False)) >= 0.5 * len(texts)
