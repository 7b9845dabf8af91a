"""Numbers of things whose names do not agree meet by their values, where nothing else joins two tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.analyst.tables.catalog import catalog_from_files
from apps.analyst.types import JoinPath


def joins(folder: Path, first: int, owners: range, *, extra: str = "") -> list[JoinPath]:
    """The ways from 60 accounts with an owner to 40 clients, whose numbers begin with `first`."""
    clients = ["clientId,name", *(f"{first + n},Client {n}" for n in range(40))]
    accounts = ["account,ownerId,value", *(f"A-{n},{owners[n % len(owners)]},{10 * n}" for n in range(60))]
    files = {"clients.csv": clients, "accounts.csv": accounts}
    if extra:
        files[f"{extra}s.csv"] = [f"{extra}Id,title", *(f"{first + n},Title {n}" for n in range(40))]
    for name, lines in files.items():
        (folder / name).write_text("\n".join(lines))
    paths = [folder / name for name in files]
    return [j for j in catalog_from_files(paths, folder / "tables").joins() if j.left_columns == ("ownerId",)]


def test_owners_of_accounts_are_found_among_clients(tmp_path: Path) -> None:
    (path,) = joins(tmp_path, 2001, range(2001, 2031))
    assert (path.left_table, path.right_table, path.right_columns) == ("accounts", "clients", ("clientId",))
    assert path.right_unique


@pytest.mark.parametrize(
    ("first", "owners", "extra"),
    [
        (1, range(1, 31), ""),  # any numbers that count from one are found in any others
        (2001, range(2021, 2051), ""),  # a third of them is nobody's
        (2001, range(2001, 2006), ""),  # a few may be there by chance
        (2001, range(2001, 2031), "product"),  # they could as well be products
    ],
)
def test_numbers_that_may_be_other_things_are_joined_to_none(
    first: int, owners: range, extra: str, tmp_path: Path
) -> None:
    assert joins(tmp_path, first, owners, extra=extra) == []
