"""What columns are called in all that is said: as the dictionary spells their names out, never as the file does."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from apps.analyst.computing.compute import compute
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.language import Reading
from apps.analyst.pipeline import answer
from apps.analyst.plan import Aggregate, ColumnRef, Compare, Constant, Order, Output, Query
from apps.analyst.plan.sentence import plan_sentence
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.telling.answers import worded
from apps.analyst.telling.evidence import evidence_of
from apps.analyst.telling.followups import offers_for
from apps.analyst.telling.labelling import labelled
from apps.analyst.types import Answer, Question

HIRES = """hire_id,pier_nm,dep_amt,tot_fee,rtn_dt,boat_ty
1,North,20,40.5,2025-01-03,canoe
2,South,25,30.0,2025-01-09,kayak
3,North,20,55.0,2025-02-11,canoe
4,East,30,45.0,2025-02-19,kayak
5,South,20,33.5,2025-03-02,canoe
6,North,20,41.0,2025-03-23,Qty
"""


@pytest.fixture(scope="module")
def hires(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    folder = tmp_path_factory.mktemp("hires")
    (folder / "boat_hires.csv").write_text(HIRES, encoding="utf-8")
    return catalog_from_files([folder / "boat_hires.csv"], Path(folder))


def column(name: str) -> ColumnRef:
    return ColumnRef(table="boat_hires", column=name)


BY_PIER = Query(
    source="boat_hires",
    groups=(Output(label="pier_nm", expr=column("pier_nm")),),
    measures=(Output(label="Total tot_fee", expr=Aggregate(fn="sum", of=column("tot_fee"))),),
    where=Compare(op="=", left=column("boat_ty"), right=Constant(value="canoe")),
    order=(Order(by="Total tot_fee", descending=True),),
)


def answered(plan: Query, catalog: FixedCatalog, warehouse: LocalWarehouse) -> Answer:
    computed = compute(plan, catalog, warehouse)
    return worded(Question("?", today=date(2025, 4, 1), style="Explanatory"), Reading(plan, 1.0), computed, catalog)


def test_an_answer_names_columns_as_people_read_them(hires: FixedCatalog, warehouse: LocalWarehouse) -> None:
    said = answered(BY_PIER, hires, warehouse)
    assert said.result is not None
    assert said.chart is not None
    everything = f"{said.text} {said.chart.document} {[c.name for c in said.result.columns]} {said.evidence.filters}"
    assert "**North** has the highest total fee of boat hires with boat type canoe" in said.text
    assert [column.name for column in said.result.columns] == ["Pier name", "Total fee"]
    assert not [name for name in ("tot fee", "tot_fee", "pier nm", "pier_nm", "boat ty ") if name in everything]


def test_the_plan_and_its_evidence_are_worded_with_readable_names(
    hires: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    told = plan_sentence(labelled(BY_PIER, hires))
    assert told.startswith("Total fee by pier name in boat_hires, where boat type is canoe")
    assert evidence_of(compute(BY_PIER, hires, warehouse), hires).plan_sentence == told


def test_a_stored_value_is_never_spelled_out(hires: FixedCatalog) -> None:
    odd = BY_PIER.model_copy(update={"where": Compare(op="=", left=column("boat_ty"), right=Constant(value="tot_fee"))})
    assert "is tot_fee" in plan_sentence(labelled(odd, hires))


def test_questions_that_are_offered_read_like_a_persons(hires: FixedCatalog) -> None:
    asked = [offer.question for offer in offers_for(hires.tables()[0], hires)]
    assert "What is the total fee by month of return date?" in asked
    assert not [question for question in asked if "tot fee" in question or " nm" in question]


def test_a_shortened_word_with_several_meanings_stays_as_written_where_nothing_decides(hires: FixedCatalog) -> None:
    meaning = dictionary_of(hires)["boat_hires"].column("dep_amt")
    assert meaning is not None
    assert meaning.label == "dep amount"


def test_counted_rows_are_called_what_they_are_in_the_table_too(warehouse: LocalWarehouse, tmp_path: Path) -> None:
    lines = [f"T{n},{('Uma', 'Vic')[n % 3 > 0]},2026-0{n % 6 + 1}-11,{n % 40}" for n in range(60)]
    (tmp_path / "service_desk.csv").write_text("\n".join(["tkt_id,agent,opn_dt,rsp_hrs", *lines]))
    desk = catalog_from_files([tmp_path / "service_desk.csv"], tmp_path / "tables")
    asked = Question("How many tickets by agent?", today=date(2026, 6, 30))
    said = answer(asked, catalog=desk, warehouse=warehouse, onward=False)
    assert said.result is not None
    assert [column.name for column in said.result.columns] == ["Agent", "Number of tickets"]


def test_a_figures_column_has_no_capital_in_the_middle_of_its_head(tmp_path: Path, warehouse: LocalWarehouse) -> None:
    (tmp_path / "visits.csv").write_text("patient,fee_taken\nAnn,40\nBob,55\nAnn,45\n", encoding="utf-8")
    catalog = catalog_from_files([tmp_path / "visits.csv"], tmp_path / "tables")
    taken = Aggregate(fn="sum", of=ColumnRef(table="visits", column="fee_taken"))
    by = Output(label="Patient", expr=ColumnRef(table="visits", column="patient"))
    for label in ("Total Fee taken", "Total fee_taken"):
        plan = Query(source="visits", groups=(by,), measures=(Output(label=label, expr=taken),))
        said = answered(plan, catalog, warehouse).result
        assert said is not None
        assert [column.name for column in said.columns] == ["Patient", "Total fee taken"]


def test_rows_that_are_counted_by_their_shortened_key_are_called_what_they_are(
    tmp_path: Path, warehouse: LocalWarehouse
) -> None:
    lines = [f"B{n},{('Den', 'Loft')[n % 2]},{n % 5}" for n in range(40)]
    (tmp_path / "room_bookings.csv").write_text("\n".join(["bkng_id,room,players", *lines]), encoding="utf-8")
    catalog = catalog_from_files([tmp_path / "room_bookings.csv"], tmp_path)
    counted = Aggregate(fn="count", of=ColumnRef(table="room_bookings", column="bkng_id"))
    plan = Query(source="room_bookings", measures=(Output(label="Number of bkng values", expr=counted),))
    said = answered(plan, catalog, warehouse)
    assert said.text.startswith("There are **40 bookings**.")


def test_what_a_mark_alone_tells_apart_keeps_its_name(tmp_path: Path, warehouse: LocalWarehouse) -> None:
    """The mark that all columns have says what "cst_id" is of: without it these would be "different values"."""
    lines = "cst_id,cst_city,cst_since\n" + "".join(f"{n % 9},Leeds,2024-01-0{1 + n % 5}\n" for n in range(20))
    (tmp_path / "cust_info.csv").write_text(lines, encoding="utf-8")
    catalog = catalog_from_files([tmp_path / "cust_info.csv"], tmp_path / "tables")
    of = ColumnRef(table="cust_info", column="cst_id")
    counted = Aggregate(fn="count", of=of, distinct=True)
    plan = Query(source="cust_info", measures=(Output(label="Number of different cst ids", expr=counted),))
    assert "There are **9 different customers**" in answered(plan, catalog, warehouse).text
