"""Cells are read as numbers, dates or truth values only where practically the whole column is."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal

import pytest

D = Decimal


@pytest.mark.parametrize(
    ("cells", "values", "unit"),
    [
        (["$1,234.50", "$99", "($500)", "-$3.25"], [D("1234.50"), D("99"), D("-500"), D("-3.25")], "USD"),
        (["€ 1.234,50", "€ 99,00"], [D("1234.50"), D("99.00")], "EUR"),
        (["1 234,50 €", "12,00 €"], [D("1234.50"), D("12.00")], "EUR"),
        (["EUR 12.50", "EUR 3.00"], [D("12.50"), D("3.00")], "EUR"),
        (["1'234.50", "12.25"], [D("1234.50"), D("12.25")], None),
        (["$1.2M", "$300K", "$4B"], [D("1200000"), D("300000"), D("4000000000")], "USD"),
        (["12.5%", "7%", "0.25%"], [D("12.5"), D("7"), D("0.25")], "%"),
        (["1,234", "5,678,901"], [1234, 5678901], None),
        (["10 kg", "12.5 kg"], [D("10"), D("12.5")], "kg"),
        (["3 days", "10 days"], [3, 10], "days"),
        (["−5", "7"], [-5, 7], None),
        (["two hundred", "150", "300", "50"], [200, 150, 300, 50], None),
        (["5.0", "6.0", "7"], [5, 6, 7], None),
        (["1e3", "2.5e-4"], [1000.0, 0.00025], None),
        (["0.123456", "1.5"], [0.123456, 1.5], None),
    ],
)
def test_numbers_are_read(read_column, cells, values, unit):
    table = read_column(cells)
    assert table.columns["value"] == values
    assert table.unit("value") == unit


@pytest.mark.parametrize(
    "cells",
    [
        ["00123", "04567", "12345"],
        ["12345678901234567890", "12345678901234567891"],
        ["$5", "€6", "$7"],
        ["1,5", "1.5", "2,5"],
        ["12%", "0.5", "7%"],
        ["10 kg", "12 km"],
        ["030 123 456", "030 999 111"],
        ["3-2", "1-1"],
        ["1st", "2nd"],
        ["192.168.0.1", "10.0.0.1"],
        ["2005-06", "2006-07", "2007-08"],
        ["12:30", "4:05"],
        ["Yes", "No"],
    ],
)
def test_what_is_no_number_stays_text_to_the_letter(read_column, cells):
    table = read_column(cells)
    assert table.types["value"] == "text"
    assert table.columns["value"] == cells


def test_money_is_exact(read_column):
    table = read_column(["0.10", "0.20", "0.30"] * 40)
    assert table.types["value"] == "decimal"
    assert sum(table.columns["value"]) == D("24.00")


def test_missing_words_are_empty_among_figures_and_words_among_words(read_text):
    table = read_text("size,word,mark\n1,none,a\n-,n/a,-\nN/A,?,b\n3,-,c\n")
    assert table.columns["size"] == [1, None, None, 3]
    assert table.columns["word"] == ["none", None, "?", "-"]
    assert table.columns["mark"] == ["a", "-", "b", "c"]
    assert 'size: 2 cells ("-", "N/A") taken for missing' in table.report


def test_na_is_missing_in_texts_only_where_figures_use_it_so(read_text):
    assert read_text("region,n\nNA,1\nEMEA,2\n").columns["region"] == ["NA", "EMEA"]
    assert read_text("region,n\nNA,1\nEMEA,NA\n").columns["region"] == [None, "EMEA"]


def test_truth_values_are_read(read_column):
    assert read_column(["TRUE", "False", "true", ""]).columns["value"] == [True, False, True, None]


def test_a_stray_word_in_a_long_column_of_figures_is_left_empty_and_told_of(read_column):
    table = read_column([str(number) for number in range(200)] + ["oops"])
    assert table.types["value"] == "integer"
    assert table.columns["value"][-1] is None
    assert '1 value could not be read as a number and was left empty ("oops", row 201)' in table.report


def test_a_stray_word_in_a_short_column_keeps_it_text(read_column):
    assert read_column(["1", "2", "oops"]).types["value"] == "text"


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (["2024-03-01", "2024-12-31"], [date(2024, 3, 1), date(2024, 12, 31)]),
        (["31/12/2024", "01/02/2024"], [date(2024, 12, 31), date(2024, 2, 1)]),
        (["12/31/2024", "01/02/2024"], [date(2024, 12, 31), date(2024, 1, 2)]),
        (["31.12.2024", "01.02.2024"], [date(2024, 12, 31), date(2024, 2, 1)]),
        (["Jan 5, 2020", "12 March 2021", "3-Apr-22"], [date(2020, 1, 5), date(2021, 3, 12), date(2022, 4, 3)]),
        (["Monday, 6 May 2024", "Tuesday, 7 May 2024"], [date(2024, 5, 6), date(2024, 5, 7)]),
        (["2024-01-01 00:00:00", "2024-01-02 00:00"], [date(2024, 1, 1), date(2024, 1, 2)]),
        (
            ["2024-01-01T10:30:00Z", "2024-01-02T10:30:00+02:00"],
            [datetime(2024, 1, 1, 10, 30), datetime(2024, 1, 2, 8, 30)],
        ),
        (["5/6/2024 1:05 PM", "5/13/2024 12:00 AM"], [datetime(2024, 5, 6, 13, 5), datetime(2024, 5, 13)]),
        (["March 2020", "April 2021"], [date(2020, 3, 1), date(2021, 4, 1)]),
        (
            ["2024-01-05", "1/6/2024", "Jan 7, 2024", "1/17/24"],
            [date(2024, 1, 5), date(2024, 1, 6), date(2024, 1, 7), date(2024, 1, 17)],
        ),
    ],
)
def test_dates_are_read(read_column, cells, values):
    assert read_column(cells).columns["value"] == values


def test_months_say_that_they_are_months(read_column):
    table = read_column(["March 2020", "April 2021"])
    assert table.unit("value") == "month"


def test_an_ambiguous_order_of_day_and_month_is_said(read_column):
    table = read_column(["05/06/2024", "01/02/2024"])
    assert table.columns["value"] == [date(2024, 5, 6), date(2024, 1, 2)]
    assert "ambiguous; read as month before day" in table.report


def test_one_column_settles_the_order_for_the_others(read_text):
    table = read_text("start,end\n05/06/2024,25/06/2024\n01/02/2024,02/03/2024\n")
    assert table.columns["start"] == [date(2024, 6, 5), date(2024, 2, 1)]


def test_sorted_dates_settle_their_own_order(read_column):
    cells = ["03/01/2024", "05/01/2024", "09/01/2024", "02/02/2024", "07/02/2024"]
    assert read_column(cells).columns["value"][3] == date(2024, 2, 2)
    assert read_column(cells).columns["value"][0] == date(2024, 1, 3)


def test_whole_numbers_are_dates_where_they_all_are(read_column):
    table = read_column(["20101229", "20110105", "20120229"], name="order_dt")
    assert table.columns["order_dt"] == [date(2010, 12, 29), date(2011, 1, 5), date(2012, 2, 29)]


def test_numbers_that_look_like_dates_stay_numbers_under_the_name_of_an_id(read_column):
    assert (
        read_column(["20101229", "20110105", "20120229", "20120301", "20130401"], name="part_id").types["part_id"]
        == "integer"
    )


def test_seconds_since_1970_are_moments_under_the_name_of_one(read_column):
    table = read_column(["1400000000", "1400003600"], name="created_at")
    assert table.columns["created_at"] == [datetime(2014, 5, 13, 16, 53, 20), datetime(2014, 5, 13, 17, 53, 20)]


def test_impossible_dates_stay_text(read_column):
    assert read_column(["31/31/2024", "30/30/2024"]).types["value"] == "text"
