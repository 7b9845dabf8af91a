"""The corpus: every file of it ends as the right table or as a clear refusal, soon, and in little memory.

Large ones and bombs are read in the child process that production uses; with CORPUS_IN_CHILD=1 all are.
"""

from __future__ import annotations

import os
import time
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow.parquet as parquet
import pytest

from apps.analyst.errors import ReadFailed
from apps.analyst.tables import IngestedTable, IngestLimits, ingest, run_in_child
from tests.analyst.tables.corpus import Case, all_cases

CASES = all_cases()
SECONDS = 30.0
LIMITS = IngestLimits(seconds=SECONDS, memory_mb=1024)
ALL_IN_CHILD = bool(os.environ.get("CORPUS_IN_CHILD"))


def test_the_corpus_has_at_least_120_files_and_no_two_of_one_name():
    assert len(CASES) >= 120
    assert len({case.id for case in CASES}) == len(CASES)


def outcome(case: Case, folder: Path) -> tuple[list[IngestedTable], str]:
    """The tables, or the words of the refusal."""
    path = folder / "upload"
    path.write_bytes(case.make())
    begun = time.monotonic()
    try:
        if case.in_child or ALL_IN_CHILD:
            return run_in_child(path, case.name, folder / "out", limits=LIMITS), ""
        return ingest(path, case.name, folder / "out"), ""
    except ReadFailed as error:
        return [], error.message
    finally:
        assert time.monotonic() - begun < SECONDS + 2
        assert [file.name for file in folder.parent.glob("evil*")] == []


@pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])
def test_every_file_ends_as_the_right_table_or_a_clear_refusal(case: Case, tmp_path: Path):
    tables, refusal = outcome(case, tmp_path)
    if refusal:
        assert_plain(refusal, case)
        assert case.refused or case.either, refusal
        assert case.refused in refusal
        return
    assert not case.refused, [table.table.columns for table in tables]
    assert tables
    report = " | ".join(tables[0].report)
    assert all(words in report for words in case.says), report
    if case.rows is not None:
        assert tables[0].table.rows == case.rows
    if case.tables:
        assert len(tables) == len(case.tables)
    for table, columns in zip(tables, case.tables, strict=False):
        found = parquet.read_table(table.table.path).to_pydict()
        assert {name: same(found.get(name, [])) for name in columns} == {
            name: same(list(values)) for name, values in columns.items()
        }, report


def same(values: list[Any]) -> list[Any]:
    """Values to compare: figures by their value whatever their type."""
    return [float(value) if isinstance(value, Decimal) else value for value in values]


def assert_plain(refusal: str, case: Case) -> None:
    """A refusal is a sentence for people: it names the file, and nothing of the machine."""
    assert case.name in refusal
    assert refusal.endswith(".")
    for word in ("Traceback", "Error", "/tmp", "parquet", "None", "duckdb", "ended unexpectedly", "took longer"):
        assert word not in refusal, refusal
