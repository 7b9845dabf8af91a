"""Damage to a table's file is seen, and questions go on without a damaged list of texts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.computing.warehouse.messages import DAMAGED
from apps.analyst.errors import QueryFailed
from apps.analyst.language.values import build_values
from apps.analyst.reading.stored import _every_value
from apps.analyst.tables.wholeness import decodes, ends_hold
from apps.analyst.types import Column, Table

ROWS = 20_000


def cut(whole: bytes) -> bytes:
    return whole[: len(whole) // 2]


def without_its_last_byte(whole: bytes) -> bytes:
    return whole[:-1]


def without_its_beginning(whole: bytes) -> bytes:
    return whole[len(whole) // 2 :]


def nothing(_: bytes) -> bytes:
    return b""


def with_too_long_a_footer(whole: bytes) -> bytes:
    return whole[:-8] + (len(whole)).to_bytes(4, "little") + whole[-4:]


def with_zeros_between(whole: bytes) -> bytes:
    return whole[:1000] + bytes(2000) + whole[3000:]


AT_ITS_ENDS = (cut, without_its_last_byte, without_its_beginning, nothing, with_too_long_a_footer)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "table.parquet"
    cells = {"number": list(range(ROWS)), "text": [f"text {n % 97} of {n}" for n in range(ROWS)]}
    parquet.write_table(pa.table(cells), path, compression="snappy")
    return path


def test_a_whole_file_has_its_ends_and_can_be_read(file: Path) -> None:
    assert ends_hold(file)
    assert decodes(file, ROWS)
    assert not decodes(file, ROWS - 1)


@pytest.mark.parametrize("damage", AT_ITS_ENDS)
def test_damage_at_an_end_is_seen_without_reading_it(file: Path, damage: Callable[[bytes], bytes]) -> None:
    file.write_bytes(damage(file.read_bytes()))
    assert not ends_hold(file)
    assert not decodes(file)


def test_damage_between_the_ends_is_seen_by_reading_it(file: Path) -> None:
    file.write_bytes(with_zeros_between(file.read_bytes()))
    assert ends_hold(file)
    assert not decodes(file)


@pytest.mark.parametrize("damage", [cut, nothing, with_zeros_between])
def test_a_query_over_a_damaged_table_says_so(file: Path, damage: Callable[[bytes], bytes]) -> None:
    file.write_bytes(damage(file.read_bytes()))
    with pytest.raises(QueryFailed) as failed:
        LocalWarehouse().query('SELECT max(number), max("text") FROM t', [], tables={"t": file})
    assert failed.value.message == DAMAGED


@pytest.mark.parametrize("damage", [cut, nothing, with_zeros_between])
@pytest.mark.parametrize("distinct", [100, 50_000])
def test_a_damaged_list_of_texts_is_passed_over(file: Path, damage: Callable[[bytes], bytes], distinct: int) -> None:
    file.write_bytes(damage(file.read_bytes()))
    column = Column("region", "text", "dimension", distinct=distinct, values_complete=False)
    table = Table("t", "t.csv", file, ROWS, (column,), values_path=file)
    assert build_values([table]).find(["west"]) == {}
    assert _every_value(table) == []
