"""What becomes of a tab's cells: rows of one width, dates without a locale, percents and money as written."""

from __future__ import annotations

import pytest

from apps.integrations.google.cells import ColumnFormat, cell_text, column_formats, csv_bytes

DATE, MOMENT, TIME = ColumnFormat("date"), ColumnFormat("datetime"), ColumnFormat("time")
PERCENT, DOLLARS, MONEY = ColumnFormat("percent"), ColumnFormat("money", "$"), ColumnFormat("money")


@pytest.mark.parametrize(
    ("cell", "column", "text"),
    [
        (45_292, DATE, "2024-01-01"),
        (45_292.75, MOMENT, "2024-01-01 18:00:00"),
        (0.5, TIME, "12:00:00"),
        (-3, DATE, "-3"),
        ("soon", DATE, "soon"),
        (0.256, PERCENT, "25.6%"),
        (0.1 + 0.2, PERCENT, "30.000000000000004%"),
        (-1234.5, DOLLARS, "-$1234.5"),
        (1234.5, MONEY, "1234.5"),
        (1e21, ColumnFormat(), "1000000000000000000000"),
        (0.1, ColumnFormat(), "0.1"),
        (100, ColumnFormat(), "100"),
        (True, ColumnFormat(), "TRUE"),
        (None, ColumnFormat(), ""),
    ],
)
def test_a_cell_says_what_it_means(cell, column, text):
    assert cell_text(cell, column) == text


def test_ragged_rows_become_even_and_empty_edges_go():
    rows = [["deal", "amount", "won"], ["A", 5], [], ["B", 7, True, ""], [], [""]]
    assert csv_bytes(rows) == b"deal,amount,won\nA,5,\n,,\nB,7,TRUE\n"


@pytest.mark.parametrize("rows", [[], [[]], [["", ""], [None]]])
def test_a_tab_without_a_value_is_nothing(rows):
    assert csv_bytes(rows) is None


def test_commas_quotes_and_line_breaks_stay_inside_their_cell():
    assert csv_bytes([["a"], ['x, "y"\nz']]) == b'a\n"x, ""y""\nz"\n'


def test_a_columns_format_is_that_of_most_of_its_cells():
    date, money = {"type": "DATE", "pattern": "d/m/yyyy"}, {"type": "CURRENCY", "pattern": "[$€-407]#,##0.00"}
    rows = [[{}, {}], [date, money], [date, money], [{"type": "TEXT"}, money]]
    assert column_formats(rows) == [DATE, ColumnFormat("money", "€")]
