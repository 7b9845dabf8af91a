"""Catalogs of evaluation tables, read once per state of files and reading code, by any number of processes."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from apps.analyst.errors import ReadFailed
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.types import Table

TABLES = "tables.json"


def cached_catalog(folder: Path, files: Sequence[str], store: Path) -> FixedCatalog:
    """The catalog of some files, read once per state of the files and of the reading code."""
    from apps.analyst.tables import codec
    from apps.analyst.tables.joins import find_joins

    tables: list[Table] = []
    for name in files:
        path = folder / name
        kept = store / _mark(path)
        if not kept.exists():
            _keep(path, kept)
        listed = json.loads((kept / TABLES).read_text(encoding="utf-8"))
        tables += [codec.table_from_json(entry) for entry in listed]
    version = hashlib.sha256("\n".join(f"{t.name} {t.path}" for t in tables).encode()).hexdigest()[:16]
    return FixedCatalog(version, tuple(tables), tuple(find_joins(tables)))


def _keep(path: Path, kept: Path) -> None:
    """Reads a file into `kept`, which appears whole or not at all: several processes may read the same file."""
    from apps.analyst.tables import codec

    part = kept.with_name(f"{kept.name}.{os.getpid()}")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    tables = [
        replace(table, path=kept / table.path.name, values_path=table.values_path and kept / table.values_path.name)
        for table in _read(path, part)
    ]
    (part / TABLES).write_text(json.dumps([codec.table_to_json(table) for table in tables]), encoding="utf-8")
    try:
        part.rename(kept)
    except OSError:  # another process was first
        shutil.rmtree(part, ignore_errors=True)


def _read(path: Path, place: Path) -> list[Table]:
    """The tables of a file; none where it holds none, as the rest of an upload is kept."""
    from apps.analyst.tables import ingest

    try:
        return [ingested.table for ingested in ingest(path, path.name, place)]
    except ReadFailed as error:
        sys.stderr.write(f"{error.message}\n")
        return []


def _mark(path: Path) -> str:
    state = path.stat()
    text = f"{path.resolve()} {state.st_size} {state.st_mtime_ns} {_code_mark()}"
    return hashlib.sha256(text.encode()).hexdigest()[:24]


@cache
def _code_mark() -> str:
    """Changes with the code that reads files, so that no stale reading is used."""
    digest = hashlib.sha256()
    for path in sorted((Path(__file__).parent.parent / "tables").glob("**/*")):
        if path.is_file() and path.suffix in (".py", ".yaml"):
            digest.update(path.read_bytes())
    return digest.hexdigest()
