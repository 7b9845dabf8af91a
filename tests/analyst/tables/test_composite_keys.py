"""Tables join by two or three columns together where these tell the rows of one side apart and none of them does."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from apps.analyst.tables import composite_keys, ingest
from apps.analyst.tables.joins import find_joins, settle_roles
from apps.analyst.types import JoinPath, Table

Ends = tuple[str, tuple[str, ...], str, tuple[str, ...]]


def table_of(folder: Path, name: str, header: str, rows: list[str]) -> Table:
    path = folder / f"{name}.csv"
    path.write_text("\n".join((header, *rows)) + "\n", encoding="utf-8")
    return ingest(path, f"{name}.csv", folder / f"{name}.out")[0].table


def ends(paths: list[JoinPath]) -> set[Ends]:
    return {(path.left_table, path.left_columns, path.right_table, path.right_columns) for path in paths}


LEGS = [
    f"{7000 + ship},{leg},2025-03-{1 + (ship + leg) % 27:02},{100 + ship}" for ship in range(40) for leg in (1, 2, 3)
]
CALLS = [
    f"{90000 + n},{7000 + n % 40},{1 + n // 40 % 3},2025-03-{1 + n % 27:02},{n % 9}" for n in range(160)
]  # fmt: skip
SHIPS = [f"{7000 + ship},Harbour {ship % 4}" for ship in range(40)]


def shipping(folder: Path, leg: str, call_leg: str) -> list[Table]:
    return [
        table_of(folder, "calls", f"call_no,ship_no,{call_leg},called_dt,pallets", CALLS),
        table_of(folder, "ship_legs", f"ship_no,{leg},due_dt,freight", LEGS),
        table_of(folder, "ships", "ship_no,harbour", SHIPS),
    ]


@pytest.mark.parametrize(
    ("leg", "call_leg"),
    [("leg_no", "leg_no"), ("leg_no", "ship_leg"), ("leg_no", "Leg No."), ("leg", "leg"), ("leg", "LegNr")],
)
def test_rows_that_are_told_apart_by_two_columns_are_joined_by_both(tmp_path: Path, leg: str, call_leg: str) -> None:
    tables = shipping(tmp_path, leg, call_leg)
    paths = find_joins(tables)
    assert ends(paths) == {
        ("calls", ("ship_no", call_leg), "ship_legs", ("ship_no", leg)),
        ("calls", ("ship_no",), "ships", ("ship_no",)),
        ("ship_legs", ("ship_no",), "ships", ("ship_no",)),
    }
    assert all(path.right_unique for path in paths)
    roles = [table.column(name) for table, name in zip(settle_roles(tables, paths), (call_leg, leg), strict=False)]
    assert [column.role for column in roles if column] == ["id", "id"]  # parts of a key are never added up


def test_one_column_that_tells_rows_apart_is_the_key_alone(tmp_path: Path) -> None:
    tables = [
        table_of(tmp_path, "bills", "bill_no,ship_no,leg_no,amount", [f"B{n},{c[6:]}" for n, c in enumerate(CALLS)]),
        table_of(tmp_path, "calls", "call_no,ship_no,leg_no,called_dt", [c.rsplit(",", 1)[0] for c in CALLS]),
        table_of(tmp_path, "ships", "ship_no,leg_no,harbour", [f"{7000 + n},{1 + n % 3},H{n % 4}" for n in range(40)]),
    ]
    assert {path.left_columns for path in find_joins(tables) if path.right_table == "ships"} == {("ship_no",)}


def test_a_key_of_two_takes_the_place_of_one_that_is_only_nearly_a_key(tmp_path: Path) -> None:
    legs = [f"{7000 + n},1,{n}" for n in range(200)] + [f"{7000 + n},2,{n}" for n in range(4)]
    calls = [f"{90000 + n},{7000 + n % 200},{1 + (n % 200 < 4 and n > 200)}" for n in range(400)]
    tables = [
        table_of(tmp_path, "calls", "call_no,ship_no,leg_no", calls),
        table_of(tmp_path, "ship_legs", "ship_no,leg_no,freight", legs),
    ]
    assert ends(find_joins(tables)) == {("calls", ("ship_no", "leg_no"), "ship_legs", ("ship_no", "leg_no"))}


def test_columns_of_unlike_names_are_no_key_where_their_values_do_not_lie_within_each_other(tmp_path: Path) -> None:
    others = [c.replace(f",{leg},2025", f",{leg + 2},2025") for leg in (1, 2, 3) for c in CALLS if f",{leg},2025" in c]
    tables = [
        table_of(tmp_path, "calls", "call_no,ship_no,ship_leg,called_dt,pallets", others),
        table_of(tmp_path, "ship_legs", "ship_no,leg_no,due_dt,freight", LEGS),
    ]
    assert not [path for path in find_joins(tables) if len(path.left_columns) > 1]


def test_figures_of_one_name_are_no_part_of_a_key(tmp_path: Path) -> None:
    tables = [
        table_of(
            tmp_path, "quotes", "quote_no,ship_no,price", [f"{n},{7000 + n % 40},{n % 40 + 1}" for n in range(80)]
        ),
        table_of(
            tmp_path, "ship_legs", "ship_no,price,due_dt", [f"{7000 + n % 40},{n + 1},2025-03-01" for n in range(80)]
        ),
    ]
    assert not [path for path in find_joins(tables) if len(path.left_columns) > 1]


def test_of_several_columns_that_a_name_may_mean_none_is_taken(tmp_path: Path) -> None:
    calls = [f"{90000 + n},{7000 + n % 40},{1 + n // 40 % 3},{1 + n // 40 % 3}" for n in range(160)]
    tables = [
        table_of(tmp_path, "calls", "call_no,ship_no,first_leg,last_leg", calls),
        table_of(tmp_path, "ship_legs", "ship_no,leg_no,due_dt,freight", LEGS),
    ]
    assert not [path for path in find_joins(tables) if len(path.left_columns) > 1]


def test_wide_tables_are_looked_through_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"part_{n}" for n in range(300)]
    rows = [",".join(str(row % 7 + n % 3) for n in range(300)) for row in range(30)]
    tables = [table_of(tmp_path, name, ",".join(names), rows) for name in ("north", "south", "west")]
    asked: list[object] = []
    real = composite_keys._identifying

    def counted(*given: Any) -> Any:
        asked.append(given)
        return real(*given)

    monkeypatch.setattr(composite_keys, "_identifying", counted)
    started = time.thread_time()
    assert find_joins(tables, most_pairs=0) == []
    assert time.thread_time() - started < 5
    assert len(asked) <= 6
