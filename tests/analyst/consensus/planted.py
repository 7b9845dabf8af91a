"""Sixty questions: forty that can be answered in one way only, and twenty with a trap planted in the data."""

from __future__ import annotations

import csv
import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Literal

from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files

Trap = Literal["", "date field", "join", "currency", "totals", "missing"]


@dataclass(frozen=True)
class Planted:
    """A question over a folder of files; `trap` is "" for a plain one."""

    folder: str
    text: str
    trap: Trap = ""


PLAIN = tuple(
    Planted(folder, text)
    for folder, texts in {
        "shop": (
            "What is the total amount?",
            "What is the total amount by region?",
            "What is the average amount by product?",
            "How many orders are there?",
            "How many orders are there per region?",
            "What is the total quantity by product?",
            "Which product has the highest total amount?",
            "Top 3 products by total quantity",
            "What was the total amount in 2024?",
            "What was the total amount by month in 2024?",
            "How many orders were placed in March 2024?",
            "What is the smallest amount?",
            "What is the largest amount?",
            "What is the median amount by region?",
            "How many orders have an amount over 500?",
            "Total amount of orders in the West",
            "Total amount by segment",
            "How many orders are there by country?",
            "Average amount by segment",
            "What share of the total amount does each region have?",
            "List the 5 orders with the highest amount",
            "Total amount per year",
            "How many customers are there?",
            "How many customers are there in each segment?",
            "Total quantity of Widget in the East",
            "How many orders are there per quarter of order date?",
            "Which region has the lowest total quantity?",
            "How many different products are there?",
        ),
        "desk": (
            "How many tickets are there by priority?",
            "What is the average hours by agent?",
            "How many tickets are open?",
            "What is the total hours by status?",
            "Which agent has the most tickets?",
            "How many tickets were opened in 2025?",
            "How many tickets were opened per month?",
            "What is the maximum hours by priority?",
            "Total hours of high priority tickets",
            "Average hours of closed tickets",
            "How many tickets took more than 20 hours?",
            "Top 2 agents by total hours",
        ),
    }.items()
    for text in texts
)
TRAPS = (
    Planted("invoices", "What was the total amount in 2024?", "date field"),
    Planted("invoices", "What is the total amount by quarter?", "date field"),
    Planted("invoices", "How many invoices are there per month?", "date field"),
    Planted("parcels", "What was the total weight in Q2 2024?", "date field"),
    Planted("projects", "What is the total budget by task status?", "join"),
    Planted("projects", "What is the average budget by task status?", "join"),
    Planted("projects", "Total budget of projects with done tasks by assignee", "join"),
    Planted("twins", "What is the total amount by team?", "join"),
    Planted("world", "What is the total amount?", "currency"),
    Planted("world", "What is the total amount by rep?", "currency"),
    Planted("world", "What is the average amount by rep?", "currency"),
    Planted("symbols", "What is the total price by shop?", "currency"),
    Planted("regional", "What is the total revenue?", "totals"),
    Planted("regional", "What is the average revenue by month?", "totals"),
    Planted("regional", "What is the total units by region?", "totals"),
    Planted("branches", "How many branches have sales over 1000?", "totals"),
    Planted("survey", "What is the average score?", "missing"),
    Planted("survey", "What is the average score by team?", "missing"),
    Planted("survey", "How many answers do not have the channel Phone?", "missing"),
    Planted("survey", "What is the average score of the Blue team?", "missing"),
)


def write(folder: Path, name: str, header: Sequence[str], rows: Sequence[Sequence[object]]) -> Path:
    path = folder / name
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])
    return path


def catalogs(folder: Path) -> dict[str, FixedCatalog]:
    """The folders' catalogs, the same every time."""
    makers = {"shop": _shop, "desk": _desk, "invoices": _invoices, "projects": _projects, "world": _world,
              "regional": _regional, "survey": _survey, "parcels": _parcels, "twins": _twins, "symbols": _symbols,
              "branches": _branches}  # fmt: skip
    made: dict[str, FixedCatalog] = {}
    for name, make in makers.items():
        (folder / name).mkdir()
        made[name] = catalog_from_files(make(folder / name, random.Random(name)), folder / name / "tables")
    return made


def _shop(folder: Path, chance: random.Random) -> list[Path]:
    people = [
        [n, f"Customer {n}", chance.choice(("Retail", "Corporate")), chance.choice(("France", "Spain", "Italy"))]
        for n in range(1, 31)
    ]
    orders = [
        [1000 + n, chance.randrange(1, 31), date(2023, 1, 2) + timedelta(days=chance.randrange(900)),
         chance.choice(("West", "East", "North")), chance.choice(("Widget", "Gadget", "Doohickey", "Gizmo")),
         chance.randrange(1, 20), f"{chance.randrange(1000, 99_000) / 100:.2f}"]
        for n in range(300)
    ]  # fmt: skip
    return [
        write(folder, "customers.csv", ["customer_id", "customer_name", "segment", "country"], people),
        write(folder, "orders.csv",
              ["order_id", "customer_id", "order_date", "region", "product", "quantity", "amount"], orders),
    ]  # fmt: skip


def _desk(folder: Path, chance: random.Random) -> list[Path]:
    rows = [
        [n, date(2024, 6, 1) + timedelta(days=chance.randrange(400)), chance.choice(("high", "medium", "low")),
         chance.choice(("open", "closed")), chance.choice(("Ida", "Tom", "Wim")), chance.randrange(1, 40)]
        for n in range(1, 161)
    ]  # fmt: skip
    return [write(folder, "tickets.csv", ["ticket_id", "opened_on", "priority", "status", "agent", "hours"], rows)]


def _invoices(folder: Path, chance: random.Random) -> list[Path]:
    rows = []
    for n in range(1, 201):
        issued = date(2023, 3, 1) + timedelta(days=chance.randrange(700))
        paid = issued + timedelta(days=chance.randrange(5, 120))
        rows.append([f"INV-{n:04d}", issued, paid, chance.choice(("Acme", "Globex", "Initech")),
                     f"{chance.randrange(5_000, 900_000) / 100:.2f}"])  # fmt: skip
    return [write(folder, "invoices.csv", ["invoice_no", "issued_on", "paid_on", "client", "amount"], rows)]


def _projects(folder: Path, chance: random.Random) -> list[Path]:
    projects = [[n, f"Project {n}", chance.randrange(10, 90) * 1000] for n in range(1, 21)]
    tasks = [
        [n, chance.randrange(1, 21), chance.choice(("done", "doing", "waiting")), chance.choice(("Ann", "Bo", "Cy"))]
        for n in range(1, 121)
    ]
    return [
        write(folder, "projects.csv", ["project_id", "project_name", "budget"], projects),
        write(folder, "tasks.csv", ["task_id", "project_id", "task_status", "assignee"], tasks),
    ]


def _world(folder: Path, chance: random.Random) -> list[Path]:
    rows = [
        [n, date(2024, 1, 1) + timedelta(days=chance.randrange(360)), chance.choice(("Ana", "Ben", "Cleo")),
         chance.choice(("EUR", "USD", "GBP")), chance.randrange(100, 9_000)]
        for n in range(1, 121)
    ]  # fmt: skip
    return [write(folder, "bookings.csv", ["booking_id", "booked_on", "rep", "currency", "amount"], rows)]


def _regional(folder: Path, chance: random.Random) -> list[Path]:
    rows: list[list[object]] = []
    for month in range(1, 13):
        parts = [
            [region, chance.randrange(40, 90) * 100, chance.randrange(5, 40)] for region in ("North", "South", "East")
        ]
        # Rounded to thousands, so that reading the file cannot tell that it is the sum of the rows above.
        whole = ["All regions", round(sum(int(p[1]) for p in parts), -3), sum(int(p[2]) for p in parts) + 1]
        rows += [[date(2024, month, 1), *part] for part in (*parts, whole)]
    return [write(folder, "regional.csv", ["month", "region", "revenue", "units"], rows)]


def _survey(folder: Path, chance: random.Random) -> list[Path]:
    rows = [
        [n, chance.choice(("Blue", "Red", "Green")), chance.choice(("Phone", "Mail", "Chat", "")),
         chance.choice(("", 5, 6, 7, 8, 9, 10)), date(2024, 1, 1) + timedelta(days=n)]
        for n in range(1, 141)
    ]  # fmt: skip
    return [write(folder, "answers.csv", ["answer_id", "team", "channel", "score", "answered_on"], rows)]


def _parcels(folder: Path, chance: random.Random) -> list[Path]:
    rows = []
    for n in range(1, 151):
        ordered = date(2023, 10, 1) + timedelta(days=chance.randrange(500))
        left = ordered + timedelta(days=chance.randrange(1, 40))
        rows.append([n, ordered, left, chance.choice(("DHL", "UPS")), chance.randrange(1, 30)])
    return [write(folder, "parcels.csv", ["parcel_id", "ordered_at", "shipped_at", "carrier", "weight"], rows)]


def _twins(folder: Path, chance: random.Random) -> list[Path]:
    """A list of people in which some stand twice, once in each of their teams."""
    people = [[n, f"Seller {n}", team] for n in range(1, 11) for team in (("A", "B") if n % 3 == 0 else ("A",))]
    sales = [[n, chance.randrange(1, 11), chance.randrange(10, 900)] for n in range(1, 101)]
    return [
        write(folder, "sellers.csv", ["seller_id", "seller_name", "team"], people),
        write(folder, "sales.csv", ["sale_id", "seller_id", "amount"], sales),
    ]


def _symbols(folder: Path, chance: random.Random) -> list[Path]:
    """Prices with their currency in the cell."""
    rows = [
        [
            n,
            chance.choice(("Corner", "Station")),
            chance.choice(("€", "$")) + f"{chance.randrange(500, 90_000) / 100:,.2f}",
        ]
        for n in range(1, 81)
    ]
    return [write(folder, "prices.csv", ["receipt", "shop", "price"], rows)]


def _branches(folder: Path, chance: random.Random) -> list[Path]:
    rows: list[list[object]] = [[f"Branch {n}", chance.randrange(100, 2_500)] for n in range(1, 25)]
    return [write(folder, "branches.csv", ["branch", "sales"], [*rows[:12], ["Overall", 31_000], *rows[12:]])]
