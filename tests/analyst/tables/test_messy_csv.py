"""CSV files as people export and edit them end as the table a person would have made of them."""

from __future__ import annotations

from decimal import Decimal

import pytest

from apps.analyst.errors import ReadFailed


def test_a_plain_file_keeps_names_types_and_order(read_text):
    table = read_text("city,inhabitants,area\nBern,134000,51.62\nBasel,173000,23.85\n")
    assert table.names == ["city", "inhabitants", "area"]
    assert table.rows == [("Bern", 134000, Decimal("51.62")), ("Basel", 173000, Decimal("23.85"))]
    assert table.report == ""
    assert table.ingested.file_name == "file.csv"
    assert table.ingested.name == "file"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252", "latin-1"])
def test_the_encoding_is_found(read_text, encoding):
    text = "Straße;Größe\nMüllerweg;1,5\nÉcole;2,25\n"
    table = read_text(text, encoding)
    assert table.names == ["Straße", "Größe"]
    assert table.rows == [("Müllerweg", Decimal("1.50")), ("École", Decimal("2.25"))]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(read_text, delimiter):
    rows = [["name", "note", "n"], ["a", '"x, y; z"', "1"], ["b", '"line\nbreak"', "2"]]
    table = read_text("\n".join(delimiter.join(row) for row in rows) + "\n")
    assert table.names == ["name", "note", "n"]
    assert table.columns["note"] == ["x, y; z", "line\nbreak"]


def test_semicolons_win_over_decimal_commas(read_text):
    table = read_text("produkt;preis;menge\nA;1.234,50;3\nB;99,90;12\n", "cp1252")
    assert table.columns["preis"] == [Decimal("1234.50"), Decimal("99.90")]
    assert table.columns["menge"] == [3, 12]
    assert "decimal mark" in table.report
    assert "semicolons" in table.report


def test_a_separator_line_is_obeyed(read_text):
    assert read_text("sep=;\na;b\n1;2\n3;4\n").names == ["a", "b"]


def test_single_quotes_frame_cells_where_nothing_else_does(read_text):
    table = read_text("'a','b'\n'x, y','1'\n'z','2'\n'w','3'\n")
    assert table.columns["a"] == ["x, y", "z", "w"]


def test_lines_above_the_header_are_left_out_and_told_of(read_text):
    table = read_text("Quarterly report\nprinted 2024-01-03\n\nregion,sales,costs\nNorth,10,4\nSouth,20,5\n")
    assert table.names == ["region", "sales", "costs"]
    assert table.rows == [("North", 10, 4), ("South", 20, 5)]
    assert "2 lines above the header left out: Quarterly report; printed 2024-01-03" in table.report


def test_blank_lines_do_not_become_rows(read_text):
    assert len(read_text("a,b\n\n1,2\n,\n\n3,4\n\n").rows) == 2


def test_names_are_trimmed_numbered_and_never_empty(read_text):
    table = read_text(' Sales ,"Sales\nnet",,sales\n1,2,x,3\n4,5,y,6\n')
    assert table.names == ["Sales", "Sales net", "Column 3", "sales (2)"]
    assert "without a name" in table.report
    assert "repeated column name" in table.report


def test_a_file_without_a_header_gets_numbered_columns(read_text):
    table = read_text("1,2.5,2020-01-01\n2,3.5,2020-01-02\n3,4.5,2020-01-03\n")
    assert table.names == ["Column 1", "Column 2", "Column 3"]
    assert len(table.rows) == 3
    assert "no header row" in table.report


def test_years_may_be_column_names(read_text):
    table = read_text("country,2019,2020\nChad,3,4\nMali,5,6\n")
    assert table.names == ["country", "2019", "2020"]


def test_a_header_over_two_rows_with_groups_is_put_together(read_text):
    table = read_text(",2023,,2024,\nregion,sales,profit,sales,profit\nN,1,2,3,4\nS,5,6,7,8\nW,9,1,2,3\nE,4,4,4,4\n")
    assert table.names == ["region", "2023 - sales", "2023 - profit", "2024 - sales", "2024 - profit"]
    assert len(table.rows) == 4


def test_a_second_header_row_with_units_is_put_together(read_text):
    table = read_text("ship,length,beam\nname,(m),(ft)\nA,10,4\nB,12,5\nC,13,6\nD,14,7\n")
    assert table.names == ["ship name", "length (m)", "beam (ft)"]
    assert table.columns["length (m)"] == [10, 12, 13, 14]
    assert table.unit("length (m)") == "m"


def test_a_first_row_of_data_with_words_is_no_header(read_text):
    table = read_text("run,time,place\nfirst,did not start,none\nsecond,12.5,3\nthird,13.5,4\nfourth,11.0,1\n")
    assert table.names == ["run", "time", "place"]
    assert len(table.rows) == 4


def test_short_and_long_rows_are_kept_and_told_of(read_text):
    table = read_text("a,b,c\n1,2,3\n4,5\n6,7,8,extra\n")
    assert table.rows == [(1, 2, 3, None), (4, 5, None, None), (6, 7, 8, "extra")]
    assert table.names[3] == "Column 4"
    assert "1 row was longer" in table.report
    assert "1 row was shorter" in table.report


def test_a_trailing_delimiter_makes_no_column(read_text):
    table = read_text("a,b,\n1,2,\n3,4,\n")
    assert table.names == ["a", "b"]
    assert "1 empty column left out" in table.report


def test_repeated_headers_are_left_out(read_text):
    table = read_text("name,points\nAnn,3\nname,points\nBob,4\n")
    assert table.rows == [("Ann", 3), ("Bob", 4)]
    assert "1 repeated header row left out" in table.report


@pytest.mark.parametrize("label", ["Total", "GRAND TOTAL", "Sum", "Totals:", "Gesamt"])
def test_a_row_of_totals_is_left_out(read_text, label):
    table = read_text(f"region,units,amount\nNorth,1,10.50\nSouth,2,20.25\nWest,4,1.25\n{label},7,32.00\n")
    assert table.columns["region"] == ["North", "South", "West"]
    assert "1 totals row left out" in table.report


def test_subtotals_are_left_out_too(read_text):
    north, south = "North,A,1\nNorth,B,2\nNorth Total,,3\n", "South,C,4\nSouth,D,5\nSouth Total,,9\n"
    table = read_text(f"region,city,units\n{north}{south}Grand Total,,12\n")
    assert table.columns["units"] == [1, 2, 4, 5]
    assert "3 totals rows left out" in table.report


def test_totals_under_dates_leave_the_dates_dates(read_text):
    table = read_text("day,units\n2024-01-01,5\n2024-01-02,6\n2024-01-03,7\nTotal,18\n")
    assert table.types["day"] == "date"
    assert table.columns["units"] == [5, 6, 7]


def test_a_row_called_total_that_is_no_sum_stays(read_text):
    table = read_text("brand,litres\nShell,10\nTotal,25\nEsso,7\nBP,3\n")
    assert "Total" in table.columns["brand"]
    assert "totals" not in table.report


def test_a_remark_below_the_table_is_left_out(read_text):
    table = read_text("a,b,c\n1,2,3\n4,5,6\n7,8,9\n\nSource: the office,,\n")
    assert table.columns["a"] == [1, 4, 7]
    assert "below the table left out: Source: the office" in table.report


MEETINGS = "subject,day,minutes\n" + "".join(
    f"{('Visit', 'Demo call')[n % 2]},2025-03-{n + 1:02d},{n}\n" for n in range(9)
)


@pytest.mark.parametrize(
    "block",
    [
        ["Meetings of this quarter", "Confidential, do not share", "Acme Ltd"],  # most are unlike the column
        ["Acme", "Printed by: Ann", "Ltd"],  # one is worded so
    ],
)
def test_a_block_of_remarks_behind_a_blank_row_is_left_out_whole(read_text, block):
    lines = "".join(f'"{line}",,\n' for line in block)
    table = read_text(f"{MEETINGS}\n\n{lines}")
    assert table.columns["minutes"] == list(range(9))
    assert f"{len(block)} lines below the table left out" in table.report


@pytest.mark.parametrize(
    "block",
    [
        ["Training", "Lunch", "Review of the whole year"],  # most might be subjects
        ["Demo call", "A visit to the other office", "A review of the whole year"],  # one is a subject
        ["Visit", "Printed by: Ann"],
    ],
)
def test_a_block_behind_a_blank_row_that_may_be_data_stays(read_text, block):
    lines = "".join(f'"{line}",,\n' for line in block)
    table = read_text(f"{MEETINGS}\n{lines}")
    assert table.columns["subject"][9:] == block


def test_a_merged_line_between_rows_is_left_out(read_text):
    table = read_text("year,event,place\nIndoor,Indoor,Indoor\n2001,60 m,1\n2002,60 m,2\n2003,100 m,3\n")
    assert table.types["year"] == "integer"
    assert "saying one thing in every column" in table.report


def test_a_cross_table_becomes_rows(read_text):
    table = read_text(
        ",Mode,Air,,Sea,\n,Class,first,second,first,second\nOrder,Day,,,,\n"
        "A,2024-01-01,1.5,,,\nB,2024-01-02,,2.5,3.5,\nC,2024-01-03,,,,4.5\nTotal,,1.5,2.5,3.5,4.5\n"
    )
    assert table.names == ["Order", "Day", "Mode", "Class", "Value"]
    assert [row[0] for row in table.rows] == ["A", "B", "B", "C"]
    assert [row[2:4] for row in table.rows] == [
        ("Air", "first"),
        ("Air", "second"),
        ("Sea", "first"),
        ("Sea", "second"),
    ]
    assert sum(table.columns["Value"]) == Decimal("12.0")


def test_web_tables_lose_nothing(read_text):
    table = read_text(
        'Club,Score,Rank,Attendance,Note\nA,3–2,12th,"1,234 (12%)",[1]\nB,1–1,3rd,"2,345 (9%)",\nC,0–4,1st,"3,111",ok\n'
    )
    assert set(table.types.values()) == {"text"}
    assert table.columns["Attendance"] == ["1,234 (12%)", "2,345 (9%)", "3,111"]


@pytest.mark.parametrize("content", ["", "\n\n\n", "   \n"])
def test_an_empty_file_is_refused(read_text, content):
    with pytest.raises(ReadFailed, match=r"file\.csv is empty"):
        read_text(content)


@pytest.mark.parametrize("content", ["a,b,c\n", "a,b,c\n,,\n\n"])
def test_a_file_of_headers_only_is_refused(read_text, content):
    with pytest.raises(ReadFailed, match="has a header but no rows"):
        read_text(content)


def test_something_that_is_no_text_is_refused(read_text):
    with pytest.raises(ReadFailed, match="is not a text file"):
        read_text(bytes(range(256)) * 50)


def test_an_excel_file_under_a_csv_name_is_refused(read_text):
    with pytest.raises(ReadFailed, match="is not a text file"):
        read_text(b"PK\x03\x04" + b"\x00" * 500)


def test_too_many_columns_are_refused(read_text):
    with pytest.raises(ReadFailed, match="more than 16,384 columns"):
        read_text(",".join(f"c{number}" for number in range(16_385)) + "\n" + ",".join("1" * 16_385) + "\n")


def test_three_hundred_columns_are_fine(read_text):
    names = [f"c{number}" for number in range(300)]
    table = read_text(",".join(names) + "\n" + ",".join(str(number) for number in range(300)) + "\n")
    assert table.names == names
