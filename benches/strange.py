"""Random questions, however odd or long: none may raise, and how much of a processor the slowest takes.

Words of forms, columns, values, numbers and periods thrown together, repeated, broken, in other scripts, as statements
and as markup; every tenth after a question that was answered. The figures come over a made-up sales file and a file of
its owners.
"""

from __future__ import annotations

import os
import random
import statistics
import time
from collections import Counter
from collections.abc import Callable
from datetime import date
from pathlib import Path

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.knowledge.english import english
from apps.analyst.pipeline import answer
from apps.analyst.tables.catalog import catalog_from_files
from apps.analyst.types import Question, Turn
from benches.data import sales_csv

QUESTIONS = int(os.environ.get("STRANGE", "10000"))
MOST_SECONDS = 2.0
TODAY = date(2025, 12, 1)
NAMES = (
    "order_id",
    "order date",
    "region",
    "product",
    "owner",
    "customer",
    "units",
    "price",
    "amount",
    "stage",
    "team",
)
VALUES = ("North", "south", "Product 7", "Owner 3", "won", "Lost", "open", "'; --", "NULL", "0", "-1", "1e308", "nan")
OTHER = (
    "营业额",
    "выручка",
    "ποσό",
    "إجمالي",
    "💰",
    "total\u202eamount",
    "ſales",
    "İstanbul",
    "a\u0301mount",
    "\u200b",
)
PIECES = (
    "SELECT * FROM",
    "<b>sales</b>",
    "{{7*7}}",
    "../../etc",
    "%s%d",
    "=1+1",
    "()",
    "[[[",
    '"',
    "``",
    "\\",
    "?",
    "...",
)


def run(folder: Path) -> None:
    sales_csv(folder / "sales.csv", 2_000)
    owners = [f"Owner {n},Team {n % 5}" for n in range(40)]
    (folder / "owners.csv").write_text("\n".join(["owner,team", *owners]))
    catalog = catalog_from_files([folder / "sales.csv", folder / "owners.csv"], folder / "tables")
    warehouse = LocalWarehouse()
    chance = random.Random(7)
    made = questions(chance)
    before = Question("total amount by region", today=TODAY)
    first = Turn(before.text, plan=answer(before, catalog=catalog, warehouse=warehouse).plan)
    seconds: list[tuple[float, str]] = []
    said: Counter[str] = Counter()
    for number in range(QUESTIONS):
        asked = Question(made(), today=TODAY, turns=(first,) if number % 10 == 9 else ())
        begun = time.process_time()
        try:
            said[answer(asked, catalog=catalog, warehouse=warehouse).status] += 1
        except Exception as error:
            said["raised"] += 1
            print(f"   raised {type(error).__name__}: {error} at {asked.text[:200]!r}")
        seconds.append((time.process_time() - begun, asked.text))
    warehouse.close()
    seconds.sort(reverse=True)
    slowest, text = seconds[0]
    over = sum(taken > MOST_SECONDS for taken, _ in seconds)
    print(f"   {QUESTIONS:,} questions: {dict(said)}")
    print(
        f"   processor: median {1000 * statistics.median(taken for taken, _ in seconds):.0f} ms, slowest "
        f"{1000 * slowest:.0f} ms at {text[:120]!r}; {over} over {MOST_SECONDS:g} s"
    )


def questions(chance: random.Random) -> Callable[[], str]:
    """A maker of questions."""
    known = english()
    forms = sorted({phrase for phrases in (*known.cues.values(), *known.units.values()) for phrase in phrases})
    times = ("in 2024", "last month", "since March 2025", "between 1 May and", "Q3", "yesterday", "in the year 99999")
    kinds = (forms, NAMES, VALUES, times, sorted(known.stopwords), OTHER, PIECES)

    def word() -> str:
        (kind,) = chance.choices(kinds, weights=(6, 6, 3, 3, 4, 1, 1))
        return chance.choice(kind)

    def made() -> str:
        (length,) = chance.choices(
            (chance.randint(1, 12), chance.randint(12, 60), chance.randint(60, 600)), (80, 17, 3)
        )
        text = " ".join(word() for _ in range(length))
        match chance.randrange(12):
            case 0:
                return text * chance.randint(2, 8)
            case 1:
                return "".join(chance.sample(text, len(text)))
            case 2:
                return text.replace(" ", "")
            case 3:
                return text.upper() + "?" * chance.randint(0, 40)
            case 4:
                return text + "\n" + " ".join([word()] * chance.randint(2, 300))
        return text

    return made
