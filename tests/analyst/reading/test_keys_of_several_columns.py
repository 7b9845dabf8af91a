"""Rows that belong to others by two columns together are joined by both: each counts once, no figure is multiplied."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from apps.analyst.computing.compute import compute
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.language.lexicon import build
from apps.analyst.language.scan import Scan
from apps.analyst.pipeline import answer
from apps.analyst.plan.validate import validate
from apps.analyst.reading.candidates import namer_of
from apps.analyst.reading.composing import Unfit, compose, schema_of
from apps.analyst.reading.joining import Schema
from apps.analyst.reading.sketch import Sketch
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.telling.evidence import tables_of
from apps.analyst.types import JoinPath, Question

SHIPS, LEGS, CALLS = "ships", "ship_legs", "calls"
TODAY = date(2025, 6, 30)
ANY, COUNT = ("any",), ("count", ("T", CALLS))
LATE = ("vgt", ("C", CALLS, "called_dt"), ("C", LEGS, "due_dt"))


def due(ship: int, leg: int) -> int:
    return 3 + (ship + 5 * leg) % 20


def calls() -> list[tuple[int, int, int]]:
    """Ship, leg and day of 160 calls; the last legs of the last ships had none."""
    return [(n % 40, 1 + (n // 40 + n) % 2, 4 + (n * 7) % 19) for n in range(160)]


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    folder: Path = tmp_path_factory.mktemp("port")
    files = {
        SHIPS: ["ship_no,harbour", *(f"{7000 + n},Harbour {n % 4}" for n in range(40))],
        LEGS: [
            "ship_no,leg_no,due_dt,freight",
            *(f"{7000 + n},{leg},2025-03-{due(n, leg):02},{100 + n}" for n in range(40) for leg in (1, 2, 3)),
        ],
        CALLS: [
            "call_no,ship_no,ship_leg,called_dt,pallets",
            *(f"{90000 + i},{7000 + n},{leg},2025-03-{day:02},{i % 9}" for i, (n, leg, day) in enumerate(calls())),
        ],
    }
    for name, lines in files.items():
        (folder / f"{name}.csv").write_text("\n".join(lines) + "\n")
    return catalog_from_files([folder / f"{name}.csv" for name in files], folder / "tables")


def schema_with(port: FixedCatalog, joins: list[JoinPath]) -> Schema:
    return schema_of({t.name: t for t in port.tables()}, joins, namer_of(port), TODAY)


@pytest.fixture(scope="module")
def told(port: FixedCatalog) -> Any:
    warehouse = LocalWarehouse(threads=1)

    def rows(sketch: Sketch, joins: list[JoinPath] | None = None) -> list[tuple[object, ...]]:
        plan = compose(sketch, schema_with(port, list(port.joins()) if joins is None else joins))
        validate(plan, port)
        return [
            tuple(float(v) if isinstance(v, int | float | Decimal) else v for v in row)
            for row in compute(plan, port, warehouse).result.rows
        ]

    return rows


def late_calls() -> int:
    return sum(day > due(ship, leg) for ship, leg, day in calls())


def test_each_row_is_held_against_the_one_that_it_belongs_to(told: Any) -> None:
    assert told(("agg", ("m2", COUNT, ("rate", ("T", CALLS), LATE)), ANY)) == [
        (160, pytest.approx(100 * late_calls() / 160))
    ]


def test_days_between_are_counted_once_for_each_row(told: Any) -> None:
    days = ("span", ("days",), ("C", LEGS, "due_dt"), ("C", CALLS, "called_dt"))
    late = [day - due(ship, leg) for ship, leg, day in calls() if day > due(ship, leg)]
    assert told(("agg", ("m1", ("avg", days)), LATE)) == [(pytest.approx(sum(late) / len(late)),)]


def test_figures_of_both_sides_are_added_up_once(told: Any) -> None:
    both = ("m2", ("sum", ("C", LEGS, "freight")), ("sum", ("C", CALLS, "pallets")))
    assert told(("agg", both, ANY)) == [(3 * sum(100 + n for n in range(40)), sum(n % 9 for n in range(160)))]


def test_a_join_by_one_of_the_columns_that_was_found_before_is_not_taken(told: Any, port: FixedCatalog) -> None:
    before = JoinPath(CALLS, ("ship_no",), LEGS, ("ship_no",), 1.0, False)
    back = JoinPath(LEGS, ("ship_no",), CALLS, ("ship_no",), 1.0, False)
    share = ("agg", ("m1", ("rate", ("T", CALLS), LATE)), ANY)
    assert told(share, [before, back, *port.joins()]) == told(share)
    people = schema_with(port, [replace(before, said=True), *port.joins()])
    assert next(path for path in people.joins[CALLS] if path.right_table == LEGS).said  # what people said holds


@pytest.mark.parametrize("kind", ["member", "nonmember"])
def test_one_column_of_the_key_is_looked_up_for_no_row_of_the_other_table(told: Any, kind: str) -> None:
    ship, leg = ("C", LEGS, "ship_no"), ("C", LEGS, "leg_no")
    met = (kind, ship, ("sub", ("C", CALLS, "ship_no"), ANY, ("nohaving",)))
    of_ships = (kind, ("C", SHIPS, "ship_no"), ("sub", ("C", CALLS, "ship_no"), ANY, ("nohaving",)))
    numbered_alike = (kind, leg, ("sub", ("C", CALLS, "ship_leg"), ANY, ("nohaving",)))
    number = ("count", ("T", LEGS))
    for sketch in (
        ("agg", ("m1", number), met),
        ("agg", ("m1", ("given", number, met)), ANY),
        ("rows", ("v2", ship, leg), met, ("all",)),
        ("agg", ("m1", number), of_ships),
        ("agg", ("m1", ("sum", ("C", LEGS, "freight"))), of_ships),
        ("agg", ("m1", number), numbered_alike),
    ):
        with pytest.raises(Unfit):
            told(sketch)


def test_things_that_the_column_alone_tells_apart_are_looked_up_by_it(told: Any) -> None:
    theirs = ("sub", ("C", CALLS, "ship_no"), ("gt", ("C", CALLS, "pallets"), ("N", 7)), ("nohaving",))
    ships = {ship for i, (ship, _, _) in enumerate(calls()) if i % 9 > 7}
    of_legs = ("countd", ("C", LEGS, "ship_no"))
    assert told(("agg", ("m1", of_legs), ("nonmember", ("C", LEGS, "ship_no"), theirs))) == [(40 - len(ships),)]
    of_ships, without = ("count", ("T", SHIPS)), ("nonmember", ("C", SHIPS, "ship_no"), theirs)
    assert told(("agg", ("m1", of_ships), without)) == [(40 - len(ships),)]
    assert told(("agg", ("m1", of_ships), ("and", without, ("gt", ("C", LEGS, "freight"), ("N", 0))))) == [
        (40 - len(ships),)
    ]
    freight = ("sum", ("C", LEGS, "freight"))
    each = ("group", ("k1", ("C", SHIPS, "ship_no")), ("m1", freight), without, ("nohaving",), ("all",))
    assert len(told(each)) == 40 - len(ships)


def test_the_rules_look_no_row_up_by_one_column_of_its_key(port: FixedCatalog) -> None:
    tables = build(port).schema
    assert Scan(tables, LEGS, joined={LEGS}).among(CALLS, None, negated=True) is None
    assert Scan(tables, LEGS, joined={LEGS, SHIPS}).among(CALLS, None, negated=True) is None
    assert Scan(tables, SHIPS, joined={SHIPS}).among(CALLS, None, negated=True) is not None


def test_a_question_about_both_tables_is_answered_over_their_whole_key(port: FixedCatalog) -> None:
    question = Question("what share of calls came after the due date?", today=TODAY)
    told = answer(question, catalog=port, warehouse=LocalWarehouse(threads=1))
    assert told.plan is not None
    assert tables_of(told.plan) == {CALLS, LEGS}
    assert told.headline is not None
    assert isinstance(told.headline.value, float)
    assert told.headline.value == pytest.approx(100 * late_calls() / 160)
    assert any("ship_no and ship_leg = leg_no" in line for line in told.evidence.joins)
