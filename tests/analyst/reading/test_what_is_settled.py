"""What the words of a question settle reaches the plan: each repair of a sketch is made on the way from the network to
what is told."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from apps.analyst.computing.compute import compute
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.language import Reading
from apps.analyst.plan import Aggregate, ColumnRef, Output, Query
from apps.analyst.reading import weighing
from apps.analyst.reading.candidates import Candidate, as_meant, as_said, namer_of, planned, proposed
from apps.analyst.reading.composing import schema_of
from apps.analyst.reading.linking import Linked, link
from apps.analyst.reading.reader import Weighed, read
from apps.analyst.reading.search import Guess
from apps.analyst.reading.sketch import LEAVES, NOTHING, NUMBER, Sketch, walk
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Question

TODAY = date(2025, 10, 15)
ALL: tuple[Sketch, ...] = (NOTHING, ("nohaving",), ("all",))


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    folder: Path = tmp_path_factory.mktemp("club")
    rows = [
        f"{n},{n % 6},{('CSH', 'CRD', 'TRF')[n % 3]},{('Kayak', 'Canoe', 'Yacht')[n % 3]},2025-0{1 + n % 9}-11,"
        f"2025-0{1 + n % 9}-13,{n},{n + 1},{n + 2},{n + 3}"
        for n in range(60)
    ]
    head = "rental_no,member_no,pay_cd,boat,out_dt,back_dt,fee_actual,fee_plan,hours_actual,hours_plan"
    (folder / "rentals.csv").write_text("\n".join([head, *rows]))
    people = [f"{n},{('Ada', 'Bo', 'Cy')[n % 3]},{('Reed', 'Stone')[n % 2]}" for n in range(6)]
    (folder / "members.csv").write_text("\n".join(["member_no,fst_nm,sur_nm", *people]))
    return catalog_from_files([folder / "rentals.csv", folder / "members.csv"], folder / "tables")


def at(name: str, linked: Linked) -> Sketch:
    return ("C", next(n for n, (_, c) in enumerate(linked.index.columns) if c.name == name))


def value(name: str, linked: Linked) -> Sketch:
    return ("W", next(n for n, one in enumerate(linked.items) if one.value == name))


def meant(text: str, made: str, club: FixedCatalog) -> Sketch:
    """A sketch of the network as the question means it."""
    linked = link(Question(text, today=TODAY), club)
    total: Sketch = ("sum", at("fee_actual", linked))
    by_boat: Sketch = ("k1", at("boat", linked))
    boats = ("in2", value("Kayak", linked), value("Canoe", linked))
    lasted: Sketch = ("avg", ("span", ("in_days",), at("out_dt", linked), at("back_dt", linked)))
    last: Sketch = ("first", ("desc",), ("bym", lasted), ("onlyone",))
    sketches: dict[str, Sketch] = {
        "period": ("agg", ("m1", total), ("on", at("out_dt", linked), ("D", 0))),
        "plan": ("agg", ("m1", ("minus", total, ("sum", at("hours_plan", linked)))), NOTHING),
        "sides": ("group", by_boat, ("m1", total), boats, *ALL[1:]),
        "speed": ("group", by_boat, ("m0",), NOTHING, ("nohaving",), last),
    }
    return as_meant(sketches[made], linked, dictionary_of(club))


def test_all_that_is_said_of_time_reaches_the_sketch(club: FixedCatalog) -> None:
    assert ("D", 2) in walk(meant("fees in July plus August 2025", "period", club))


def test_the_plan_of_the_same_figure_reaches_the_sketch(club: FixedCatalog) -> None:
    linked = link(Question("fee against plan", today=TODAY), club)
    assert ("sum", at("fee_plan", linked)) in walk(meant("fee against plan", "plan", club))


def test_the_values_that_are_listed_reach_the_sketch(club: FixedCatalog) -> None:
    linked = link(Question("fees, Kayak vs Yacht", today=TODAY), club)
    assert value("Yacht", linked) in walk(meant("fees, Kayak vs Yacht", "sides", club))


def test_a_side_in_other_words_leaves_the_groups_whole(club: FixedCatalog) -> None:
    assert meant("fees, Kayak vs Canoe vs dinghy", "sides", club)[3] == NOTHING


def test_the_end_that_a_superlative_names_reaches_the_sketch(club: FixedCatalog) -> None:
    assert meant("which boat is back fastest", "speed", club)[-1][1] == ("asc",)


def plan_of(text: str, sketch: Sketch, club: FixedCatalog) -> Query:
    question = Question(text, today=TODAY)
    tables, known = {t.name: t for t in club.tables()}, dictionary_of(club)
    schema = schema_of(tables, list(club.joins()), namer_of(club), TODAY, known)
    plan = planned(sketch, Guess((), -0.1), 0, link(question, club), schema, club, question).plan
    assert isinstance(plan, Query)
    return plan


def test_periods_of_one_length_reach_the_plan(club: FixedCatalog) -> None:
    text = "July to September: by which percentage are all the fees up or down against 2024"
    linked = link(Question(text, today=TODAY), club)
    one, other = (
        ("given", ("sum", at("fee_actual", linked)), ("on", at("out_dt", linked), ("D", place))) for place in (1, 2)
    )
    said = plan_of(text, ("agg", ("m1", ("growth", one, other)), NOTHING), club).model_dump_json()
    assert all(day in said for day in ("2025-07-01", "2024-07-01", "2024-10-01"))
    assert "2024-01-01" not in said


def test_both_names_of_people_and_their_number_reach_the_plan(club: FixedCatalog) -> None:
    text = "who paid the most"
    linked = link(Question(text, today=TODAY), club)
    sketch: Sketch = ("group", ("k1", at("fst_nm", linked)), ("m1", ("sum", at("fee_actual", linked))), *ALL)
    groups = [group.expr for group in plan_of(text, sketch, club).groups]
    assert [one.column for one in groups if isinstance(one, ColumnRef)] == ["fst_nm", "sur_nm", "member_no"]


def test_where_the_network_looked_reaches_the_judge(club: FixedCatalog) -> None:
    made, _ = read(Question("total fee by boat", today=TODAY), club, LocalWarehouse(threads=1), ())
    looked = [one.seen for one in made if one.seen.network is not None]
    assert looked
    assert all(
        one.heeded is not None and one.attended is not None and (one.attended >= one.heeded).all() for one in looked
    )


def test_a_reading_that_passes_a_code_over_is_asked_about_behind_one_that_heeds_it(club: FixedCatalog) -> None:
    warehouse = LocalWarehouse(threads=1)
    question = Question("how much of it was by card", today=TODAY)
    total = Output(label="fee", expr=Aggregate(fn="sum", of=ColumnRef(table="rentals", column="fee_actual")))
    plan = Query(source="rentals", measures=(total,))
    by_code = plan.model_copy(
        update={"groups": (Output(label="pay", expr=ColumnRef(table="rentals", column="pay_cd")),)}
    )
    ranked = [
        Weighed(Reading(plan=one, score=score), compute(one, club, warehouse))
        for one, score in ((plan, 0.9), (by_code, 0.2))
    ]
    said = weighing.told(question, ranked, (), club, warehouse, lambda *_, **__: None, None, onward=False)
    assert said.status == "clarify"
    assert "pay" in said.choices[0].label.casefold()
    sure = replace(ranked[0], reading=replace(ranked[0].reading, score=0.99))
    plain = Question("how much is it", today=TODAY)
    assert (
        weighing.told(plain, [sure], (), club, warehouse, lambda *_, **__: None, None, onward=False).status
        == "answered"
    )


def written_as(sketch: Sketch) -> tuple[tuple[str, int], ...]:
    """The actions that write a sketch whose leaves are places."""
    if len(sketch) == 2 and sketch[0] in LEAVES and isinstance(sketch[1], int):
        return ((sketch[0], sketch[1]),)
    return (("=", NUMBER[sketch[0]]), *(action for part in sketch[1:] for action in written_as(part)))


def kept_of(text: str, key: str, figure: str, unsaid: str, catalog: FixedCatalog) -> list[Candidate]:
    """What is kept of a figure by a key for one stored value, which is likelier, and for all rows."""
    question = Question(text, today=TODAY)
    linked, known = link(question, catalog), dictionary_of(catalog)
    schema = schema_of({t.name: t for t in catalog.tables()}, list(catalog.joins()), namer_of(catalog), TODAY, known)
    by_key, summed = ("k1", at(key, linked)), ("m1", ("sum", at(figure, linked)))
    sketches = [("group", by_key, summed, *rest) for rest in ((("is", value(unsaid, linked)), *ALL[1:]), ALL)]
    made = [
        planned(sketch, Guess(written_as(sketch), score), 0, linked, schema, catalog, question)
        for sketch, score in zip(sketches, (-0.1, -2.5), strict=True)
    ]
    return as_said(made, linked)


def test_what_is_written_in_two_orders_is_one_candidate_with_the_probability_of_both(club: FixedCatalog) -> None:
    question = Question("rentals paid in cash or by transfer, with a fee actual, by boat", today=TODAY)
    linked = link(question, club)
    paid, told = (value("CSH", linked), value("TRF", linked)), ("filled", at("fee_actual", linked))
    orders = (("and", ("in2", *paid), told), ("and", told, ("in2", *reversed(paid))))
    written = [
        Guess(written_as(("group", ("k1", at("boat", linked)), ("m1", ("count", ("T", 0))), order, *ALL[1:])), score)
        for order, score in zip(orders, (-1.0, -2.0), strict=True)
    ]
    alone, both = (proposed(question, club, some).candidates for some in (written[:1], written))
    assert [c.plan for c in both] == [c.plan for c in alone]
    assert math.exp(both[0].score) == pytest.approx(math.exp(-1.0) + math.exp(-2.0))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("total fee actual by boat", 1),
        ("rentals by boat", 1),
        ("takings by boat", 2),  # "takings" is no column: it may be those that were paid in cash
        ("cash fee actual by boat", 2),
    ],
)
def test_a_question_that_names_columns_alone_is_not_about_a_value_that_it_does_not_name(
    text: str, told: int, club: FixedCatalog
) -> None:
    found = kept_of(text, "boat", "fee_actual", "TRF", club)
    assert len(found) == told
    assert "TRF" not in found[-1].plan.model_dump_json()
    assert told == 2 or found[0].score > -0.02  # with the probability of the one that is left out


@pytest.mark.parametrize(
    ("text", "told"), [("total amount by owner", 1), ("deals amount by region", 1), ("total amount by source", 2)]
)
def test_a_column_is_named_whole_where_the_rest_of_its_name_is_its_tables(text: str, told: int, tmp_path: Path) -> None:
    rows = "\n".join(f"{n},{('Ada', 'Bo')[n % 2]},{('Won', 'Lost', 'Open')[n % 3]},web ad,East,{n}" for n in range(30))
    (tmp_path / "crm_deals.csv").write_text(f"Deal ID,Deal owner,Deal status,Lead source,Region,Amount\n{rows}")
    catalog = catalog_from_files([tmp_path / "crm_deals.csv"], tmp_path / "tables")
    assert len(kept_of(text, "Deal owner", "Amount", "Won", catalog)) == told
