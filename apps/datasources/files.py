"""Bytes in the storage: uploads as they came, tables as Parquet. Keys are random; names of people never reach a path.

With files on disk a key is a local file already; with a remote storage a copy is kept in a local cache.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import uuid
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.core.files.base import File
from django.core.files.storage import default_storage

from apps.analyst.tables.wholeness import ends_hold
from apps.core.errors import Damaged, Gone
from apps.core.scratch import copy_under_way

ORIGINALS = "originals"
TABLES = "tables"
GONE = "This file is gone from the storage. Please upload it again."
DAMAGED = "The table of this file is damaged. Please have it read again."


class MovableFile(File):  # type: ignore[type-arg]
    """A finished local file that a storage on the same disk may take by renaming instead of copying."""

    def __init__(self, path: Path) -> None:
        super().__init__(path.open("rb"), name=path.name)
        self._path = path

    def temporary_file_path(self) -> str:
        return str(self._path)


def keep_original(content: File[Any]) -> str:
    """Stores an upload's bytes and returns their key. Raises OSError where the storage cannot take them."""
    return _save(f"{ORIGINALS}/{uuid.uuid4().hex}", content)


def keep_table(path: Path) -> str:
    """Moves a Parquet file into the storage and returns its key. Raises OSError."""
    with MovableFile(path) as file:
        return _save(f"{TABLES}/{uuid.uuid4().hex}.parquet", file)


def _save(key: str, content: File[Any]) -> str:
    """What a full disk took of a file goes away again, so that the next file may still find room."""
    try:
        return default_storage.save(key, content)
    except BaseException:
        with contextlib.suppress(Exception):
            default_storage.delete(key)
        raise


def open_original(key: str) -> IO[bytes]:
    """The stored bytes for reading. Raises Gone."""
    with _gone_is_told():
        return default_storage.open(key, "rb")


def local_path(key: str) -> Path:
    """Where the stored bytes are on this machine; fetched first where the storage is elsewhere. Raises Gone."""
    try:
        path = Path(default_storage.path(key))
    except NotImplementedError:
        with _gone_is_told():
            return _cached(key)
    if not path.exists():
        raise Gone(GONE)
    return path


def table_path(key: str) -> Path:
    """Where a table's file is on this machine, with both its ends. A copy of a file elsewhere that is damaged is
    fetched anew. Raises Gone, Damaged."""
    path = local_path(key)
    if not _ends_hold(path) and path == _cache_path(key):
        path.unlink(missing_ok=True)
        path = local_path(key)
    if not _ends_hold(path):
        raise Damaged(DAMAGED)
    return path


def _ends_hold(path: Path) -> bool:
    with _gone_is_told():
        return ends_hold(path)


def looks_whole(key: str) -> bool:
    """Whether a table's file has both its ends, as far as this machine can say: nothing is fetched to see it."""
    try:
        near = Path(default_storage.path(key))
    except NotImplementedError:
        near = _cache_path(key)
    if not near.exists():
        return is_there(key)
    try:
        table_path(key)
    except Gone:
        return False
    return True


@contextlib.contextmanager
def _gone_is_told() -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        raise Gone(GONE) from error


def is_there(key: str) -> bool:
    """Whether the storage holds these bytes, or this machine still has its copy of them."""
    return default_storage.exists(key) or _cache_path(key).exists()


def discard(keys: Iterable[str]) -> None:
    """Removes stored bytes; what is gone already is no error."""
    for key in keys:
        if key:
            default_storage.delete(key)
            _cache_path(key).unlink(missing_ok=True)


def stored_before(moment: datetime) -> Iterator[str]:
    """All keys of uploads and tables that were stored before `moment`."""
    for folder in (ORIGINALS, TABLES):
        try:
            _, names = default_storage.listdir(folder)
        except FileNotFoundError:
            continue
        for name in names:
            key = f"{folder}/{name}"
            if default_storage.get_modified_time(key) < moment:
                yield key


def _cache_path(key: str) -> Path:
    return Path(settings.DATA_DIR) / "cache" / key


def _cached(key: str) -> Path:
    path = _cache_path(key)
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = copy_under_way(path)
        with default_storage.open(key, "rb") as remote, partial.open("wb") as local:
            shutil.copyfileobj(remote, local, 1024 * 1024)
        os.replace(partial, path)
    return path
