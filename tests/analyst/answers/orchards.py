"""Two files alike, of orchards and their crates, and a desk that is asked about such files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.pipeline import answer
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Answer, Question, Taught, Turn

TODAY = date(2026, 6, 1)
GROVES = ("Larkhill", "Westbrook", "Hilltop", "Riverside", "Millfield", "Oakdene")
TOTAL = "What is the total of crates?"


def crates(rows: int, first: int, *, more: str = "") -> str:
    lines = [f"{GROVES[n % 6]},{first + 7 * n % 90}" for n in range(rows)]
    return "\n".join(["Orchard,Crates", *lines, *([more] if more else [])])


HARVEST, PICKING = crates(30, 100), crates(6, 11, more="Seaside,77")


class Desk:
    """Files as they would be uploaded, and a thread over them."""

    def __init__(self, folder: Path, files: Mapping[str, str]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (folder / f"{name}.csv").write_text(text)
        self.catalog: FixedCatalog = catalog_from_files([folder / f"{name}.csv" for name in files], folder / "tables")
        self.warehouse = LocalWarehouse(threads=1)
        self.turns: list[Turn] = []

    def ask(self, text: str, *, catalog: FixedCatalog | None = None) -> Answer:
        question = Question(text, today=TODAY, turns=tuple(self.turns))
        return answer(question, catalog=catalog or self.catalog, warehouse=self.warehouse, onward=False)

    def go_on(self, text: str) -> Answer:
        """The answer, which becomes a turn of the thread."""
        said = self.ask(text)
        self.turns.append(Turn(text, plan=said.plan, answer=said.text))
        return said

    def taught(self, **before: str) -> FixedCatalog:
        """The files as they are where each name was put before another."""
        tables = [
            replace(t, taught=(Taught(before=(before[t.name],)),)) if t.name in before else t
            for t in self.catalog.tables()
        ]
        return FixedCatalog(f"taught {before}", tuple(tables), tuple(self.catalog.joins()))
