"""Files that tell of a thing on the first of its lines only: what is said of it is carried down, amounts are not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from apps.analyst.tables.bulk_per_key import carry_down
from apps.analyst.tables.codec import column_from_json, column_to_json
from apps.analyst.tables.ingestion import BULK_BYTES
from apps.analyst.types import Column

Cells = list[str]
HEADER = "Receipt,Buyer,Paid on,Sum,Voucher,Article,Pieces,Price"


def receipts(count: int = 40) -> Iterator[Cells]:
    """Rows of receipts of one to three articles each."""
    for number in range(count):
        voucher = "SPRING" if number % 4 == 0 else ""
        for line in range(number % 3 + 1):
            head = [f"Buyer {number % 7}", f"2025-{number % 12 + 1:02d}-03", f"{number}.50", voucher]
            told = head if line == 0 else [""] * len(head)
            yield [f"R{number:05d}", *told, f"Article {(number + line) % 9}", str(line + 1), f"{line + 2}.25"]


def text_of(rows: Iterator[Cells] | list[Cells], header: str = HEADER) -> str:
    return "\n".join([header, *(",".join(row) for row in rows)]) + "\n"


def lies(table: Any) -> dict[str, str]:
    return {column.name: column.per_key for column in table.table.columns}


def enough_for_duckdb() -> int:
    text = text_of(receipts(1_000))
    return 1_000 * (2 * BULK_BYTES // len(text))


@pytest.mark.parametrize("count", [40, enough_for_duckdb()], ids=["in memory", "on disk"])
def test_what_is_told_of_a_thing_stands_on_all_of_its_lines_and_its_amounts_on_one(
    read_text: Callable[..., Any], count: int
) -> None:
    rows = list(receipts(count))
    table = read_text(text_of(rows))
    head = {row[0]: row for row in rows if row[1]}
    assert table.columns["Receipt"] == [row[0] for row in rows]
    assert table.columns["Buyer"] == [head[row[0]][1] for row in rows]
    assert [day.isoformat() for day in table.columns["Paid on"]] == [head[row[0]][2] for row in rows]
    assert table.columns["Voucher"] == [head[row[0]][4] or None for row in rows]
    assert table.columns["Sum"] == [Decimal(row[3]) if row[3] else None for row in rows]
    assert table.columns["Article"] == [row[5] for row in rows]
    assert lies(table) == {
        "Receipt": "key", "Buyer": "same", "Paid on": "same", "Sum": "once", "Voucher": "same",
        "Article": "", "Pieces": "", "Price": "",
    }  # fmt: skip
    others = len(rows) - count
    assert f"{others:,} rows with the same Receipt as the row above" in table.report
    assert "filled down: Buyer, Paid on, Voucher; kept on the first row alone, to add up once: Sum" in table.report


@pytest.mark.parametrize("size", [1, 7, 1_000])
def test_things_go_on_from_one_row_group_to_the_next(tmp_path: Path, size: int) -> None:
    rows = [[cell or None for cell in row] for row in receipts()]
    names = HEADER.split(",")
    stored = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    path = tmp_path / "table.parquet"
    pq.write_table(pa.table(stored), path, row_group_size=size)
    columns = [
        Column(
            name,
            "text",
            "measure" if name == "Sum" else "dimension",
            distinct=len(set(cells) - {None}),
            missing=cells.count(None),
        )
        for name, cells in stored.items()
    ]
    lines = carry_down(columns, path, len(rows))
    assert lines is not None
    assert (lines.others, [names[place] for place in lines.down]) == (len(rows) - 40, ["Buyer", "Paid on", "Voucher"])
    head = {row[0]: row for row in rows if row[1]}
    told = pq.read_table(path).to_pydict()
    assert told["Buyer"] == [head[row[0]][1] for row in rows]
    assert told["Voucher"] == [head[row[0]][4] for row in rows]
    assert {name: told[name] for name in ("Receipt", "Sum", "Price")} == {
        name: stored[name] for name in ("Receipt", "Sum", "Price")
    }


def test_the_profile_is_that_of_the_carried_values(read_text: Callable[..., Any]) -> None:
    rows = list(receipts())
    table = read_text(text_of(rows))
    buyer, total = table.table.column("Buyer"), table.table.column("Sum")
    assert (buyer.missing, buyer.distinct, sum(value.count for value in buyer.values)) == (0, 7, len(rows))
    assert total.missing == len(rows) - 40


def test_an_id_of_the_thing_stays_an_id(read_text: Callable[..., Any]) -> None:
    rows = [[*row, str(7_000 + int(row[0][1:])) if row[1] else ""] for row in receipts()]
    table = read_text(text_of(rows, f"{HEADER},Id"))
    assert (table.roles["Id"], lies(table)["Id"], table.columns["Id"][-1]) == ("id", "same", 7_039)
    assert None not in table.columns["Id"]


def test_amounts_alone_may_stand_on_first_rows(read_text: Callable[..., Any]) -> None:
    rows = list(receipts())
    head = {row[0]: row for row in rows if row[1]}
    amounts = [[row[0], *head[row[0]][1:3], row[3], row[3], *row[5:]] for row in rows]
    table = read_text(text_of(amounts, HEADER.replace("Voucher", "Tax")))
    assert [name for name, how in lies(table).items() if how == "once"] == ["Sum", "Tax"]
    assert table.columns["Sum"].count(None) == len(rows) - 40
    assert "the row above: kept on the first row alone, to add up once: Sum, Tax" in table.report


def test_few_cells_that_stand_on_first_rows_by_chance_are_not_carried_down(read_text: Callable[..., Any]) -> None:
    rows = [[*row, "fragile" if row[0] == "R00001" and row[1] else ""] for row in receipts()]
    table = read_text(text_of(rows, f"{HEADER},Remark"))
    assert [cell for cell in table.columns["Remark"] if cell] == ["fragile"]


# ---------------------------------------------------------------- tables that only look alike
def everywhere(rows: list[Cells]) -> list[Cells]:
    """What is told of a thing on all of its rows."""
    head = {row[0]: row for row in rows if row[1]}
    return [[row[0], *head[row[0]][1:5], *row[5:]] for row in rows]


def one_column_on_first_rows(rows: list[Cells]) -> list[Cells]:
    """A note for each thing, on its first row; all else on every row."""
    return [[*full, "new" if row[1] else ""] for row, full in zip(rows, everywhere(rows), strict=True)]


def a_gap_too_many(rows: list[Cells]) -> list[Cells]:
    """Gaps by chance: the first row of one thing has none of it, another row has."""
    rows = [list(row) for row in rows]
    first = next(place for place, row in enumerate(rows) if not row[1])
    rows[first][1:5], rows[first - 1][1:5] = rows[first - 1][1:5], rows[first][1:5]
    return rows


def apart(rows: list[Cells]) -> list[Cells]:
    """The lines of one thing do not stand together."""
    return sorted(rows, key=lambda row: row[5])


def two_things(rows: list[Cells]) -> list[Cells]:
    """Hardly any thing has several rows."""
    seen: dict[str, int] = {}
    kept = []
    for row in rows:
        seen[row[0]] = seen.get(row[0], 0) + 1
        if seen[row[0]] == 1 or row[0] in ("R00001", "R00002"):
            kept.append(row)
    return kept


def nothing_of_their_own(rows: list[Cells]) -> list[Cells]:
    """The other rows repeat the first one with gaps: nothing is told of each row."""
    return [[*row[:5], "Article", "1", "2.25"] for row in rows]


@pytest.mark.parametrize(
    "made", [everywhere, one_column_on_first_rows, a_gap_too_many, apart, two_things, nothing_of_their_own]
)
def test_ordinary_tables_are_left_as_they_are(
    read_text: Callable[..., Any], made: Callable[[list[Cells]], list[Cells]]
) -> None:
    rows = made(list(receipts()))
    table = read_text(text_of(rows, HEADER if len(rows[0]) == 8 else f"{HEADER},Note"))
    assert set(lies(table).values()) == {""}
    assert table.columns["Buyer"] == [row[1] or None for row in rows]
    assert "filled down" not in table.report


def test_events_of_a_customer_are_no_lines_of_the_first_one(read_text: Callable[..., Any]) -> None:
    """A little is told with the first visit of each member, and each visit has its own day, length and room."""
    rows = []
    for member in range(30):
        for visit in range(member % 3 + 1):
            told = [("poster", "friend")[member % 2], "yes"] if visit == 0 else ["", ""]
            own = [f"2025-0{visit + 1}-{member % 27 + 1:02d}", str(40 + visit), f"Room {(member + visit) % 4}"]
            rows.append([f"M{member:03d}", *told, *own])
    table = read_text(text_of(rows, "Member,Heard by,First visit,Day,Minutes,Room"))
    assert set(lies(table).values()) == {""}
    assert table.columns["Heard by"].count(None) == len(rows) - 30


def test_how_a_column_lies_is_kept_with_its_profile_and_unknown_in_older_ones(read_text: Callable[..., Any]) -> None:
    columns = read_text(text_of(receipts())).table.columns
    assert [column_from_json(column_to_json(column)) for column in columns] == list(columns)
    older = [{name: value for name, value in column_to_json(c).items() if name != "per_key"} for c in columns]
    assert {column_from_json(stored).per_key for stored in older} == {""}
