"""Questions of one database asked of another, which holds nothing of what they name: they have no answer there.

A person asks for meetings where there are only tickets, and what is nearest must not be told. Taken are questions with
a word of content that names something in their own database well and nothing in the other one.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from apps.analyst.evaluate.catalogs import cached_catalog
from apps.analyst.ports import Catalog
from apps.analyst.reading.closeness import content_fits
from apps.analyst.reading.linking import link
from apps.analyst.types import Question

NAMED, UNNAMED = 0.8, 0.6
"""How well a word fits the best column, table or value where it names one at least, and where it names none at most."""
TRIED = 6
"""Questions that are looked at for each that is wanted."""


@dataclass(frozen=True)
class Home:
    """A database with the questions that it can answer."""

    name: str
    folder: Path
    tables: tuple[str, ...]
    items: tuple[dict[str, Any], ...]


def asked_elsewhere(
    name: str, catalog: Catalog, homes: Sequence[Home], count: int, store: Path
) -> list[dict[str, Any]]:
    """At most `count` questions of other homes that the database `name` cannot answer, seeded by its name."""
    chance = random.Random(name)
    others = [home for home in homes if home.name != name and home.items]
    found: dict[str, dict[str, Any]] = {}
    for _ in range(TRIED * count if others else 0):
        if len(found) == count:
            break
        home = chance.choice(others)
        item = chance.choice(home.items)
        if item.get("expect", "answer") == "answer" and _says_other_things(item, home, catalog, store):
            named = f"{name}-asked-{item['id']}"
            found[named] = {**item, "id": named, "db": name, "expect": "decline", "source": "foreign", "answer": []}
    return list(found.values())


def _says_other_things(item: dict[str, Any], home: Home, catalog: Catalog, store: Path) -> bool:
    today = date.fromisoformat(item.get("today") or "2026-11-22")
    question = Question(item["question"], today=today)
    own = dict(content_fits(link(question, cached_catalog(home.folder, home.tables, store))))
    here = dict(content_fits(link(question, catalog)))
    return any(own.get(place, 0.0) >= NAMED and fit < UNNAMED for place, fit in here.items())
