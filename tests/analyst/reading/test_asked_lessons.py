"""What "Always" keeps of a question back's readings, and of a grouping or a filter that was read otherwise."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from apps.analyst.approaches.choosing import Asked, Offer, offered
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.conversation.readas.asked_lessons import MOST_COLUMNS, with_lessons
from apps.analyst.conversation.readas.lessons import with_lesson
from apps.analyst.conversation.readas.others import Parts
from apps.analyst.pipeline import answer
from apps.analyst.plan import Aggregate, ColumnRef, Output, Query
from apps.analyst.ports import Catalog
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Answer, Question

TODAY = date(2026, 6, 1)
CARRIERS = ("DHL", "UPS", "FedEx Express", "FedEx Ground")
STATES = ("Delivered", "Delivered", "Returned", "Lost", "In transit")
SIDES = ("North", "South", "East", "West")
HEAD = "shipment_id,order_date,ship_date,customer_region,warehouse_region,carrier,status,net_amount,weight_kg"


@pytest.fixture(scope="module")
def shipments(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    """400 shipments with two dates and two regions each."""
    folder: Path = tmp_path_factory.mktemp("shipments")
    lines = [HEAD]
    for n in range(1, 401):
        ordered = date(2025, 1, 1) + timedelta(days=n * 7 % 360)
        shipped = ordered + timedelta(days=1 + n % 8)
        kinds = (SIDES[n * 3 % 7 % 4], SIDES[n * 5 % 11 % 4], CARRIERS[n % 4], STATES[n % 5])
        lines.append(",".join([str(n), str(ordered), str(shipped), *kinds, f"{n * 37 % 900 + 10.5}", str(n * 11 % 90)]))
    (folder / "shipments.csv").write_text("\n".join(lines))
    return catalog_from_files([folder / "shipments.csv"], folder / "tables")


def asked(text: str, catalog: FixedCatalog) -> Answer:
    return answer(Question(text, today=TODAY), catalog=catalog, warehouse=LocalWarehouse(threads=1))


def offers(text: str, chip: str, catalog: FixedCatalog) -> dict[str, Offer]:
    """The other readings of one part of an answer, by their words."""
    told = asked(text, catalog)
    assert told.status == "answered", told.text
    of_part = Asked(Question(text, today=TODAY), told.plan, told.rivals, chip)
    return {one.label: one for one in offered(of_part, 4, catalog=catalog, warehouse=LocalWarehouse(threads=1))}


@pytest.mark.parametrize(
    ("text", "taught"),
    [
        ("shipments by area", {"“area” will mean customer region in shipments."}),
        ("total weight of FedEx shipments", {"“FedEx” will mean “FedEx Express” in carrier."}),
    ],
)
def test_each_reading_that_is_put_says_what_keeps_it_and_that_does(
    text: str, taught: set[str], shipments: FixedCatalog
) -> None:
    back = asked(text, shipments)
    assert back.status == "clarify"
    lessons = [choice.lesson for choice in back.choices if choice.lesson is not None]
    assert taught <= {one.text for one in lessons}
    for one in lessons:
        assert asked(text, with_lesson(shipments, one)).status == "answered"


def test_of_a_very_wide_table_nothing_is_tried_out(shipments: FixedCatalog) -> None:
    back = asked("shipments by area", shipments)
    (table,) = shipments.tables()
    more = tuple(replace(table.columns[-1], name=f"extra {n}") for n in range(MOST_COLUMNS))
    wide = FixedCatalog("wide", (replace(table, columns=(*table.columns, *more)),), ())
    bare = replace(back, choices=tuple(replace(choice, lesson=None) for choice in back.choices))

    def never(question: Question, catalog: Catalog) -> Answer:
        raise AssertionError("nothing is answered")

    question = Question("shipments by area", today=TODAY)
    assert with_lessons(bare, question, wide, LocalWarehouse(threads=1), never) == bare
    with pytest.raises(AssertionError):
        with_lessons(bare, question, shipments, LocalWarehouse(threads=1), never)


def test_what_is_asked_for_is_not_told_as_understood(shipments: FixedCatalog) -> None:
    back = asked("shipments by area", shipments)
    assert back.read_as is not None
    assert [chip.label for chip in back.read_as.chips] == ["Number of shipments"]


def test_a_value_is_looked_for_in_the_other_column_from_now_on(shipments: FixedCatalog) -> None:
    text = "total weight for North"
    found = offers(text, "filter:0", shipments)
    (other,) = (label for label in found if label.endswith(" region is North"))
    assert found[other].teaches == f"“North” will be looked for in {other.removesuffix(' is North').lower()}."


def test_a_filter_opens_with_the_other_values_of_a_column_that_has_few(shipments: FixedCatalog) -> None:
    found = offers("How many shipments were returned?", "filter:0", shipments)
    assert list(found) == ["Without this filter", "Status is Delivered", "Status is Lost", "Status is In transit"]


def test_a_count_of_rows_by_their_number_opens_with_amounts(shipments: FixedCatalog) -> None:
    counted = Aggregate(fn="count", of=ColumnRef(table="shipments", column="shipment_id"), distinct=True)
    plan = Query(source="shipments", measures=(Output(label="Number of shipments", expr=counted),))
    assert [other.label for other in Parts(plan, shipments).of("figure:0")] == ["Total net amount", "Total weight"]
