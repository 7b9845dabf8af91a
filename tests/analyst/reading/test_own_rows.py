"""What is asked of rows that name other rows of their table follows the name: no figure of one person is told as that
of those who report to them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from apps.analyst.computing.compute import compute
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.pipeline import answer
from apps.analyst.plan import Aggregate, ColumnRef, Compare, Constant, Output, Plan, Query
from apps.analyst.plan.conditions import together
from apps.analyst.reading.joining import Unfit
from apps.analyst.reading.linking import link
from apps.analyst.reading.own_rows import of_own_rows
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Question, Scalar
from tests.analyst.language.conftest import TODAY

CREW = """crew_id,first_name,last_name,rank,reports_to,pay
1,Ida,Berg,Captain,,90
2,Jon,Dahl,Mate,1,60
3,Kai,Ek,Mate,1,61
4,Lea,Falk,Deckhand,2,40
5,Mia,Gran,Deckhand,2,41
6,Nils,Holm,Deckhand,3,39
"""
SHELVES = """shelf_id,shelf_name,parent_shelf_id,boxes
S1,Garden,,2
S2,Tools,S1,12
S3,Plants,S1,20
S4,Hammers,S2,5
"""
Asked = Callable[[Plan, str], Plan]


@pytest.fixture(scope="module")
def hold(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    folder: Path = tmp_path_factory.mktemp("hold")
    (folder / "crew.csv").write_text(CREW)
    (folder / "shelves.csv").write_text(SHELVES)
    return catalog_from_files([folder / "crew.csv", folder / "shelves.csv"], folder / "tables")


def called(**values: str) -> list[Compare]:
    return [Compare(op="=", left=ref(name), right=Constant(value=value)) for name, value in values.items()]


def ref(column: str) -> ColumnRef:
    return ColumnRef(table="shelves" if "shelf" in column or column == "boxes" else "crew", column=column)


def listed(*columns: str, **values: str) -> Query:
    shown = tuple(Output(label=name, expr=ref(name)) for name in columns)
    return Query(source=shown[0].expr.table, where=together(called(**values)), columns=shown)  # type: ignore[union-attr]


def counted(**values: str) -> Query:
    measure = Output(label="many", expr=Aggregate(fn="count"))
    return Query(source=ref(next(iter(values))).table, where=together(called(**values)), measures=(measure,))


def told(plan: Plan, text: str, hold: FixedCatalog) -> list[tuple[Scalar, ...]]:
    made = of_own_rows(plan, link(Question(text, today=TODAY), hold))
    return sorted(compute(made, hold, LocalWarehouse()).result.rows)


JON = {"first_name": "Jon", "last_name": "Dahl"}
LEA = {"first_name": "Lea", "last_name": "Falk"}


@pytest.mark.parametrize(
    "text",
    [
        "how many people report to Jon Dahl",
        "number of people managed by Jon Dahl",
        "how many people does Jon Dahl manage",
        "how many are in Jon Dahl's team",
        "how many direct reports does Jon Dahl have",
        "how many have the manager Jon Dahl",
    ],
)
def test_those_below_a_row_are_meant_and_not_the_row(hold: FixedCatalog, text: str) -> None:
    assert told(counted(**JON), text, hold) == [(2,)]


@pytest.mark.parametrize(
    "text",
    ["who manages Lea Falk", "who is the manager of Lea Falk", "Lea Falk's manager", "who does Lea Falk report to"],
)
def test_the_one_above_a_row_is_told_by_name(hold: FixedCatalog, text: str) -> None:
    assert told(listed("reports_to", **LEA), text, hold) == [("Jon", "Dahl")]
    assert told(listed("first_name", "reports_to", **LEA), text, hold) == [("Jon",)]


def test_a_row_may_be_named_by_what_it_is(hold: FixedCatalog) -> None:
    assert told(listed("first_name", rank="Captain"), "who reports to the captain", hold) == [("Jon",), ("Kai",)]


def test_the_product_offers_or_tells_those_below(hold: FixedCatalog) -> None:
    made = answer(Question("how many people report to Jon Dahl", TODAY), catalog=hold, warehouse=LocalWarehouse())
    told = [str(made.result.rows[0][0])] if made.result is not None else [choice.figure for choice in made.choices]
    assert told[:1] == ["2"], made.text


def test_things_lie_within_each_other(hold: FixedCatalog) -> None:
    garden, hammers = counted(shelf_name="Garden"), listed("shelf_name", shelf_name="Hammers")
    assert told(garden, "how many subcategories does Garden have", hold) == [(2,)]
    assert told(hammers, "the parent shelf of Hammers", hold) == [("Tools",)]


@pytest.mark.parametrize("text", ["what is the pay of Jon Dahl", "Jon Dahl's pay", "pay of the manager"])
def test_a_row_alone_is_itself(hold: FixedCatalog, text: str) -> None:
    plan = listed("pay", **JON)
    assert of_own_rows(plan, link(Question(text, today=TODAY), hold)) == plan


def test_a_condition_on_the_reference_itself_stays(hold: FixedCatalog) -> None:
    plan = listed("first_name", rank="Deckhand")
    two = Compare(op="=", left=ref("reports_to"), right=Constant(value=2, type="number"))
    plan = plan.model_copy(update={"where": together([*called(rank="Deckhand"), two])})
    assert of_own_rows(plan, link(Question("deckhands who report to 2", today=TODAY), hold)) == plan


def test_a_plan_that_passes_the_row_over_is_no_reading(hold: FixedCatalog) -> None:
    for plan in (counted(rank="Mate"), counted(first_name="Jon")):
        with pytest.raises(Unfit):
            of_own_rows(plan, link(Question("how many mates report to Jon Dahl", today=TODAY), hold))
