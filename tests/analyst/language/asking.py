"""Asks questions about tables that a test writes out, as if they were uploaded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from apps.analyst.computing.compute import compute
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.pipeline import answer
from apps.analyst.plan import Clarify
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Answer, Question
from tests.analyst.language.conftest import TODAY, plain


def csv(head: str, rows: Iterable[tuple[object, ...]]) -> str:
    """A file of these rows, every cell quoted."""
    return "\n".join([head, *(",".join(f'"{cell}"' for cell in row) for row in rows)])


class Desk:
    """Some uploaded files and the day on which they are asked about."""

    def __init__(self, folder: Path, files: Mapping[str, str], today: date) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8")
        self.catalog: FixedCatalog = catalog_from_files([folder / name for name in files], folder / "tables")
        self.today = today
        self._warehouse = LocalWarehouse()

    def ask(self, text: str, *, learned: bool = False) -> Answer:
        """The whole answer: by the rules alone, or as the product gives it."""
        question = Question(text, today=self.today)
        return answer(question, catalog=self.catalog, warehouse=self._warehouse, learned=learned, onward=False)

    def first(self, text: str) -> list[list[object]]:
        """The rows of what the product tells, or of the reading that it offers before any other."""
        plan = self.ask(text, learned=True).plan
        plan = plan.options[0].plan if isinstance(plan, Clarify) else plan
        result = compute(plan, self.catalog, self._warehouse).result if plan is not None else None
        return [[plain(cell) for cell in row] for row in result.rows] if result is not None else []

    def rows(self, text: str) -> list[list[object]]:
        """The rows of an answer; none where the question was declined."""
        result = self.ask(text).result
        return [[plain(cell) for cell in row] for row in result.rows] if result is not None else []

    def figure(self, text: str) -> object:
        """The first figure of an answer; None where the question was declined."""
        found = self.rows(text)
        return found[0][0] if found else None


def uploaded(*, today: date = TODAY, **tables: str) -> Any:
    """A module's fixture: these tables as uploaded files of their names, and the day on which they are asked about."""

    @pytest.fixture(scope="module")
    def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
        files = {f"{name}.csv": text for name, text in tables.items()}
        return Desk(tmp_path_factory.mktemp("uploaded"), files, today)

    return desk
