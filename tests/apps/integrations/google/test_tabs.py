"""Which tabs a spreadsheet offers, how they are asked for, and how their sources are named."""

from __future__ import annotations

import pytest

from apps.datasources.naming import clean_name, group_of, spreadsheet_and_tab
from apps.integrations.google.names import tab_file_name
from apps.integrations.google.tabs import Tab, column_name, quoted, row_blocks, spreadsheet_of, values_of

DOCUMENT = {
    "spreadsheetId": "abc",
    "properties": {"title": "Plan"},
    "sheets": [
        {"properties": {"sheetId": 7, "title": "Later", "index": 2, "gridProperties": {"rowCount": 10}}},
        {"properties": {"title": "First", "index": 0, "sheetType": "GRID", "gridProperties": {"rowCount": 5}}},
        {"properties": {"sheetId": 8, "title": "A chart", "index": 1, "sheetType": "OBJECT"}},
        {"properties": {"sheetId": 9, "title": "Secret sums", "index": 3, "hidden": True}},
        {"properties": {"sheetId": 10, "title": "Warehouse", "index": 4, "sheetType": "DATA_SOURCE"}},
    ],
}  # fmt: skip


def test_charts_and_hidden_tabs_are_not_offered():
    assert [tab.title for tab in spreadsheet_of(DOCUMENT).offered] == ["First", "Later"]


def test_a_tab_is_known_by_its_id_whatever_it_is_called():
    renamed = {**DOCUMENT, "sheets": [{"properties": {"sheetId": 7, "title": "Much later"}}]}
    assert spreadsheet_of(renamed).tab_of(7).title == "Much later"
    assert spreadsheet_of(renamed).tab_of(8) is None


def test_a_quote_in_a_title_cannot_end_the_range():
    assert quoted("Ann's 'tab'!A1") == "'Ann''s ''tab''!A1'"


def test_a_large_tab_is_asked_for_in_blocks_of_whole_rows():
    tab = Tab(sheet_id=1, title="T", index=0, hidden=False, rows=25, columns=28)
    assert row_blocks(tab, cells=280) == ["'T'!A1:AB10", "'T'!A11:AB20", "'T'!A21:AB25"]
    assert row_blocks(tab, cells=1) == [f"'T'!A{n}:AB{n}" for n in range(1, 26)]


@pytest.mark.parametrize(("number", "name"), [(1, "A"), (26, "Z"), (27, "AA"), (702, "ZZ"), (703, "AAA")])
def test_columns_are_counted_in_letters(number, name):
    assert column_name(number) == name


def test_a_range_without_values_is_empty_and_keeps_its_place():
    answer = {"valueRanges": [{"range": "'A'!A1:B2"}, {"range": "'B'!A1:B2", "values": [[1]]}]}
    assert values_of(answer, 3) == [[], [[1]], []]


@pytest.mark.parametrize(
    ("spreadsheet", "tab", "name"),
    [
        ("Plan 2026", "Deals", "googlesheets_Plan 2026__tab__Deals.csv"),
        ("Plan (final).xlsx", "Q1/Q2", "googlesheets_Plan final.xlsx__tab__Q1Q2.csv"),
        ("🎉", "🎉", "googlesheets_Spreadsheet__tab__Tab.csv"),
        ("a__tab__b", "c", "googlesheets_a b__tab__c.csv"),
    ],
)
def test_a_source_is_named_after_spreadsheet_and_tab(spreadsheet, tab, name):
    made = tab_file_name(spreadsheet, tab, taken=lambda _: False)
    assert made == name == clean_name(made)
    assert group_of(made) == "spreadsheet"
    assert spreadsheet_and_tab(made)[1]


def test_two_tabs_never_share_a_name():
    taken = {"googlesheets_Plan__tab__Deals.csv", "googlesheets_Plan__tab__Deals 2.csv"}
    assert tab_file_name("Plan", "Deals", taken=taken.__contains__) == "googlesheets_Plan__tab__Deals 3.csv"
