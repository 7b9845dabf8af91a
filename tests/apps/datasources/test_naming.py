"""Names of files: SPEC section 5 in its order, section 3 for groups and display names."""

import re
import string
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.datasources import naming
from apps.datasources.naming import NameRefused


def check(name: str, *, taken: tuple[str, ...] = ()) -> str:
    keys = {naming.name_key(n) for n in taken}
    return naming.check_upload_name(name, product="Acme", exists=lambda n: naming.name_key(n) in keys)


def refusal(name: str, *, taken: tuple[str, ...] = ()) -> str:
    with pytest.raises(NameRefused) as caught:
        check(name, taken=taken)
    return caught.value.message


def test_parentheses_are_refused_first():
    assert refusal("hubspot_deals (1).txt", taken=("hubspot_deals (1).txt",)) == (
        "Please remove parentheses from: hubspot_deals (1).txt"
    )


def test_a_taken_name_is_refused_second_ignoring_case_and_ending():
    text = "A file with the name: SALES.xlsx already exists. Please delete it and try again."
    assert refusal("SALES.xlsx", taken=("sales.csv",)) == text


def test_another_type_is_refused_third_with_the_name_of_the_product():
    assert refusal("hubspot_notes.txt") == "We apologize. Acme does not support this file type yet."
    for name in (
        "notes",
        "book.xls",
        "book.xlsm",
        "sales.csv.exe",
        "sales.сsv",
        "sales․csv",
        "sales．csv",
        "sales.csv\u202e",
    ):
        assert "does not support" in refusal(name), name


@pytest.mark.parametrize("name", ["hubspot_deals.csv", "HubSpot_deals.csv", " hubspot_deals.csv", "!hubspot_deals.csv"])
def test_the_crm_prefix_is_refused_fourth(name):
    assert refusal(name) == f"Please remove the prefix: hubspot_ from {name.strip()}"


@pytest.mark.parametrize(
    "name",
    [
        "ｈubspot_deals.csv",
        "ＨＵＢＳＰＯＴ＿deals.csv",
        "hubſpot_deals.csv",
        "ℌubspot_deals.csv",
        "hub\u200bspot_deals.csv",
        "húbspot_deals.csv",
        "hubspot﹏deals.csv",
        "𝓱ubspot_x.csv",
        "hub\u00adspot_deals.csv",
        "ʜubspot_deals.csv",
        "ħubspot_deals.csv",
        "huƀspot_deals.csv",
        "hubꜱpot_deals.csv",
        "hubsp0t_deals.csv",
        "hubspøt_deals.csv",
        "HUBSPOꞱ_deals.csv",
    ],
)
def test_what_looks_like_the_prefix_is_refused_as_the_prefix(name):
    assert refusal(name).startswith("Please remove the prefix: hubspot_")


@pytest.mark.parametrize(
    "name", ["ɡooglesheets_x.csv", "googIesheets_x.csv", "goog1esheets_x.csv", "gooɢlesheets_x.csv"]
)
def test_what_looks_like_the_other_prefix_is_refused_too(name):
    assert refusal(name).startswith("Please remove the prefix: googlesheets_")


def test_every_form_of_each_letter_of_a_prefix_is_seen_through():
    forms = [
        (at, chr(code))
        for at, letter in enumerate("hubspot")
        for code in range(0x80, 0x1DF30)
        if re.fullmatch(
            rf"LATIN (SMALL LETTER|CAPITAL LETTER|LETTER SMALL CAPITAL) {letter.upper()}( WITH .*)?",
            unicodedata.name(chr(code), ""),
        )
    ]
    assert len(forms) > 200
    for at, form in forms:
        name = f"{'hubspot'[:at]}{form}{'hubspot'[at + 1 :]}_deals.csv"
        assert refusal(name).startswith("Please remove the prefix: hubspot_"), ascii(form)


@pytest.mark.parametrize(
    "name", ["hubsρot_deals.csv", "hυbspot_deals.csv", "Ꮋubspot_deals.csv", "һubspot_x.csv", "հubspot_x.csv"]
)
def test_a_letter_of_another_alphabet_in_a_latin_word_is_refused(name):
    assert "characters that can be mistaken" in refusal(name)


@pytest.mark.parametrize("name", ["sqlite_master.csv", "ſqlite_master.xlsx", "PG_Tables.csv"])
def test_names_of_the_databases_own_objects_are_refused(name):
    assert "kept for the database" in refusal(name)


def test_no_table_is_ever_called_like_an_object_of_the_engine():
    assert naming.table_name("googlesheets_sqlite_master.csv", set()) == "googlesheets sqlite_master"
    assert naming.table_name("ſqlite_master.csv", set()) == "uploaded ſqlite_master"


def test_the_spreadsheet_prefix_is_refused_too():
    assert refusal("googlesheets_x.xlsx") == "Please remove the prefix: googlesheets_ from googlesheets_x.xlsx"


@pytest.mark.parametrize(
    "name",
    [
        "a\x00b.csv",
        "a\nb.csv",
        "sales\u202egpj.csv",
        "a／b.csv",
        "a∕b.csv",
        "a․b.csv",
        "sаles.csv",
        "Ηello.csv",
        "a\ud800.csv",
    ],
)
def test_names_that_can_be_mistaken_are_refused(name):
    assert "characters that can be mistaken" in refusal(name)


@pytest.mark.parametrize("name", [".csv", "..csv", "....csv", " .csv", "---.csv", "_.csv", "!!!.xlsx", ":.csv"])
def test_names_without_a_letter_or_digit_are_refused(name):
    assert "a name needs letters or digits" in refusal(name)


def test_a_name_past_the_limit_is_refused():
    assert check("a" * 196 + ".csv")
    assert "200 characters" in refusal("a" * 197 + ".csv")


@pytest.mark.parametrize(
    ("name", "stored"),
    [
        ("sales.csv", "sales.csv"),
        ("Q1 & Q2: sales-2024.xlsx", "Q1  Q2: sales-2024.csv"),
        ("Sales.CSV", "Sales.csv"),
        ("Umsätze #3.csv", "Umsätze 3.csv"),
        ("売上.xlsx", "売上.csv"),
        ("می\u200cخواهم.csv", "میخواهم.csv"),
        ("a\u00a0b.csv", "a b.csv"),
        ("u\u0308ber.csv", "über.csv"),
        ("../../etc/passwd.csv", "....etcpasswd.csv"),
        ("sales.csv.xlsx", "sales.csv.csv"),
    ],
)
def test_names_are_cleaned(name, stored):
    assert check(name) == stored


@settings(deadline=None)
@given(st.text(max_size=60), st.sampled_from(["csv", "xlsx", "CSV"]))
def test_every_stored_name_is_clean_and_stays_as_it_is(stem, ending):
    try:
        stored = check(f"{stem}.{ending}")
    except NameRefused as refused:
        message = refused.message
    else:
        message = ""
    assert not re.search(r"[\x00-\x1f\x7f\u202a-\u202e]", message)
    if message:
        return
    assert re.fullmatch(r"[\w. :-]+\.csv", stored)
    assert "/" not in stored
    assert "\\" not in stored
    assert "\x00" not in stored
    assert check(stored) == stored
    assert naming.group_of(stored) == "uploaded"


def test_groups_and_display_names():
    assert naming.group_of("hubspot_deals.csv") == "crm"
    assert naming.group_of("googlesheets_Budget__tab__Q1.csv") == "spreadsheet"
    assert naming.group_of("sales.csv") == "uploaded"
    assert naming.display_name("hubspot_deals.csv") == "deals"
    assert naming.display_name("googlesheets_Budget__tab__Q1.csv") == "Budget - Q1"
    assert naming.display_name("a__tab__b.csv") == "a__tab__b"
    assert naming.spreadsheet_and_tab("googlesheets_Budget__tab__Q1.csv") == ("Budget", "Q1")
    assert naming.display_name("sales.csv") == "sales"


def test_one_sheet_keeps_the_name_of_the_workbook():
    assert naming.sheet_file_names("Budget.csv", ["Tabelle1"]) == ["Budget.csv"]


def test_several_sheets_carry_their_names():
    assert naming.sheet_file_names("Budget.csv", ["2024", "2025 (draft)"]) == [
        "Budget - 2024.csv",
        "Budget - 2025 draft.csv",
    ]


@settings(deadline=None)
@given(st.lists(st.text(alphabet=string.printable, max_size=31), min_size=2, max_size=12))
def test_no_two_sheets_share_a_name(sheets):
    names = naming.sheet_file_names("Budget.csv", sheets)
    assert len({naming.name_key(n) for n in names}) == len(sheets)
    assert all(re.fullmatch(r"[\w. :-]+\.csv", n) for n in names)


def test_tables_of_like_named_files_are_told_apart():
    assert naming.table_name("hubspot_deals.csv", set()) == "deals"
    assert naming.table_name("hubspot_deals.csv", {"deals"}) == "hubspot deals"
    assert naming.table_name("deals.csv", {"deals", "uploaded deals"}) == "deals 2"
