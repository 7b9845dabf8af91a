"""Twenty small tables of as many trades, made up the same way every time: what the engine's sentences are read over.

Names are as files have them: short and long, in capitals, with units, with totals in their names, in another language.
"""

from __future__ import annotations

import csv
import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files

Maker = Callable[[random.Random, int], object]
FIRST = date(2024, 1, 3)
_GIVEN = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hanna")
_FAMILY = ("Stone", "Ruiz", "Marsh", "Okafor", "Lind", "Berg", "Tran", "Costa")


def pick(*values: object) -> Maker:
    return lambda chance, _: chance.choice(values)


def whole(low: int, high: int) -> Maker:
    return lambda chance, _: chance.randint(low, high)


def amount(low: float, high: float, sign: str = "") -> Maker:
    return lambda chance, _: f"{sign}{chance.uniform(low, high):.2f}"


def day(chance: random.Random, _: int) -> object:
    return FIRST + timedelta(days=chance.randrange(620))


def number(_: random.Random, row: int) -> object:
    return 1000 + row


def person(_: random.Random, row: int) -> object:
    return f"{_GIVEN[row % 8]} {_FAMILY[row // 8 % 8]}"


def gaps(made: Maker) -> Maker:
    return lambda chance, row: "" if chance.random() < 0.1 else made(chance, row)


def named(word: str) -> Maker:
    return lambda _, row: f"{word} {row + 1}"


@dataclass(frozen=True, slots=True)
class Trade:
    """A table with the columns that its questions go by. `by` and `other` are groups, `figure` and `second` are
    measures, `name` tells rows apart."""

    file: str
    columns: dict[str, Maker]
    name: str
    by: str
    other: str
    figure: str
    second: str
    when: str
    rows: int = 60
    averaged: bool = False


TRADES = (
    Trade("deals", {
        "deal_id": number, "deal_name": named("Deal"), "stage": pick("Qualified", "Proposal", "Closed won"),
        "owner": pick("Ada Stone", "Ben Ruiz", "Cleo Marsh"), "amount": gaps(amount(200, 90_000, "$")),
        "seats": whole(1, 40),
        "close_date": day}, "deal_name", "stage", "owner", "amount", "seats", "close_date"),
    Trade("orders_2024", {
        "Order ID": number, "Customer": person, "Region": pick("North", "South", "East", "West"),
        "Sales Channel": pick("Web", "Store"), "Sales": amount(20_000, 9_000_000, "$"),
        "Discounts": amount(500, 400_000, "$"),
        "Order Date": day}, "Customer", "Region", "Sales Channel", "Sales", "Discounts", "Order Date"),
    Trade("shop_report", {
        "Product": named("Item"), "Category": pick("Toys", "Books", "Garden"), "Country": pick("US", "Canada",
        "Mexico"),
        "Total Sales": amount(40, 900_000, "$"), "Units Sold": whole(1, 5000), "Date": day},
        "Product", "Category", "Country", "Total Sales", "Units Sold", "Date"),
    Trade("cust_fees", {
        "cust_nm": person, "brnch_cd": pick("B01", "B02", "B03"), "acct_typ": pick("basic", "plus"),
        "tot_fee": amount(3, 90), "trx_qty": whole(1, 30), "trx_dt": day},
        "cust_nm", "brnch_cd", "acct_typ", "tot_fee", "trx_qty", "trx_dt"),
    Trade("hotel_bookings", {
        "booking_id": number, "guest_name": person, "room_type": pick("single", "double", "5* suite"),
        "country": pick("France", "Spain", "Italy"), "price (EUR)": amount(60, 700), "nights": whole(1, 14),
        "arrival_date": day},
        "guest_name", "room_type", "country", "price (EUR)", "nights", "arrival_date"),
    Trade("patient_visits", {
        "visit_id": number, "patient": person, "department": pick("Cardiology", "Surgery", "Pediatrics"),
        "insurance": pick("public", "private"), "waiting_minutes": whole(2, 120), "age": whole(1, 95),
        "visit_date": day},
        "patient", "department", "insurance", "waiting_minutes", "age", "visit_date", averaged=True),
    Trade("library_loans", {
        "Loan No": number, "Title": named("Book"), "Branch": pick("Main", "Harbor", "Hill"),
        "Genre": pick("Crime", "Poetry"),
        "Late Fee ($)": gaps(amount(0.5, 12)), "Days Out": whole(1, 40), "Loaned On": day},
        "Title", "Branch", "Genre", "Late Fee ($)", "Days Out", "Loaned On"),
    Trade("support_tickets", {
        "ticket_id": number, "subject": named("Case"), "priority": pick("low", "normal", "urgent"),
        "team": pick("Billing", "Hardware"), "hours_to_close": gaps(amount(0.2, 90)), "replies": whole(0, 12),
        "opened_at": day},
        "subject", "priority", "team", "hours_to_close", "replies", "opened_at", averaged=True),
    Trade("expenses", {
        "expense_id": number, "employee": person, "cost_center": pick("Sales", "IT", "HR"),
        "expense_type": pick("Travel", "Meals"), "amount_eur": amount(5, 4000), "receipts": whole(1, 6),
        "expense_date": day},
        "employee", "cost_center", "expense_type", "amount_eur", "receipts", "expense_date"),
    Trade("staff", {
        "employee_id": number, "full_name": person, "department": pick("Finance", "Legal", "IT"),
        "office": pick("Boston", "Austin"), "salary": whole(38_000, 190_000), "bonus_pct": amount(1, 20),
        "hire_date": day},
        "full_name", "department", "office", "salary", "bonus_pct", "hire_date"),
    Trade("energy_readings", {
        "meter": named("Meter"), "site": pick("Depot", "Office", "Yard"), "tariff": pick("day", "night"),
        "consumption (kWh)": amount(10, 8000), "cost_usd": amount(2, 900), "read_on": day},
        "meter", "site", "tariff", "consumption (kWh)", "cost_usd", "read_on"),
    Trade("weather_stations", {
        "station": named("Station"), "region": pick("Coast", "Valley", "Hills"), "kind": pick("manual", "automatic"),
        "rainfall_mm": amount(0, 60), "temp_c": amount(-12, 36), "day": day},
        "station", "region", "kind", "rainfall_mm", "temp_c", "day", averaged=True),
    Trade("matches", {
        "match_id": number, "home_team": pick("Lions", "Bears", "Owls"), "away_team": pick("Hawks", "Foxes"),
        "goals": whole(0, 7), "attendance": whole(400, 42_000), "played_on": day},
        "match_id", "home_team", "away_team", "goals", "attendance", "played_on"),
    Trade("workouts", {
        "workout": named("Run"), "athlete": pick("Mia Lund", "Olga Rak", "Tom Hale"), "surface": pick("road",
        "trail"),
        "avg_hr": whole(95, 185), "dist_km": amount(2, 42), "start_dt": day},
        "workout", "athlete", "surface", "dist_km", "avg_hr", "start_dt"),
    Trade("boat_hires", {
        "hire_no": number, "hirer_nm": person, "boat": pick("Swan", "Teal", "Heron"),
        "pier_nm": pick("North pier", "Old pier"),
        "hire_fee": amount(15, 240), "hrs": whole(1, 9), "hired_on": day},
        "hirer_nm", "boat", "pier_nm", "hire_fee", "hrs", "hired_on"),
    Trade("Bestellungen", {
        "Bestellnummer": number, "Kunde": person, "Filiale": pick("Köln", "Bonn", "Ulm"),
        "Zahlart": pick("Karte", "Bar"),
        "Betrag": amount(4, 900, "€"), "Menge": whole(1, 20), "Bestelldatum": day},
        "Kunde", "Filiale", "Zahlart", "Betrag", "Menge", "Bestelldatum"),
    Trade("subscriptions", {
        "SubscriptionID": number, "AccountName": person, "PlanTier": pick("Free", "Team", "Business"),
        "Market": pick("EMEA", "APAC", "AMER"), "MRR": amount(0, 4_000_000, "$"), "Seats": whole(1, 900),
        "StartDate": day},
        "AccountName", "PlanTier", "Market", "MRR", "Seats", "StartDate"),
    Trade("shipments", {
        "shipment": named("S"), "carrier": pick("Blue Line", "Quick", "Terra"), "status": pick("delivered",
        "lost", "in transit"),
        "weight_kg": amount(0.2, 800), "Freight Cost (EUR)": gaps(amount(4, 900)), "shipped_date": day},
        "shipment", "carrier", "status", "Freight Cost (EUR)", "weight_kg", "shipped_date"),
    Trade("course_enrollments", {
        "enrollment_id": number, "student": person, "course": pick("Algebra", "Biology", "Chess"),
        "term": pick("Fall", "Spring"),
        "score (%)": amount(30, 100), "absences": whole(0, 9), "enrolled": day},
        "student", "course", "term", "score (%)", "absences", "enrolled", averaged=True),
    Trade("ad_campaigns", {
        "campaign": named("Campaign"), "channel": pick("Search", "Social", "Email"), "country": pick("US", "UK"),
        "ad_spend": amount(900_000, 900_000_000, "$"), "clicks": whole(100, 4_000_000), "launched": day},
        "campaign", "channel", "country", "ad_spend", "clicks", "launched"),
)  # fmt: skip


def catalog_of(folder: Path) -> FixedCatalog:
    """All tables, written as files and read."""
    paths = []
    for trade in TRADES:
        chance = random.Random(trade.file)
        path = folder / f"{trade.file}.csv"
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(trade.columns)
            writer.writerows([make(chance, row) for make in trade.columns.values()] for row in range(trade.rows))
        paths.append(path)
    return catalog_from_files(paths, folder / "stored")
