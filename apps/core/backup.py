"""One file with everything an installation keeps, and the way back into an empty one, on any of the databases.

A zip: `manifest.json` (applied migrations, and for every table and file its count and SHA-256), for each table
`rows/<app>.<model>.jsonl` (a list of the stored values a line, in the order of the primary key), and `files/<key>`.
Rows are read in one snapshot, files after them. What seals and signs (SECRET_KEY, CREDENTIAL_KEYS) is not in it:
without them a copy opens nothing.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

from django.apps import apps
from django.core.files.base import File
from django.core.files.storage import default_storage
from django.core.management.color import no_style
from django.db import connection, transaction
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import BinaryField, Field, JSONField, Model

from apps.core.errors import Conflict, Invalid, Unavailable

FORMAT = 1
CHUNK = 1024 * 1024
ROWS_AT_ONCE = 500
PASSING_TABLES = frozenset(("sessions.session", "usersessions.usersession"))
"""Who is signed in is nobody's loss: a copy of it would be one of the keys."""
PASSING = ("health/",)
"""Files that a check writes and removes: nobody misses them."""


@dataclass(frozen=True, slots=True)
class Part:
    """A table's rows or a file's bytes: how many, and their SHA-256."""

    count: int
    sha256: str


@dataclass(slots=True)
class Manifest:
    """What a backup holds, and with which migrations it was written."""

    format: int
    migrations: list[str]
    rows: dict[str, Part] = field(default_factory=dict)
    files: dict[str, Part] = field(default_factory=dict)

    def dumps(self) -> str:
        return json.dumps(asdict(self), indent=1)

    @classmethod
    def loads(cls, text: bytes) -> Manifest:
        """Raises Invalid for what is no manifest of ours."""
        try:
            raw = json.loads(text)
            parts = {kind: {name: Part(**part) for name, part in raw[kind].items()} for kind in ("rows", "files")}
            return cls(format=raw["format"], migrations=raw["migrations"], **parts)
        except (ValueError, KeyError, TypeError) as error:
            raise Invalid("The file is no backup of this product.", code="no_backup") from error


def backup_write(path: Path) -> Manifest:
    """Writes the backup, for its owner's eyes. Raises Conflict where the path exists, Unavailable where it fails."""
    if path.exists():
        raise Conflict(f"{path} exists already.", code="exists")
    partial = path.with_name(f".{path.name}.partial")
    manifest = Manifest(FORMAT, _migrations())
    try:
        descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as out, ZipFile(out, "w", ZIP_DEFLATED) as archive:
            with _snapshot():
                for model in _models():
                    with archive.open(f"rows/{model._meta.label_lower}.jsonl", "w", force_zip64=True) as member:
                        manifest.rows[model._meta.label_lower] = _copy(_lines(model), member)
            for key in _keys():
                with contextlib.suppress(FileNotFoundError):  # deleted since it was listed
                    manifest.files[key] = _keep_file(archive, key)
            archive.writestr("manifest.json", manifest.dumps())
        os.replace(partial, path)
    except OSError as error:
        raise Unavailable(f"The backup could not be written: {error}.", code="backup_failed") from error
    finally:
        partial.unlink(missing_ok=True)
    return manifest


def _keep_file(archive: ZipFile, key: str) -> Part:
    with default_storage.open(key, "rb") as stored, archive.open(f"files/{key}", "w", force_zip64=True) as member:
        return _copy(iter(lambda: stored.read(CHUNK), b""), member, in_bytes=True)


def backup_restore(path: Path) -> Manifest:
    """Brings a backup into an empty installation and checks every sum; all or nothing.

    Raises Invalid for a file that is no backup or is damaged, Conflict where the installation is not empty or has other
    migrations than the backup.
    """
    try:
        with ZipFile(path) as archive:
            manifest = Manifest.loads(archive.read("manifest.json"))
            _demand_room(manifest)
            try:
                for key, part in manifest.files.items():
                    _restore_file(archive, key, part)
                _restore_database(archive, manifest)
            except BaseException:
                for key in manifest.files:
                    default_storage.delete(key)
                raise
    except (BadZipFile, KeyError, OSError) as error:
        raise Invalid(f"{path} cannot be read as a backup: {error}.", code="no_backup") from error
    return manifest


def _models() -> list[type[Model]]:
    """Every table of the product, those between two others too."""
    models = apps.get_models(include_auto_created=True)
    kept = [model for model in models if not _passes(model)]
    return [model for model in kept if model._meta.managed and not model._meta.proxy]


def _passes(model: type[Model]) -> bool:
    return getattr(model, "passing", False) or model._meta.label_lower in PASSING_TABLES


def _migrations() -> list[str]:
    return sorted(f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations())


@contextlib.contextmanager
def _snapshot() -> Iterator[None]:
    """One state of the whole database for all reads in it, without keeping anybody from writing."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with transaction.atomic():
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                yield
        elif connection.in_atomic_block:
            yield
        else:
            cursor.execute("BEGIN DEFERRED")  # our transactions begin as writers, and would make others wait
            try:
                yield
            finally:
                cursor.execute("ROLLBACK")


def _lines(model: type[Model]) -> Iterator[bytes]:
    fields = model._meta.local_concrete_fields
    for row in model._base_manager.order_by("pk").iterator(chunk_size=ROWS_AT_ONCE):
        yield json.dumps([_plain(f, row) for f in fields], ensure_ascii=False, sort_keys=True).encode() + b"\n"


def _plain(concrete: Field[Any, Any], row: Model) -> Any:
    """A stored value as JSON has it; what databases write differently (1e5 and 100000.0) in one way."""
    value = concrete.value_from_object(row)
    if isinstance(concrete, JSONField):
        return _even(value)
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return _target(concrete).value_to_string(row) if isinstance(concrete, BinaryField) else _text(concrete, value)


def _even(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _even(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_even(one) for one in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _text(concrete: Field[Any, Any], value: Any) -> str:
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def _target(concrete: Field[Any, Any]) -> Field[Any, Any]:
    """The field whose kind of value is stored: a foreign key's is that of the key it points to."""
    while concrete.is_relation:
        concrete = concrete.target_field  # type: ignore[attr-defined]
    return concrete


def _copy(pieces: Iterator[bytes], into: IO[bytes], *, in_bytes: bool = False) -> Part:
    count, digest = 0, hashlib.sha256()
    for piece in pieces:
        into.write(piece)
        digest.update(piece)
        count += len(piece) if in_bytes else 1
    return Part(count, digest.hexdigest())


def _keys(folder: str = "") -> Iterator[str]:
    """All keys of the storage."""
    folders, names = default_storage.listdir(folder)
    for name in sorted(names):
        key = f"{folder}{name}"
        if not key.startswith(PASSING):
            yield key
    for one in sorted(filter(None, folders)):
        yield from _keys(f"{folder}{one}/")


def _demand_room(manifest: Manifest) -> None:
    if manifest.format != FORMAT:
        raise Invalid(f"The backup has format {manifest.format}; this version reads {FORMAT}.", code="other_format")
    if (here := _migrations()) != manifest.migrations:
        odd = sorted(set(here) ^ set(manifest.migrations))
        raise Conflict(
            f"The backup was written by another version ({', '.join(odd[:3])}). "
            "Install that version, migrate, restore, then upgrade.",
            code="other_version",
        )
    if apps.get_model("accounts", "User").objects.exists() or next(_keys(), None):
        raise Conflict("This installation is not empty. Restore into a new database and storage.", code="not_empty")


def _restore_file(archive: ZipFile, key: str, part: Part) -> None:
    digest = hashlib.sha256()
    with archive.open(f"files/{key}") as member:
        while chunk := member.read(CHUNK):
            digest.update(chunk)
    if digest.hexdigest() != part.sha256:
        raise Invalid(f"The backup is damaged: the file {key} is not what it was.", code="damaged")
    with archive.open(f"files/{key}") as member:
        kept = default_storage.save(key, File(member, name=key))
    if kept != key:
        raise Conflict(f"The storage would not take {key} under its name.", code="not_empty")


@transaction.atomic
def _restore_database(archive: ZipFile, manifest: Manifest) -> None:
    for model in _models():  # what migrating an empty database puts there
        model._base_manager.all()._raw_delete("default")
    for model in _models():
        _restore_rows(archive, model, manifest.rows[model._meta.label_lower])
    for statement in connection.ops.sequence_reset_sql(no_style(), _models()):
        with connection.cursor() as cursor:
            cursor.execute(statement)
    connection.check_constraints()


def _restore_rows(archive: ZipFile, model: type[Model], part: Part) -> None:
    """Inserts a table's rows as they were (no default, no timestamp of now), then reads them again for their sum."""
    fields = model._meta.local_concrete_fields
    with archive.open(f"rows/{model._meta.label_lower}.jsonl") as member:
        batch: list[Model] = []
        for line in member:
            values = zip(fields, json.loads(line), strict=True)
            batch.append(model(**{f.attname: _value(f, value) for f, value in values}))
            if len(batch) == ROWS_AT_ONCE:
                _insert(model, batch)
                batch = []
        _insert(model, batch)
    digest = hashlib.sha256()
    for line in _lines(model):
        digest.update(line)
    if digest.hexdigest() != part.sha256:
        raise Invalid(f"The backup is damaged: the rows of {model._meta.label} are not what they were.", code="damaged")


def _value(concrete: Field[Any, Any], value: Any) -> Any:
    return value if value is None or isinstance(concrete, JSONField) else _target(concrete).to_python(value)


def _insert(model: type[Model], rows: list[Model]) -> None:
    fields = model._meta.local_concrete_fields
    size = connection.ops.bulk_batch_size(fields, rows) if rows else 1
    for begin in range(0, len(rows), size):
        model._base_manager._insert(rows[begin : begin + size], fields=fields, using="default", raw=True)  # type: ignore[attr-defined]
