"""A clean rectangular file keeps every row it holds, whatever its cells say; what is set aside is surely no data."""

from __future__ import annotations

import csv
import io
import random
from decimal import Decimal
from pathlib import Path

import pytest

from apps.analyst.tables import csv_reader, grid, source

TABLES = 4_000
WORDS = (
    "North", "South", "New York", "Total", "Total Wine", "Sum", "Gesamt", "Subtotal", "Grand Total", "Source",
    "Notebook", "Report", "Reports filed", "Notes", "created by Ann", "Exported", "unknown", "to follow", "pending",
    "none", "n/a", "open", "Ann", "Smith, J.", "a;b", "x|y", "'tis", "O'Hara", 'say "hi"', "line\nbreak", "Indoor",
    "(m)", "kg", "*",
)  # fmt: skip
NAMES = (
    "name", "city", "county", "state", "amount", "units", "price", "note", "region", "total", "Source", "report", "id",
    "year", "stage", "n", "x", "first name", "Last Name", "2023", "day",
)  # fmt: skip
FIGURES = ("number", "small", "money", "same")
KINDS = ("words", "words", "constant", "header", "two", "day", *FIGURES)


def cells(chance: random.Random, kind: str, height: int, names: list[str]) -> list[str]:
    """A column of cells."""
    if kind in FIGURES or kind == "day":
        constant = str(chance.choice((0, 1, 7)))
        return [
            {
                "number": str(chance.randint(0, 1_000_000)),
                "small": str(chance.randint(0, 3)),
                "money": f"{chance.randint(0, 99_999) / 100:.2f}",
                "same": constant,
                "day": f"2024-{chance.randint(1, 12):02d}-{chance.randint(1, 28):02d}",
            }[kind]
            for _ in range(height)
        ]
    pools = {"words": chance.sample(WORDS, chance.randint(2, 8)), "constant": [chance.choice(WORDS)], "header": names}
    return chance.choices(pools.get(kind, ["North", "South"]), k=height)


def clean_table(chance: random.Random) -> tuple[list[str], list[list[str]]]:
    """Names and rows: no row is blank, says all that the header says, or is the sum of those above it by making."""
    width, height = chance.choice((1, 1, 2, 2, 3, 3, 3, 4, 5, 6)), chance.randint(1, chance.choice((4, 12, 40)))
    names = chance.sample(NAMES, width)
    kinds = chance.choices(KINDS, k=width)
    if chance.random() < 0.3:
        kinds = kinds[:1] * width
    rows = [list(row) for row in zip(*(cells(chance, kind, height, names) for kind in kinds), strict=True)]
    if width > 1 and chance.random() < 0.25:
        rows = [[cell if chance.random() < 0.6 else "" for cell in row] for row in rows]
    if width > 2 and chance.random() < 0.25:
        word = chance.choice((*WORDS, "7", "x"))
        rows[chance.randrange(height)] = [
            cell if kind in FIGURES or kind == "day" else word
            for kind, cell in zip(kinds, rows[0], strict=True)
        ]  # fmt: skip
    rows = [row if any(row) else ["q", *row[1:]] for row in rows]
    return names, [row if width == 1 or row != names else ["q"] * width for row in rows]


def read(path: Path) -> tuple[grid.Grid, dict[str, list[object]]]:
    found = csv_reader.read(source.examine(path, "file.csv"))
    columns = grid.convert(found)
    return found, {column.name: list(column.values) for column in columns}


def of_csv(text: str, delimiter: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))


def sum_of(texts: list[str]) -> Decimal | None:
    """What a column of plain figures adds up to; None where it holds anything else."""
    plain = [text for text in texts if text]
    if not plain or not all(text.replace(".", "", 1).isdigit() for text in plain):
        return None
    return sum(map(Decimal, plain), Decimal(0))


@pytest.mark.parametrize("seed", range(4))
def test_clean_files_keep_every_row_and_every_sum(tmp_path, seed):
    chance, path = random.Random(seed), tmp_path / "upload"
    for _ in range(TABLES // 4):
        names, rows = clean_table(chance)
        delimiter, buffer = "," if len(names) == 1 else chance.choice(",,;\t"), io.StringIO()
        csv.writer(buffer, delimiter=delimiter).writerows([names, *rows])
        path.write_text(buffer.getvalue(), newline="")
        header, *body = of_csv(buffer.getvalue(), delimiter)
        found, columns = read(path)
        assert list(columns) == header, buffer.getvalue()
        assert {len(column) for column in columns.values()} == {len(body)}, (found.report, buffer.getvalue())
        for name, texts in zip(header, zip(*body, strict=True), strict=True):
            meant = sum_of(list(texts))
            if meant is not None and not all(isinstance(value, str | None) for value in columns[name]):
                assert sum(Decimal(str(value)) for value in columns[name] if value is not None) == meant, (name, body)


def test_a_row_that_says_the_same_in_every_column_stays_where_all_columns_hold_words(read_text):
    table = read_text("city,county,region\nOakland,Alameda,Bay Area\nNew York,New York,New York\nReno,Washoe,Nevada\n")
    assert table.rows[1] == ("New York", "New York", "New York")
    assert "left out" not in table.report


def test_a_value_that_is_the_name_of_the_only_column_stays(read_text):
    table = read_text("word\napple\nword\npear\n")
    assert table.columns["word"] == ["apple", "word", "pear"]


def test_a_repeated_header_among_figures_goes_from_a_single_column_too(read_text):
    table = read_text("points\n3\n4\npoints\n5\n")
    assert table.columns["points"] == [3, 4, 5]
    assert "1 repeated header row left out" in table.report


def test_a_first_row_without_figures_makes_no_cross_table(read_text):
    table = read_text("country,2019,2020,2021\nAruba,,,\nChad,1,2,3\nMali,4,5,6\nOman,7,8,9\n")
    assert table.columns["country"] == ["Aruba", "Chad", "Mali", "Oman"]
    assert sum(value or 0 for value in table.columns["2021"]) == 18


@pytest.mark.parametrize("end", ["", ",", ",,"])
def test_totals_both_ways_make_a_cross_table_also_before_empty_columns(read_text, end):
    lines = ["Region,North,South,East,Total", "Product,,,,", "Lamp,1,2,3,6", "Desk,4,5,6,15", "Total,5,7,9,21"]
    table = read_text("".join(f"{line}{end}\n" for line in lines))
    assert table.names == ["Product", "Region", "Value"]
    assert sum(table.columns["Value"]) == 21


def test_headings_between_rows_make_no_cross_table(read_text):
    table = read_text(
        ",2019,2018,2017\nBy region,,,\nEMEA,5,6,7\nAmericas,8,9,10\nBy kind,,,\nProducts,11,12,13\nOther,2,3,4\n"
    )
    assert table.names[1:] == ["2019", "2018", "2017"]
    assert table.columns["2018"] == [None, 6, 9, None, 12, 3]


def test_words_for_figures_in_the_first_row_are_no_header(read_text):
    table = read_text("shop,sales,costs\nNorth,to follow,to follow\nSouth,10,4\nEast,20,5\nWest,30,6\nMid,40,7\n")
    assert table.names == ["shop", "sales", "costs"]
    assert len(table.rows) == 5


def test_short_words_for_figures_below_a_name_are_no_units(read_text):
    table = read_text("shop,sales,costs\nNorth,yes,yes\nSouth,10,4\nEast,20,5\nWest,30,6\nMid,40,7\n")
    assert (table.names, len(table.rows)) == (["shop", "sales", "costs"], 5)


def test_a_name_with_total_in_it_stays_where_small_figures_only_happen_to_add_up(read_text):
    table = read_text("brand,shops\nShell,1\nEsso,2\nTotal,3\nBP,4\nAgip,1\n")
    assert table.columns["brand"] == ["Shell", "Esso", "Total", "BP", "Agip"]
    assert "left out" not in table.report


@pytest.mark.parametrize("last", ["Notebook,,", "Report,,", "\nPen,,", "\nMug,,"])
def test_a_last_row_with_gaps_is_no_remark(read_text, last):
    table = read_text(f"article,units,price\nMug,1,2.50\nCup,3,4.50\nTea pot,5,6.50\n{last}\n")
    assert len(table.rows) == 4
    assert "below the table" not in table.report


def test_words_below_default_names_stay_where_nothing_shows_them_to_be_names(read_text):
    table = read_text("Column1,Column2,Column3\nOslo,Norway,north\nBergen,Norway,west\nLund,Sweden,south\n")
    assert table.columns["Column1"] == ["Oslo", "Bergen", "Lund"]


@pytest.mark.parametrize("mark", [";", "|"])
def test_marks_inside_the_cells_of_a_single_column_cut_nothing(read_text, mark):
    names = [f"{last}{mark}{first}" for last, first in (("Smith", "Ann"), ("Brown", "Bob"), ("Smith", "Cem"))]
    assert read_text("\n".join(["name", *names])).columns["name"] == names


def test_a_header_that_stands_again_below_a_title_is_no_name_inside_cells(read_text):
    days = "".join(f"2024-01-{day:02d};{('North', 'South')[day % 2]};{3 * day}\n" for day in range(1, 13))
    head = "date;region;amount\n"
    table = read_text(f"Sales report\n{head}{days}{head}{days}")
    assert table.names == ["date", "region", "amount"]
    assert sum(table.columns["amount"]) == 2 * 3 * 78


def test_a_single_column_whose_cells_hold_commas_keeps_its_first_row(read_text):
    table = read_text("name\nSmith, Ann\nBrown, Bob\nSmith, Cem\n")
    assert (table.names[0], table.columns["name"]) == ("name", ["Smith", "Brown", "Smith"])


def test_large_files_of_words_tell_of_their_repeated_headers(read_text):
    rows = [f"shop {n % 50},city {n % 7},n" for n in range(40_000)]
    rows[100] = rows[200] = "shop,city,kind"
    table = read_text("shop,city,kind\n" + "\n".join(rows) + "\n")
    assert table.table.rows == len(rows) - 2
    assert "2 repeated header rows left out" in table.report


def test_a_large_file_of_one_column_keeps_a_value_that_is_its_name(read_text):
    rows = [f"remark {n % 90} of the shop" for n in range(40_000)]
    rows[7] = "remark"
    table = read_text("remark\n" + "\n".join(rows) + "\n")
    assert table.columns["remark"] == rows


def test_a_large_file_keeps_a_row_that_says_more_than_the_names_of_its_header(read_text):
    rows = [f"shop {n % 50},city {n % 7},note {n % 3}" for n in range(40_000)]
    rows[100] = "shop,city,kept"
    table = read_text("shop,city\n" + "\n".join(rows) + "\n")
    assert table.rows[100] == ("shop", "city", "kept")


def test_a_header_without_a_name_is_known_again_in_a_large_file_too(read_text):
    rows = [f"shop {n % 50},city {n % 7},note {n % 3}" for n in range(40_000)]
    rows[100] = "shop,,note"
    table = read_text("shop,,note\n" + "\n".join(rows) + "\n")
    assert table.table.rows == len(rows) - 1
    assert "1 repeated header row left out" in table.report


def test_a_repeated_header_goes_from_a_large_file_of_one_column_of_figures_too(read_text):
    rows = [str(100_000 + n % 977) for n in range(100_000)]
    rows[100] = rows[90_000] = "points"
    table = read_text("points\n" + "\n".join(rows) + "\n")
    assert table.table.rows == len(rows) - 2
    assert "2 repeated header rows left out" in table.report
