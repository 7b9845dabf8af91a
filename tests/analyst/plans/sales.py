"""A small, fixed sales organisation for plan tests: deals, their owners, and the activities on each deal."""

from __future__ import annotations

import csv
import random
from datetime import date, timedelta
from pathlib import Path

from apps.analyst.catalog import FixedCatalog, catalog_from_files

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


def sales_catalog(folder: Path) -> FixedCatalog:
    """The organisation's catalog, read from files written into `folder`."""
    return catalog_from_files(write_files(folder), folder / "tables")
