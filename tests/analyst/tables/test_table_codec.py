"""Tables, joins and ingestion results survive being stored as JSON."""

from __future__ import annotations

import json
import pickle
from dataclasses import fields
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

from apps.analyst.tables import ingest
from apps.analyst.tables.codec import (
    ingested_from_json,
    ingested_to_json,
    join_from_json,
    join_to_json,
    scalar_from_json,
    scalar_to_json,
    table_from_json,
    table_to_json,
)
from apps.analyst.types import Column, JoinPath, ValueCount


def through_json(value):
    return json.loads(json.dumps(value))


def test_scalars_keep_their_type():
    for value in (None, True, 0, 1.5, "text", Decimal("1.50"), date(2024, 1, 2), datetime(2024, 1, 2, 3, 4, 5)):
        back = scalar_from_json(through_json(scalar_to_json(value)))
        assert back == value
        assert type(back) is type(value)


def test_an_ingested_table_comes_back_equal(tmp_path: Path):
    path = tmp_path / "f.csv"
    path.write_text("name,day,amount,size\nA,2024-01-02,$1.50,0.123456\nB,2024-01-03,$2.50,\nTotal,,$4.00,0.1\n")
    (ingested,) = ingest(path, "f.csv", tmp_path / "out")
    assert ingested_from_json(through_json(ingested_to_json(ingested))) == ingested


def test_a_table_keeps_when_it_was_refreshed_and_what_was_written_of_it(tmp_path: Path):
    from dataclasses import replace

    path = tmp_path / "f.csv"
    path.write_text("a,b\n1,2\n3,4\n")
    table = replace(
        ingest(path, "f.csv", tmp_path / "out")[0].table,
        refreshed_at=datetime(2024, 5, 6, tzinfo=UTC),
        description="Ours.",
    )
    assert table_from_json(through_json(table_to_json(table))) == table


def test_every_field_of_a_column_reaches_another_process():
    column = Column(
        "Amount", "decimal", "measure", "USD", 2, 3, Decimal("1.50"), Decimal("2.50"),
        (ValueCount("1.50", 4), ValueCount("2.50", 1)), values_complete=True, unique=True, description="Ours.",
        per_key="once",
    )  # fmt: skip
    unset = [field.name for field in fields(Column) if getattr(column, field.name) == field.default]
    assert unset == []
    assert pickle.loads(pickle.dumps(column)) == column


def test_a_join_comes_back_equal():
    join = JoinPath("a", ("x", "y"), "b", ("u", "v"), 0.75, True, True)
    assert join_from_json(through_json(join_to_json(join))) == join
