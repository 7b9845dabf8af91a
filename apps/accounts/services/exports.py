"""Everything held on an organization or a person as one zip: exact JSON, CSV to look at, and the files themselves."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from django.core.files.storage import default_storage

from apps.accounts.audit import record
from apps.accounts.holdings import Holding, Subject, holdings
from apps.accounts.models import AuditAction, Organization, User
from apps.analyst.tables.neutral import csv_line, neutral
from apps.core.errors import Conflict, Unavailable

SECRET = frozenset({"password", "key_digest", "session_key", "sealed"})
"""Fields that open something and say nothing of a person: they never leave."""
CHUNK = 1024 * 1024


@dataclass(slots=True)
class ExportFacts:
    """What an export holds: rows by model, files, and the names of files whose bytes were not to be found."""

    path: str
    rows: dict[str, int] = field(default_factory=dict)
    files: int = 0
    missing: list[str] = field(default_factory=list)


def export_write(*, subject: Subject, path: Path, actor: User | None = None) -> ExportFacts:
    """Writes the zip, readable by its owner only. Raises Conflict where the path exists, Unavailable on a full disk."""
    if path.exists():
        raise Conflict(f"{path} exists already.", code="exists")
    partial = path.with_name(f".{path.name}.partial")
    facts = ExportFacts(str(path))
    try:
        descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as out, ZipFile(out, "w", ZIP_DEFLATED) as archive:
            for holding in holdings(subject):
                _write(archive, holding, facts)
            archive.writestr("contents.json", json.dumps({"rows": facts.rows, "missing_files": facts.missing}))
        os.replace(partial, path)
    except OSError as error:
        raise Unavailable(f"The export could not be written: {error}.", code="export_failed") from error
    finally:
        partial.unlink(missing_ok=True)
    organization = subject if isinstance(subject, Organization) else subject.organization
    record(AuditAction.EXPORTED, organization=organization, actor=actor, target=str(subject))
    return facts


def _write(archive: ZipFile, holding: Holding, facts: ExportFacts) -> None:
    names = [f.attname for f in holding.model._meta.concrete_fields if f.attname not in SECRET]
    rows = list(holding.rows.values(*names))
    if not rows:
        return
    facts.rows[holding.label] = len(rows)
    archive.writestr(f"json/{holding.label}.json", json.dumps(rows, default=str, ensure_ascii=False, indent=1))
    archive.writestr(f"csv/{holding.label}.csv", _as_csv(names, rows))
    _write_files(archive, holding, facts)


def _write_files(archive: ZipFile, holding: Holding, facts: ExportFacts) -> None:
    name_field: str | None = getattr(holding.model, "stored_name", None)
    if name_field is None:
        return
    for row in holding.rows.values("pk", name_field, *holding.model.stored_keys):  # type: ignore[attr-defined]
        for key in filter(None, (row[name] for name in holding.model.stored_keys)):  # type: ignore[attr-defined]
            shown = re.sub(r"[^\w .-]", "_", row[name_field]).lstrip(".") or "file"
            try:
                with default_storage.open(key, "rb") as stored, archive.open(f"files/{row['pk']}/{shown}", "w") as out:
                    while chunk := stored.read(CHUNK):
                        out.write(chunk)
            except FileNotFoundError:
                facts.missing.append(row[name_field])
            else:
                facts.files += 1


def _as_csv(names: list[str], rows: Iterable[Mapping[str, Any]]) -> bytes:
    """CSV with a byte order mark, so that spreadsheets read it as UTF-8, and no cell that they would run."""
    lines = [csv_line(names), *(csv_line(_cell(row[name]) for name in names) for row in rows)]
    return "".join(lines).encode("utf-8-sig")


def _cell(value: Any) -> Any:
    if isinstance(value, dict | list):
        value = json.dumps(value, default=str, ensure_ascii=False)
    return neutral(value) if isinstance(value, str) else value
