"""Names of columns are split and spelled out as a person would read them."""

from __future__ import annotations

import time

import pytest

from apps.analyst.dictionary.names import LONGEST_NAME, expanded, label, shown, trades, unit_of, words_of


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("CustomerID", ("customer", "id")),
        ("orderDate", ("order", "date")),
        ("PONumber", ("po", "number")),
        ("HTMLFile", ("html", "file")),
        ("eMail", ("email",)),
        ("UserIDs", ("user", "ids")),
        ("STR_NM", ("str", "nm")),
        ("Hire_Date__c", ("hire", "date")),
        ("npsp__Hire_Date__c", ("hire", "date")),
        ("order.total-amount", ("order", "total", "amount")),
        ("# of employees", ("number", "of", "employees")),
        ("Team #1", ("team", "1")),
        ("% Increase", ("percent", "increase")),
        ("Sales2019", ("sales", "2019")),
        ("pm10_level", ("pm10", "level")),
        ("1st leg", ("1st", "leg")),
        ("Artist(s)", ("artist",)),
        ("Price (incl. VAT)", ("price", "incl", "vat")),
        ("Customer's name", ("customers", "name")),
        ("Umsatz_Größe", ("umsatz", "größe")),
        ("€/night", ("price", "per", "night")),
        ("USD / pallet", ("price", "per", "pallet")),
        ("$ paid/owed", ("paid", "owed")),
        ("", ()),
        ("___", ()),
    ],
)
def test_a_name_is_split_where_its_words_begin(name: str, words: tuple[str, ...]) -> None:
    assert words_of(name) == words


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("hiredate", ("hire", "date")),
        ("unitprice", ("unit", "price")),
        ("monthlymaintenance", ("monthly", "maintenance")),
        ("membercost", ("member", "cost")),
        ("firstname", ("first", "name")),
        ("journalname", ("journal", "name")),
        ("starttime", ("start", "time")),
    ],
)
def test_glued_words_are_taken_apart(name: str, words: tuple[str, ...]) -> None:
    assert expanded(name) == words


@pytest.mark.parametrize(
    "word", ["country", "discount", "warehouse", "rating", "island", "pending", "catalog", "company"]
)
def test_a_word_that_is_one_stays_one(word: str) -> None:
    assert words_of(word) == (word,)


@pytest.mark.parametrize("word", ["xqzzkw", "voluptatem", "zentralblatt"])
def test_what_is_not_known_stays_as_it_is(word: str) -> None:
    assert expanded(word) == (word,)


@pytest.mark.parametrize(
    ("name", "unit", "said"),
    [
        ("Weight (kg)", "kg", "weight"),
        ("Distance [km/h]", "km/h", "distance"),
        ("Sales ($)", "$", "sales"),
        ("Revenue (in millions)", "in millions", "revenue"),
        ("Cost €", "€", "cost"),
        ("weight_kg", "kg", "weight kg"),
        ("durationMins", "mins", "duration minutes"),
        ("Growth %", "%", "growth percent"),
        ("Season(s)", None, "season"),
        ("Price (net)", None, "price net"),
        ("kg", None, "kilograms"),
    ],
)
def test_a_unit_is_kept_apart(name: str, unit: str | None, said: str) -> None:
    assert unit_of(name) == unit
    assert label(name) == said


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("STR_NM", "store name"),
        ("custno", "customer number"),
        ("cst_firstname", "customer first name"),
        ("CUST_ADDR1", "customer address line 1"),
        ("invdt", "invoice date"),
        ("tot_amt", "total amount"),
        ("min_price", "minimum price"),
        ("no_show", "no show"),
        ("invoice_no", "invoice number"),
        ("LAST_MOD_DT", "last modified date"),
        ("empcnt", "employee count"),
        ("sls_ord_num", "sales order number"),
        ("is_cxl", "is cancelled"),
        ("Cost_per_25_miles", "cost per 25 miles"),
        ("Hire_Date__c", "hire date"),
        ("???", "???"),
    ],
)
def test_shortened_words_are_spelled_out(name: str, said: str) -> None:
    assert label(name) == said


@pytest.mark.parametrize(
    ("name", "neighbours", "said"),
    [
        ("STR", ("stores", "SKU", "STORE_CITY"), "store"),
        ("STR", ("addresses", "ZIP_CODE", "CITY", "STREET_NO"), "street"),
        ("RT", ("rooms", "ROOM_TYPE", "GUEST", "NIGHTLY_RATE"), "rate"),
        ("RT_NM", ("shipments", "CARRIER", "ROUTE", "TRUCK", "DRIVER"), "route name"),
        ("DR", ("visits", "PATIENT", "DIAGNOSIS", "DOCTOR_PHONE"), "doctor"),
        ("DR", ("journal", "LEDGER", "CREDIT", "DEBIT_AMOUNT"), "debit"),
        ("APP_DT", ("candidates", "APPLICANT", "APPLICATION_STATUS"), "application date"),
        ("APP_DT", ("clinic", "PATIENT", "APPOINTMENT_TYPE"), "appointment date"),
    ],
)
def test_neighbours_choose_between_expansions(name: str, neighbours: tuple[str, ...], said: str) -> None:
    assert label(name, neighbours) == said


@pytest.mark.parametrize(
    ("names", "name", "said"),
    [
        (("repairs", "job_no", "opn_dt", "cls_dt"), "cls_dt", "closed date"),
        (("cases", "opened_at", "case_cls_dt"), "case_cls_dt", "case closed date"),
        (("leases", "st_dt", "end_dt"), "st_dt", "start date"),
        (("projects", "st_dt", "ed_dt"), "ed_dt", "end date"),
        (("wards", "adm_dt", "dis_dt"), "dis_dt", "discharge date"),
        (("bills", "inv_dt", "pd_dt"), "pd_dt", "paid date"),
        (("policies", "inc_dt", "exp_dt"), "inc_dt", "inception date"),
        (("legs", "dep", "arr"), "arr", "arrival"),
        (("journal", "dr_amt", "cr_amt"), "cr_amt", "credit amount"),
        (("stays", "ci_dt", "co_dt"), "co_dt", "check-out date"),
    ],
)
def test_a_name_that_answers_another_is_its_counterpart(names: tuple[str, ...], name: str, said: str) -> None:
    assert label(name, names) == said
    assert shown(name, expanded(name, names), names) == said


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("tickets", "tkt_id", "cls_dt", "agt_nm", "prio"), "closed date"),
        (("pipeline", "deal_nm", "cls_dt", "stage", "owner"), "closed date"),
        (("gym", "mbr_nm", "cls_dt", "trnr"), "class date"),
        (("courses", "stu_id", "cls_dt", "grd", "tchr"), "class date"),
    ],
)
def test_the_trade_of_a_table_chooses_what_a_name_is_short_for(names: tuple[str, ...], said: str) -> None:
    assert label("cls_dt", names) == said


def test_a_word_cut_off_is_spelled_out_where_only_a_state_is_called_so() -> None:
    assert label("stat") == "status"
    assert label("temp") == "temp"


def test_a_token_means_the_same_in_all_names_of_a_table() -> None:
    names = ("prd_info", "prd_id", "prd_key", "prd_nm", "prd_cost", "prd_line", "prd_start_dt")
    assert [label(name, names) for name in names[-3:]] == ["product cost", "product line", "product start date"]


def test_the_names_of_a_table_tell_its_trade() -> None:
    shares = trades(("patients", "PAT_ID", "DIAGNOSIS", "WARD", "DISCHARGE_DATE"))
    assert max(shares, key=lambda trade: shares[trade]) == "healthcare"
    assert sum(shares.values()) == pytest.approx(1)
    assert trades(()) == {}


def test_without_neighbours_the_likeliest_expansion_is_taken() -> None:
    assert label("RT_CD") == "rate code"
    assert expanded("STR", []) == ("store",)


def test_names_are_cut_and_long_ones_take_no_longer_than_they_must() -> None:
    endless = "customeraddressstreetname" * 4000
    began = time.perf_counter()
    words = words_of(endless)
    assert sum(map(len, words)) <= LONGEST_NAME
    assert len(label("x" * 5000)) == LONGEST_NAME
    assert len(words_of("a_" * 5000)) == LONGEST_NAME // 2
    assert time.perf_counter() - began < 2


def test_a_word_that_a_mark_and_a_name_spell_out_alike_is_said_once() -> None:
    names = ("sls_sales", "sls_price", "sls_quantity")
    assert shown("sls_sales", expanded("sls_sales", names), names) == "sales"


def test_a_surname_is_not_called_a_surname_name() -> None:
    names = ("emp_id", "fst_nm", "sur_nm", "hr_dt")
    assert shown("sur_nm", expanded("sur_nm", names), names) == "surname"
    assert shown("paid_id", expanded("paid_id", ("paid_id",)), ("paid_id",)) == "paid id"


def test_pat_is_a_patient_among_patients_and_a_profit_among_profits() -> None:
    assert expanded("pat_id", ("patients", "pat_id", "fst_nm", "town")) == ("patient", "id")
    assert expanded("pat_amt", ("pnl", "rev_amt", "ebit_amt", "pat_amt", "tax_amt"))[0] == "profit"
