"""What made-up tables of many trades mean: what a row is, and what its columns are for."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from apps.analyst.dictionary.cache import dictionary_of, dictionary_of_some
from apps.analyst.dictionary.meaning import meanings
from apps.analyst.dictionary.rows import plural
from apps.analyst.dictionary.types import TableMeaning
from apps.analyst.tables import ingest
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.types import Table, ValueCount

ROWS = 40
CITIES = ("Leeds", "York", "Hull", "Derby")
FIRST, LAST = ("Ann", "Ben", "Cleo", "Dan", "Eve"), ("Abbot", "Brown", "Clark", "Dean", "Ely", "Ford", "Gray", "Hill")


def person(row: int) -> str:
    return f"{FIRST[row % 5]} {LAST[row // 5 % 8]}"


def day(row: int, month: int = 1) -> str:
    return f"2025-{(row // 28 + month - 1) % 12 + 1:02d}-{row % 28 + 1:02d}"


def of(*values: object) -> Callable[[int], object]:
    return lambda row: values[row % len(values)]


Made = dict[str, Callable[[int], object]]

POS: Made = {
    "RCPT_NO": lambda r: 90_000 + r // 3,
    "LN_NO": lambda r: r % 3 + 1,
    "TXN_DT": day,
    "STR_NM": of(*CITIES),
    "SKU": lambda r: f"K{r % 9:04d}",
    "ITEM_DESC": lambda r: f"Item {r % 9}",
    "QTY": lambda r: r % 4 + 1,
    "UNIT_PRC": lambda r: f"{r % 7 + 1.25:.2f}",
    "NET_AMT": lambda r: f"{r * 1.5 + 2:.2f}",
    "RTN_FLG": of("N", "N", "Y"),
}
STAYS: Made = {
    "resv_no": lambda r: f"R{1000 + r}",
    "guest": person,
    "bkg_dt": day,
    "arr_dt": lambda r: day(r, 2),
    "meal_pln": of("BB", "HB", "RO", "FB"),
    "rt_per_nt": lambda r: 80 + r,
    "tot_amt": lambda r: 200 + 3 * r,
    "rvw_score": lambda r: r % 5 + 1,
}
PEOPLE: Made = {
    "emp_no": lambda r: 5000 + r,
    "emp_nm": person,
    "dept": of("Sales", "Finance", "People"),
    "hire_dt": lambda r: f"20{r % 20 + 1:02d}-03-{r % 28 + 1:02d}",
    "ann_sal": lambda r: 30_000 + 250 * r,
    "age": lambda r: 20 + r,
    "is_manager": of("0", "0", "1", "0"),
}
DEALS: Made = {
    "Deal Name": lambda r: f"Renewal {r} for {LAST[r % 8]}",
    "Stage": of("Won", "Lost", "Proposal"),
    "Amount (EUR)": lambda r: 1000 + 37 * r,
    "Probability": of("0.1", "0.5", "0.75", "0.9"),
    "Owner": of("Mia", "Noah"),
    "Close Date": lambda r: day(r, 3),
    "Create Date": day,
}
LEASES: Made = {
    "Shop": lambda r: f"Shop {r}",
    "Contract start": day,
    "Contract end": lambda r: day(r, 3),
    "Rent": lambda r: 100 + r,
}
STOCK: Made = {
    "Site Code": of("S1", "S2"),
    "Item Code": lambda r: f"I-{r // 2:03d}",
    "Qty On Hand": lambda r: 13 * r % 70,
    "Last Counted": day,
}
SURVEY: Made = {
    "Respondent ID": lambda r: 100 + r,
    "Date Submitted": day,
    "Office": of(*CITIES),
    "Q1. My manager gives me useful feedback": lambda r: r % 5 + 1,
    "Overall Satisfaction (1-5)": lambda r: (r + 2) % 5 + 1,
    "Comments": lambda r: (
        f"I would like to see rather more of the canteen on day number {r}, please, and less of the cold."
    ),
}
CLAIMS: Made = {
    "ClaimRef": lambda r: f"CL{r:05d}",
    "PolNo": lambda r: f"P{r % 17:04d}",
    "LossDate": day,
    "ClosedDate": lambda r: day(r, 4) if r % 3 else "",
    "ClaimedAmt": lambda r: 500 + 11 * r,
    "Excess": of("100", "250", "500"),
    "FraudFlag": of("N", "Y", "N"),
}
TICKETS: Made = {
    "ticketId": lambda r: f"T-{r}",
    "createdAt": lambda r: f"{day(r)} 09:{r:02d}:00",
    "resolvedAt": lambda r: f"{day(r)} 17:{r:02d}:00" if r % 4 else "",
    "priority": of("P1", "P2", "P3", "P4"),
    "requester": person,
    "csatScore": lambda r: r % 5 + 1 if r % 2 else "",
    "resolutionHrs": lambda r: r * 1.5 + 1,
    "reopenCount": lambda r: r % 3,
}
RUNS: Made = {
    "runId": lambda r: r + 1,
    "shiftDate": day,
    "lineId": of("L1", "L2"),
    "totalUnits": lambda r: 900 + 7 * r,
    "scrapUnits": lambda r: 3 + r % 11,
    "scrap_pct": lambda r: f"{r % 11 / 10 + 0.3:.1f}",
}
ENERGY: Made = {
    "Account": lambda r: f"A{r % 8}",
    "Day": day,
    "Usage (kWh)": lambda r: 20 + r / 4,
    "Temperature (°C)": lambda r: r / 3 - 2,
    "Balance (£)": lambda r: f"{40 - r:.2f}",
}
GIFTS: Made = {
    "Gift Ref": lambda r: f"G{r:04d}",
    "Donor": person,
    "Gift Date": day,
    "Amount": lambda r: 10 + r,
    "Currency": of("GBP"),
    "Gift Aid": of("Yes", "No"),
}
SITES: Made = {
    "SITE_NM": of("Alder Mall", "Brook Gate", "Cray Walk"),
    "MTH": day,
    "Consumption (kWh)": lambda r: 700 + r,
}
FLIGHTS: Made = {
    "FL_DATE": day,
    "FL_NUM": lambda r: 2000 + r // 2,
    "ORIGIN": of("BOS", "JFK", "ORD"),
    "PAX": lambda r: 90 + r,
}
STANDS: Made = {
    "Stand No": lambda r: 400 + r,
    "Exhibitor": lambda r: f"Maker {r % 9}",
    "Booked On": day,
    "Sponsor": of("Ash", "Birch", "Cedar"),
    "Fee": lambda r: f"{20 + 3 * r}.50",
    "Unit Price": lambda r: f"{r % 7 + 1.25:.2f}",
}
MENU: Made = {
    "Dish": lambda r: f"Dish {r}",
    "Course": of("Starter", "Main", "Dessert"),
    "Menu Price": lambda r: f"{8 + r}.00",
    "Allergens": of("Nuts", "Milk", "None"),
    "Food Cost": lambda r: f"{2 + r / 4:.2f}",
}
STYLES: Made = {"sty": lambda r: f"S{r:04d}", "sty_dsc": of("rib dress", "hoodie"), "fob": lambda r: 5 + r / 4}
ORDERS: Made = {
    "Row ID": lambda r: r + 1,
    "Order ID": lambda r: f"CA-{r // 3}",
    "Order Date": day,
    "Ship Date": lambda r: day(r, 2),
    "delivered_at": lambda r: day(r, 3),
    "Product Name": lambda r: f"Chair {r % 6}",
    "Sales": lambda r: 12 + r * 2.5,
    "Discount": of("0.0", "0.1", "0.25"),
}


@pytest.fixture
def meant(tmp_path: Path) -> Callable[[str, Made], TableMeaning]:
    return lambda name, made: meanings(table(name, made, tmp_path))


def table(name: str, made: Made, folder: Path) -> Table:
    lines = [",".join(made), *(",".join(f'"{make(row)}"' for make in made.values()) for row in range(ROWS))]
    path = folder / f"{name}.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    return ingest(path, path.name, folder / f"{name}-out")[0].table


@pytest.mark.parametrize(
    ("name", "made", "row", "rows"),
    [
        ("POS_LINES_2024", POS, None, None),
        ("tbl_reservations", STAYS, "reservation", "reservations"),
        ("emp_mast", PEOPLE, "employee", "employees"),
        ("Sheet1", DEALS, "deal", "deals"),
        ("Stock On Hand", STOCK, "stock record", "stock records"),
        ("employee_survey_2024", SURVEY, "employee survey response", "employee survey responses"),
        ("q3 exp", SURVEY, "respondent", "respondents"),
        ("t_claim", CLAIMS, "claim", "claims"),
        ("claims", CLAIMS, "claim", "claims"),
        ("helpdesk_export", TICKETS, "ticket", "tickets"),
        ("shiftRuns", RUNS, "shift run", "shift runs"),
        ("usage_daily", ENERGY, "usage record", "usage records"),
        ("Donations Jan 2025", GIFTS, None, None),
        ("retail_orders", ORDERS, "retail order line", "retail order lines"),
        ("order_lines", ORDERS, "order line", "order lines"),
        ("facilities", ENERGY, "facility", "facilities"),
        ("kiosk_sites", SITES, "kiosk site record", "kiosk site records"),
        ("flights", FLIGHTS, "flight", "flights"),  # a flight's number flies again, an order's does not
        ("styles", STYLES, "style", "styles"),
        ("claims tracker", CLAIMS, "claim", "claims"),
    ],
)
def test_one_row_has_a_noun(
    meant: Callable[[str, Made], TableMeaning], name: str, made: Made, row: str | None, rows: str | None
) -> None:
    found = meant(name, made)
    if row is None:
        assert found.rows.split()[-1] in ("lines", "donations", "gifts")
    else:
        assert (found.row, found.rows) == (row, rows)


def identified(column: str, *others: str) -> Made:
    """A table whose first column tells its rows apart; the others repeat."""
    return {column: lambda r: f"{column[:1]}-{r}", **{other: of("one", "two", "three") for other in others}}


@pytest.mark.parametrize(
    ("name", "column", "rows"),
    [
        ("service_desk", "tkt_id", "tickets"),
        ("service desks 2025", "ticket no", "tickets"),
        ("operations", "shipment_id", "shipments"),
        ("logistics_q2", "order_no", "orders"),
        ("billing", "inv_no", "invoices"),
        ("maintenance", "wo_no", "work orders"),
        ("front_office", "booking_ref", "bookings"),
        ("claims_team", "claim_ref", "claims"),
    ],
)
def test_rows_are_what_their_own_id_says_where_the_name_is_of_a_place_or_a_trade(
    meant: Callable[[str, Made], TableMeaning], name: str, column: str, rows: str
) -> None:
    assert meant(name, identified(column, "area")).rows == rows


@pytest.mark.parametrize(
    ("name", "column", "rows"),
    [
        ("complaints", "case_no", "complaints"),
        ("deliveries", "order_no", "deliveries"),
        ("customer", "account_id", "customers"),
        ("staff", "employee_no", "staff members"),
        ("lessees", "lse_id", "lessees"),
        ("service_desk", "row_no", "service desks"),
    ],
)
def test_a_name_that_says_what_its_rows_are_keeps_its_noun(
    meant: Callable[[str, Made], TableMeaning], name: str, column: str, rows: str
) -> None:
    assert meant(name, identified(column, "area")).rows == rows


@pytest.mark.parametrize(
    ("name", "columns", "rows"),
    [
        ("zoho-crm-exports-all-appointments-2025-11-03", ["Record ID", "Room"], "appointments"),
        ("My Shopify orders final (2)", ["Name", "Email"], "orders"),
        ("Grooming visits Ltd - Nov 2025 - Feb 2026", ["Ref", "Dog"], "grooming visits"),
        ("quibble-appointments-1", ["Appointment Name", "Appointment Room", "Appointment Owner"], "appointments"),
        ("Northside paws", ["Appointment Name", "Appointment Room", "Appointment Owner"], "appointments"),
        ("order_items", ["Order Number", "Order Date", "Order Room"], "order items"),
        ("walk-in appointments", ["Appointment Name", "Appointment Room", "Appointment Owner"], "walk in appointments"),
    ],
)
def test_what_a_file_is_called_for_being_an_export_is_no_noun_of_its_rows(
    meant: Callable[[str, Made], TableMeaning], name: str, columns: list[str], rows: str
) -> None:
    assert meant(name, identified(*columns)).rows == rows


def test_rows_of_which_several_make_an_order_are_its_lines_where_each_line_has_a_number(
    meant: Callable[[str, Made], TableMeaning],
) -> None:
    lines: Made = {"ORDERNUMBER": lambda r: str(10_100 + r // 4), "ORDERLINENUMBER": lambda r: str(1 + r % 4)}
    assert meant("sales_mixed_dates", {**lines, "SALES": lambda r: str(100 + r)}).rows == "order lines"
    receipts = identified("receipt_no", "area")
    assert meant("goods_receipts", {**receipts, **lines}).rows == "goods receipts"


@pytest.mark.parametrize(
    ("first", "number", "rows"),
    [
        ("PO no.", lambda r: f"PO-{r // 2}", "dealer order lines"),
        ("PO no.", lambda r: f"PO-{r}", "dealer orders"),
        ("Dealer", of("North", "South"), "dealer orders"),
    ],
)
def test_rows_whose_first_column_numbers_a_kind_of_them_again_are_its_lines(
    meant: Callable[[str, Made], TableMeaning], first: str, number: Callable[[int], object], rows: str
) -> None:
    items: Made = {
        "Item": lambda r: f"I{r % 7}",
        "Qty": lambda r: 1 + r % 5,
        "Parent order no": lambda r: f"P-{r // 3}",
    }
    assert meant("dealer orders", {first: number, **items}).rows == rows


def test_a_name_that_one_column_repeats_is_no_noun_of_the_rows(meant: Callable[[str, Made], TableMeaning]) -> None:
    assert meant("warehouse", identified("shipment_id", "warehouse", "carrier")).rows == "shipments"
    assert meant("warehouse", identified("warehouse_id", "region")).rows == "warehouses"


@pytest.mark.parametrize(
    ("name", "made", "key", "named", "date"),
    [
        ("pos_lines", POS, None, None, "TXN_DT"),
        ("reservations", STAYS, "resv_no", None, "bkg_dt"),
        ("emp_mast", PEOPLE, "emp_no", "emp_nm", "hire_dt"),
        ("deals", DEALS, None, "Deal Name", "Create Date"),
        ("survey", SURVEY, "Respondent ID", None, "Date Submitted"),
        ("claims", CLAIMS, "ClaimRef", None, "LossDate"),
        ("tickets", TICKETS, "ticketId", None, "createdAt"),
        ("shiftRuns", RUNS, "runId", None, "shiftDate"),
        ("readings", ENERGY, None, None, "Day"),
        ("gifts", GIFTS, "Gift Ref", None, "Gift Date"),
        ("renewals tracking", LEASES, "Shop", None, "Contract end"),
        ("leases", LEASES, "Shop", None, "Contract start"),
        ("retail_orders", ORDERS, "Row ID", None, "Order Date"),
    ],
)
def test_rows_are_told_apart_named_and_dated_by_columns(
    meant: Callable[[str, Made], TableMeaning], name: str, made: Made, key: str | None, named: str | None, date: str
) -> None:
    found = meant(name, made)
    assert (found.key_column, found.name_column, found.date_column) == (key, named, date)


@pytest.mark.parametrize(
    ("made", "column", "label", "kind", "adds", "unit"),
    [
        (POS, "STR_NM", "store name", "dimension", None, None),
        (POS, "RCPT_NO", "receipt number", "identifier", None, None),
        (POS, "QTY", "quantity", "measure", "sum", None),
        (POS, "UNIT_PRC", "unit price", "measure", "average", None),
        (POS, "NET_AMT", "net amount", "measure", "sum", None),
        (STAYS, "tot_amt", "total amount", "measure", "sum", None),
        (STAYS, "rvw_score", "review score", "measure", "average", None),
        (PEOPLE, "age", "age", "measure", "average", None),
        (PEOPLE, "ann_sal", "annual salary", "measure", "sum", None),
        (DEALS, "Amount (EUR)", "amount", "measure", "sum", "EUR"),
        (DEALS, "Probability", "probability", "measure", "average", None),
        (STOCK, "Qty On Hand", "quantity on hand", "measure", "last", None),
        (SURVEY, "Overall Satisfaction (1-5)", "overall satisfaction", "measure", "average", None),
        (SURVEY, "Comments", "comments", "text", None, None),
        (CLAIMS, "ClaimedAmt", "claimed amount", "measure", "sum", None),
        (TICKETS, "resolutionHrs", "resolution hours", "measure", "average", "hours"),
        (TICKETS, "reopenCount", "reopen count", "measure", "sum", None),
        (RUNS, "totalUnits", "total units", "measure", "sum", None),
        (RUNS, "scrap_pct", "scrap percent", "measure", "average", "%"),
        (ENERGY, "Usage (kWh)", "usage", "measure", "sum", "kWh"),
        (ENERGY, "Temperature (°C)", "temperature", "measure", "average", "°C"),
        (ENERGY, "Balance (£)", "balance", "measure", "last", "GBP"),
        (GIFTS, "Amount", "amount", "measure", "sum", "GBP"),
        (STANDS, "Fee", "fee", "measure", "sum", None),  # a price in one trade, an amount in most
        (STANDS, "Unit Price", "unit price", "measure", "average", None),
        (MENU, "Food Cost", "food cost", "measure", "average", None),  # of one dish; of a whole event elsewhere
        (ORDERS, "Discount", "discount", "measure", "average", None),
    ],
)
def test_a_column_has_a_label_a_kind_and_a_way_to_add_up(
    meant: Callable[[str, Made], TableMeaning],
    made: Made,
    column: str,
    label: str,
    kind: str,
    adds: str | None,
    unit: str | None,
) -> None:
    found = meant("things", made).column(column)
    assert found is not None
    assert (found.label, found.kind, found.adds, found.unit) == (label, kind, adds, unit)


def test_a_time_zone_is_no_part_of_what_a_date_is(meant: Callable[[str, Made], TableMeaning]) -> None:
    found = meant("passes", {"Pass": lambda r: f"P{r}", "Current Period End (UTC)": day}).column(
        "Current Period End (UTC)"
    )
    assert found is not None
    assert found.concepts[0] == ("subscriptions.renewal_date", 1.0)


@pytest.mark.parametrize(
    ("made", "column", "says"),
    [
        (POS, "RTN_FLG", {"Y": "returned", "N": "not returned"}),
        (PEOPLE, "is_manager", {"1": "manager", "0": "not manager"}),
        (GIFTS, "Gift Aid", {"Yes": "gift aid", "No": "not gift aid"}),
        (STAYS, "meal_pln", {"BB": "bed and breakfast", "HB": "half board", "RO": "room only", "FB": "full board"}),
        (POS, "STR_NM", {}),
        (POS, "SKU", {}),
    ],
)
def test_values_of_flags_and_codes_are_spelled_out(
    meant: Callable[[str, Made], TableMeaning], made: Made, column: str, says: dict[str, str]
) -> None:
    found = meant("things", made).column(column)
    assert found is not None
    assert found.says == says


@pytest.mark.parametrize(
    ("name", "made", "column", "event"),
    [
        ("orders", ORDERS, "Order Date", "order"),
        ("orders", ORDERS, "Ship Date", "shipping"),
        ("orders", ORDERS, "delivered_at", "delivery"),
        ("emp_mast", PEOPLE, "hire_dt", "hire"),
        ("claims", CLAIMS, "LossDate", "loss"),
        ("claims", CLAIMS, "ClosedDate", "closing"),
        ("meter_readings", ENERGY, "Day", "meter reading"),
        ("tickets", TICKETS, "createdAt", "creation"),
    ],
)
def test_a_date_is_of_an_event(
    meant: Callable[[str, Made], TableMeaning], name: str, made: Made, column: str, event: str
) -> None:
    found = meant(name, made).column(column)
    assert found is not None
    assert found.event == event


@pytest.mark.parametrize(
    ("name", "made", "column", "concept"),
    [
        ("pos_lines", POS, "UNIT_PRC", "price"),
        ("reservations", STAYS, "resv_no", "id"),
        ("claims", CLAIMS, "ClaimedAmt", "amount"),
        ("orders", ORDERS, "Order Date", "date"),
        ("tickets", TICKETS, "csatScore", "score"),
    ],
)
def test_a_column_has_concepts_that_fit_its_type(
    meant: Callable[[str, Made], TableMeaning], name: str, made: Made, column: str, concept: str
) -> None:
    from apps.analyst.knowledge.loader import knowledge

    found = meant(name, made).column(column)
    assert found is not None
    assert found.concept is not None
    assert 0.7 <= found.confidence <= 1
    kind = knowledge().concepts[found.concept].kind
    assert kind == concept or {kind, concept} == {"id", "thing"}


JOBS: Made = {
    "job_no": lambda r: r + 1,
    "ttl": lambda r: f"Mend the roof of house {r}",
    "cst": lambda r: f"{r * 3.25 + 1:.2f}",
    "cust": of("Hill", "Dale"),
    "dob": lambda r: f"19{50 + r}-02-03",
}


def test_a_shortened_word_is_spelled_out_as_its_values_allow(meant: Callable[[str, Made], TableMeaning]) -> None:
    found = meant("jobs", JOBS)
    assert [column.label for column in found.columns] == ["job number", "title", "cost", "customer", "date of birth"]
    assert (found.key_column, found.name_column) == ("job_no", "ttl")


def test_money_per_something_is_its_price(meant: Callable[[str, Made], TableMeaning]) -> None:
    found = meant("stalls", {"Stall": lambda r: f"Stall {r}", "Days": lambda r: r % 9, "$/day": of("40", "55", "70")})
    days, price = found.column("Days"), found.column("$/day")
    assert days is not None
    assert price is not None
    assert (days.label, days.adds) == ("days", "sum")
    assert (price.label, price.adds) == ("price per day", "average")


def test_a_date_of_birth_is_no_date_of_the_row(meant: Callable[[str, Made], TableMeaning]) -> None:
    assert meant("jobs", JOBS).date_column is None


def test_money_is_told_without_a_currency(meant: Callable[[str, Made], TableMeaning]) -> None:
    found = meant("claims", CLAIMS)
    assert [column.name for column in found.columns if column.money] == ["ClaimedAmt", "Excess"]


@pytest.mark.parametrize(
    ("noun", "several"),
    [
        ("order line", "order lines"),
        ("category", "categories"),
        ("day", "days"),
        ("batch", "batches"),
        ("address", "addresses"),
        ("person", "people"),
        ("piece of equipment", "pieces of equipment"),
        ("lab tech", "lab techs"),
    ],
)
def test_nouns_have_plurals(noun: str, several: str) -> None:
    assert plural(noun) == several


def test_a_table_without_rows_columns_or_a_name_has_a_meaning(tmp_path: Path) -> None:
    found = meanings(Table("", "", tmp_path, 0, ()))
    assert (found.row, found.rows, found.columns) == ("row", "rows", ())


def test_it_is_quick_and_kept_for_a_version(tmp_path: Path) -> None:
    tables = tuple(table(f"t{place}", made, tmp_path) for place, made in enumerate((POS, STAYS, TICKETS, ORDERS)))
    catalog = FixedCatalog("quick-1", tables)
    first = dictionary_of(catalog)
    assert dictionary_of(catalog) is first
    assert dictionary_of(FixedCatalog("quick-2", tables)) == first
    took = []
    for _ in range(20):
        began = time.perf_counter()
        meanings(tables[0], tables[1:])
        took.append(time.perf_counter() - began)
    assert min(took) < 0.005


class Untouched(tuple[ValueCount, ...]):
    """Values of a column that nobody may look at."""

    def __iter__(self) -> Iterator[ValueCount]:
        raise AssertionError("a column of another source was looked at")

    def __len__(self) -> int:
        raise AssertionError("a column of another source was looked at")


def test_what_some_tables_mean_is_found_out_by_the_names_of_the_others(tmp_path: Path) -> None:
    receipts = table("pos_lines", POS, tmp_path)
    other = replace(receipts, name="other", file_name="other.csv")
    guarded = replace(other, columns=tuple(replace(column, values=Untouched()) for column in other.columns))
    whole = dictionary_of(FixedCatalog("whole", (receipts, other)))
    some = dictionary_of_some(FixedCatalog("some", (receipts, guarded)), [receipts])
    assert dict(some) == {receipts.name: whole[receipts.name]}
