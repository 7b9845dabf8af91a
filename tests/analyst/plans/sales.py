"""A small, fixed sales organization for plan tests: deals, their owners, and the activities on each deal."""

from __future__ import annotations

import csv
import random
from datetime import date, datetime, timedelta
from pathlib import Path

from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files

STAGES = ("Qualified", "Proposal", "Negotiation", "Closed won", "Closed lost")
OWNERS = (
    (1, "Ada Stone", "West", 250_000), (2, "Ben Ruiz", "East", 200_000), (3, "Cleo Marsh", "West", 220_000),
    (4, "Dan Okafor", "North", 180_000),
)  # fmt: skip


def write_files(folder: Path, deals: int = 240) -> list[Path]:
    """Writes deals.csv, owners.csv and activities.csv, the same every time."""
    chance = random.Random(7)
    start = date(2023, 1, 9)
    rows: list[list[object]] = []
    for number in range(1, deals + 1):
        owner = chance.choice(OWNERS)
        created = start + timedelta(days=chance.randrange(720))
        closed = created + timedelta(days=chance.randrange(10, 150))
        amount = "" if chance.random() < 0.05 else f"${chance.randrange(200, 90_000) / 4:,.2f}"
        stage = chance.choice(STAGES)
        source = chance.choice(("Web", "Referral", "Event", ""))
        rows.append(
            [number, f"Deal {number}", stage, amount, owner[0], created, closed, chance.choice((5, 10, 25)), source]
        )
    header = [
        "deal_id",
        "deal_name",
        "stage",
        "amount",
        "owner_id",
        "create_date",
        "close_date",
        "seats",
        "lead_source",
    ]
    activities = [
        [i, chance.randrange(1, deals + 1), chance.choice(("Call", "Email", "Meeting")), chance.randrange(5, 90)]
        for i in range(1, deals * 3 + 1)
    ]
    made = [
        (folder / "deals.csv", header, rows),
        (folder / "owners.csv", ["owner_id", "owner_name", "region", "quota"], [list(owner) for owner in OWNERS]),
        (folder / "activities.csv", ["activity_id", "deal_id", "kind", "minutes"], activities),
    ]
    for path, names, body in made:
        with path.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([names, *body])
    return [path for path, _, _ in made]


def write_lines(folder: Path, lines: int = 150) -> list[Path]:
    """Writes parts.csv and lines.csv: keys that hold the part's code behind a family's mark, two ways to owners,
    moments and times of day."""
    chance, clock = random.Random(11), random.Random(13)
    start = datetime(2024, 2, 27, 22, 40)
    codes = [f"{mark}-{number}" for mark in ("FR", "WH", "SE") for number in (101, 102, 207, 330)]
    header = ["line_id", "part_key", "owner_id", "approver_id", "units", "picked", "packed", "dock"]
    parts = [[code, chance.choice(("Frames", "Wheels", "Seats", "")), chance.randrange(3, 90)] for code in codes]
    rows = [
        [
            number,
            f"{chance.choice(('CO', 'ac', 'BI'))}-{chance.choice([*codes, 'XX-999']).lower()}",
            chance.choice(OWNERS)[0],
            chance.choice((*(owner[0] for owner in OWNERS), "")),
            chance.choice((1, 1, 2, 5)),
            picked := start + timedelta(seconds=clock.randrange(86_400 * 30)),
            "" if clock.random() < 0.1 else picked + timedelta(seconds=clock.randrange(-5_000, 200_000)),
            clock.choice((f"{picked:%H:%M}", f"{picked:%-H:%M:%S}", f"{picked:%-I:%M %p}", "")),
        ]
        for number in range(1, lines + 1)
    ]
    made = [
        (folder / "parts.csv", ["part_code", "part_kind", "weight"], parts),
        (folder / "lines.csv", header, rows),
    ]
    for path, names, body in made:
        with path.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([names, *body])
    return [path for path, _, _ in made]


def wide_catalog(folder: Path) -> FixedCatalog:
    """The organization with order lines besides: embedded keys, and owners that a line refers to twice."""
    return catalog_from_files([*write_files(folder), *write_lines(folder)], folder / "tables")


def sales_catalog(folder: Path) -> FixedCatalog:
    """The organization's catalog, read from files written into `folder`."""
    return catalog_from_files(write_files(folder), folder / "tables")
