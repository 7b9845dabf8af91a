"""What `make run` writes is closed to every other account of the machine."""

from __future__ import annotations

import stat
from pathlib import Path

from tests.live import Product


def open_to_others(folder: Path) -> list[str]:
    return [
        f"{stat.filemode(path.lstat().st_mode)} {path.relative_to(folder.parent)}"
        for path in (folder, *folder.rglob("*"))
        if path.lstat().st_mode & 0o077 and not stat.S_ISSOCK(path.lstat().st_mode)
    ]


def test_folder_database_files_and_tables_are_their_accounts_alone(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    folder.mkdir(mode=0o755)  # as an earlier version made it
    product = Product(folder)
    product.start()
    try:
        tables = list(folder.rglob("*.parquet"))
        assert tables
        assert open_to_others(folder) == []
    finally:
        product.kill()
