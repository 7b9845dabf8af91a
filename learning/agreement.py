"""Holds the answer of each query of our databases against the plan that is learned from it.

    python -m learning.agreement FOLDER [--only NAME,...] [--scorer FOLDER]

Prints every query whose plan gives something else or cannot be made, with the reason, and a count: a wrong label, a
join that was not found or a part of a query that is not lifted shows here.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from apps.analyst.computing.compute import computed_of
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.errors import AnalystError
from apps.analyst.evaluate.catalogs import cached_catalog
from apps.analyst.reading.candidates import namer_of
from apps.analyst.reading.composing import Unfit, compose, schema_of
from learning.answers import answered
from learning.check import read
from learning.judging import answer_of, scorer
from learning.lifting import Lifter, NotLifted

STORE = Path(tempfile.gettempdir()) / "learning-catalogs"


@dataclass(frozen=True)
class Held:
    """A query beside its plan: "" where both give one answer, else what parts them."""

    database: str
    question: str
    sql: str
    fault: str


def held(folder: Path, only: set[str], score: Any) -> Iterator[Held]:
    """Each query of the databases once, with what parts it from its plan."""
    warehouse = LocalWarehouse(threads=1)
    for name, place, tables, items in answered(folder, only):
        catalog = cached_catalog(place, tables, STORE)
        today, questions = read(place / "questions.txt")
        day = date.fromisoformat(str(today))
        schema = schema_of({t.name: t for t in catalog.tables()}, list(catalog.joins()), namer_of(catalog), day)
        sql_of = {question.line: question.sql for question in questions}
        first = {int(item["id"].split("-")[-2]): item for item in reversed(items)}
        for line, item in first.items():
            sql = sql_of[line]
            if item["expect"] == "decline" or not sql:
                continue
            try:
                computed = computed_of(compose(Lifter(catalog, day).lift(sql), schema), catalog, warehouse)
            except (NotLifted, Unfit, AnalystError, ValueError) as error:
                yield Held(name, item["question"], sql, f"{type(error).__name__}: {error}")
                continue
            given = [] if computed is None else answer_of(computed.result)
            verdict = score.score_one(item, {"id": item["id"], "answer": given})
            right = verdict.get("correct") if isinstance(verdict, dict) else verdict
            yield Held(
                name, item["question"], sql, "" if right else f"{str(given)[:80]} for {str(item['answer'])[:80]}"
            )
    warehouse.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--scorer", type=Path, default=Path("../shared/evals"))
    o = parser.parse_args()
    STORE.mkdir(exist_ok=True)
    found = list(held(o.folder, set(filter(None, o.only.split(","))), scorer(o.scorer)))
    for one in found:
        if one.fault:
            print(f"{one.database} | {one.question} | {one.sql} | {one.fault}")
    print(f"{sum(not one.fault for one in found)} of {len(found)} queries give their answer through a plan")


if __name__ == "__main__":
    main()
