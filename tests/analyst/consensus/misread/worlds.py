"""Small tables of many trades, the same every time: half of them to work with, half to be measured by."""

from __future__ import annotations

import csv
import random
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from pathlib import Path

from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files

Made = dict[str, tuple[Sequence[str], list[list[object]]]]
"""File name -> header and rows."""


def catalogs(folder: Path, names: Sequence[str]) -> dict[str, FixedCatalog]:
    """The catalogs of the named worlds."""
    made: dict[str, FixedCatalog] = {}
    for name in names:
        (folder / name).mkdir()
        paths = []
        for file, (header, rows) in WORLDS[name](random.Random(name)).items():
            paths.append(folder / name / f"{file}.csv")
            with paths[-1].open("w", newline="", encoding="utf-8") as out:
                csv.writer(out).writerows([header, *rows])
        made[name] = catalog_from_files(paths, folder / name / "tables")
    return made


def _day(chance: random.Random, first: date, days: int) -> date:
    return first + timedelta(days=chance.randrange(days))


def _money(chance: random.Random, least: int, most: int) -> str:
    return f"{chance.randrange(least * 100, most * 100) / 100:.2f}"


# ---------------------------------------------------------------- to work with
def clinic(chance: random.Random) -> Made:
    doctors = [[n, f"Dr. {name}", field] for n, (name, field) in enumerate(
        (("Abel", "Cardiology"), ("Brandt", "Dermatology"), ("Castro", "Cardiology"), ("Dahl", "Pediatrics")),
        1)]  # fmt: skip
    visits: list[list[object]] = []
    for n in range(1, 161):
        booked = _day(chance, date(2023, 11, 1), 400)
        visits.append([n, chance.randrange(1, 5), booked, booked + timedelta(days=chance.randrange(5, 70)),
                       chance.choice(("checkup", "treatment", "emergency")), chance.choice(("yes", "no", "yes")),
                       chance.randrange(10, 90), _money(chance, 40, 400)])  # fmt: skip
    return {
        "doctors": (("doctor_id", "doctor_name", "specialty"), doctors),
        "visits": (("visit_id", "doctor_id", "booking_date", "visit_date", "visit_type", "insured",
                    "waiting_minutes", "fee"), visits),
    }  # fmt: skip


def hotel(chance: random.Random) -> Made:
    rows: list[list[object]] = []
    for n in range(1, 181):
        booked = _day(chance, date(2023, 9, 1), 420)
        rows.append([n, booked, booked + timedelta(days=chance.randrange(10, 120)),
                     chance.choice(("single", "double", "suite")), chance.choice(("web", "agency", "phone")),
                     chance.choice(("confirmed", "confirmed", "cancelled")), chance.randrange(1, 9),
                     _money(chance, 80, 1500)])  # fmt: skip
    return {"reservations": (("reservation_id", "booked_on", "arrival_date", "room_type", "channel", "status",
                              "nights", "price"), rows)}  # fmt: skip


def grocery(chance: random.Random) -> Made:
    stores = [
        [n, town, chance.choice(("north", "south"))] for n, town in enumerate(("Lund", "Malmo", "Ystad", "Kiruna"), 1)
    ]
    orders = [[n, chance.randrange(1, 5), _day(chance, date(2024, 1, 1), 360), chance.randrange(5, 60),
               chance.choice(("card", "cash"))] for n in range(1, 91)]  # fmt: skip
    lines = [[n, chance.randrange(1, 91), chance.choice(("fruit", "bread", "dairy", "meat")), chance.randrange(1, 12),
              _money(chance, 1, 30)] for n in range(1, 281)]  # fmt: skip
    return {
        "stores": (("store_id", "town", "district"), stores),
        "orders": (("order_id", "store_id", "order_date", "delivery_fee", "payment"), orders),
        "order_lines": (("line_id", "order_id", "category", "pieces", "line_total"), lines),
    }


def staff(chance: random.Random) -> Made:
    people = [[n, f"Person {n}", chance.choice(("Sales", "Finance", "Design", "Support")),
               chance.choice(("Oslo", "Bergen")), chance.choice(("full-time", "part-time")),
               _day(chance, date(2016, 1, 1), 3000), chance.randrange(32, 98) * 1000]
               for n in range(1, 71)]  # fmt: skip
    leaves = [[n, chance.randrange(1, 71), chance.choice(("sick", "vacation", "parental")), chance.randrange(1, 21),
               _day(chance, date(2024, 1, 1), 360)] for n in range(1, 151)]  # fmt: skip
    return {
        "employees": (
            ("employee_id", "employee_name", "department", "office", "contract", "hired_on", "salary"),
            people,
        ),
        "absences": (("absence_id", "employee_id", "reason", "days", "starts_on"), leaves),
    }


def factory(chance: random.Random) -> Made:
    def months(least: int, most: int) -> list[list[object]]:
        return [[plant, date(2024, month, 1), chance.randrange(least, most), chance.randrange(2, 40)]
                for plant in ("Graz", "Linz", "Wels") for month in range(1, 13)]  # fmt: skip

    header = ("plant", "month", "output_tons", "downtime_hours")
    return {"production_actual": (header, months(300, 700)), "production_plan": (header, months(400, 800))}


def fleet(chance: random.Random) -> Made:
    trips: list[list[object]] = []
    for n in range(1, 151):
        loaded = _day(chance, date(2024, 1, 1), 350)
        trips.append([n, loaded, loaded + timedelta(days=chance.randrange(1, 45)),
                      chance.choice(("V1", "V2", "V3", "V4")),
                      chance.choice(("Spain", "Italy", "Poland")), chance.choice(("late", "on time", "on time")),
                      chance.randrange(80, 1900), _money(chance, 20, 500)])  # fmt: skip
    return {"trips": (("trip_id", "loaded_on", "delivered_on", "vehicle", "country", "arrival", "distance_km",
                       "fuel_cost"), trips)}  # fmt: skip


# ---------------------------------------------------------------- to be measured by
def school(chance: random.Random) -> Made:
    courses = [[n, title, chance.choice(("Weber", "Young", "Zola")), chance.randrange(2, 9) * 50]
               for n, title in enumerate(("Algebra", "Biology", "Chemistry", "Drawing", "English"), 1)]  # fmt: skip
    enrolments = [[n, chance.randrange(1, 6), _day(chance, date(2023, 8, 1), 500), chance.choice(("day", "evening")),
                   chance.choice(("passed", "passed", "failed")), chance.randrange(30, 100)]
                   for n in range(1, 141)]  # fmt: skip
    return {
        "courses": (("course_id", "course_title", "teacher", "course_fee"), courses),
        "enrolments": (("enrolment_id", "course_id", "enrolled_on", "class_time", "result", "score"), enrolments),
    }


def repairs(chance: random.Random) -> Made:
    rows: list[list[object]] = []
    for n in range(1, 171):
        came = _day(chance, date(2024, 1, 1), 340)
        rows.append([n, came, came + timedelta(days=chance.randrange(1, 60)),
                     chance.choice(("Honda", "Fiat", "Volvo", "Skoda")), chance.choice(("Ines", "Karl", "Lena")),
                     chance.choice(("warranty", "paid", "paid")), _money(chance, 50, 900),
                     chance.randrange(1, 16)])  # fmt: skip
    return {"repairs": (("repair_id", "received_on", "finished_on", "brand", "mechanic", "billing", "parts_cost",
                         "labor_hours"), rows)}  # fmt: skip


def library(chance: random.Random) -> Made:
    books = [[n, f"Book {n}", chance.choice(("novel", "history", "science", "travel")), chance.randrange(80, 900)]
             for n in range(1, 41)]  # fmt: skip
    loans = [[n, chance.randrange(1, 41), _day(chance, date(2024, 1, 1), 360),
              chance.choice(("Central", "Harbor", "West")),
              chance.choice(("adult", "child")), chance.randrange(1, 60)] for n in range(1, 211)]  # fmt: skip
    return {
        "books": (("book_id", "book_title", "genre", "pages"), books),
        "loans": (("loan_id", "book_id", "loan_date", "branch", "reader_group", "days_out"), loans),
    }


def telecom(chance: random.Random) -> Made:
    rows: list[list[object]] = []
    for n in range(1, 161):
        signed = _day(chance, date(2022, 6, 1), 700)
        rows.append([n, signed, signed + timedelta(days=chance.randrange(10, 300)),
                     chance.choice(("Basic", "Plus", "Max")),
                     chance.choice(("Porto", "Lisbon", "Faro")), chance.choice(("active", "active", "cancelled")),
                     chance.randrange(10, 80), chance.randrange(0, 9)])  # fmt: skip
    return {"subscriptions": (("subscription_id", "signed_on", "activated_on", "tariff", "city", "state",
                               "monthly_fee", "support_calls"), rows)}  # fmt: skip


def farm(chance: random.Random) -> Made:
    def year(least: int) -> list[list[object]]:
        return [[field, crop, chance.randrange(least, least + 90), chance.randrange(3, 20)]
                for field in ("Hill", "River", "Road", "Oak") for crop in ("wheat", "barley", "oats")]  # fmt: skip

    header = ("field", "crop", "yield_tons", "area_hectares")
    return {"harvest_2023": (header, year(20)), "harvest_2024": (header, year(60))}


def charity(chance: random.Random) -> Made:
    donors = [[n, f"Donor {n}", chance.choice(("private", "company")), chance.choice(("Kenya", "Ghana", "Egypt"))]
              for n in range(1, 41)]  # fmt: skip
    gifts: list[list[object]] = []
    for n in range(1, 161):
        pledged = _day(chance, date(2023, 10, 1), 400)
        gifts.append([n, chance.randrange(1, 41), pledged, pledged + timedelta(days=chance.randrange(3, 110)),
                      chance.choice(("school", "water", "health")), chance.choice(("once", "monthly")),
                      chance.randrange(10, 2000)])  # fmt: skip
    return {
        "donors": (("donor_id", "donor_name", "donor_type", "country"), donors),
        "donations": (("donation_id", "donor_id", "pledged_on", "received_on", "purpose", "rhythm", "amount"), gifts),
    }


WORLDS: dict[str, Callable[[random.Random], Made]] = {
    make.__name__: make
    for make in (clinic, hotel, grocery, staff, factory, fleet, school, repairs, library, telecom, farm, charity)
}
