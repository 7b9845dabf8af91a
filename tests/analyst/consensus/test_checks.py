"""Answers are checked against other ways without any model: traps part the ways, plain questions do not."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from apps.analyst.approaches.checking import Check, Given, Ports, Selected, check
from apps.analyst.approaches.consensus import same
from apps.analyst.approaches.recounting import Recount, recount_here, recount_in_child, why_it_ended
from apps.analyst.computing.compute import compute
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.errors import PlanRejected, QueryFailed
from apps.analyst.pipeline import answer
from apps.analyst.plan import Aggregate, Arithmetic, Call, ColumnRef, Constant, Output, Query
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.types import Question, Step, Turn
from tests.analyst.consensus.planted import PLAIN, TRAPS, Planted, catalogs

TODAY = date(2025, 8, 10)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> dict[str, FixedCatalog]:
    return catalogs(tmp_path_factory.mktemp("planted"))


def checked(
    planted: Planted,
    data: dict[str, FixedCatalog],
    warehouse: LocalWarehouse,
    recount: Recount = recount_here,
    turns: tuple[Turn, ...] = (),
) -> Check:
    question, catalog = Question(planted.text, today=TODAY, turns=turns), data[planted.folder]
    given = answer(question, catalog=catalog, warehouse=warehouse, learned=False, onward=False)
    assert given.result is not None, planted
    steps: list[Step] = []
    found = check(
        question, Selected("builtin", given.plan, given.result), Ports(catalog, warehouse, recount, steps.append)
    )
    assert steps[0].label == "Reading the question anew"
    return found


def verdicts(
    planted: tuple[Planted, ...], data: dict[str, FixedCatalog], warehouse: LocalWarehouse
) -> dict[Planted, str]:
    """The verdict on each question; one that the reader declines has none."""
    found: dict[Planted, str] = {}
    for one in planted:
        given = answer(
            Question(one.text, today=TODAY), catalog=data[one.folder], warehouse=warehouse, learned=False, onward=False
        )
        found[one] = checked(one, data, warehouse).verdict if given.status == "answered" else given.status
    return found


def test_the_set_is_the_one_that_the_goal_names() -> None:
    assert (len(PLAIN), len(TRAPS)) == (40, 20)
    assert {planted.trap for planted in TRAPS} == {"date field", "join", "currency", "totals", "missing"}


def test_of_twenty_traps_at_least_fifteen_part_the_ways(
    data: dict[str, FixedCatalog], warehouse: LocalWarehouse
) -> None:
    # Known to be missed: amounts that carry different currency signs in their cells are read as plain figures.
    found = verdicts(TRAPS, data, warehouse)
    caught = [planted for planted, said in found.items() if said in ("disagree", "mixed")]
    assert len(caught) >= 15, found


def test_of_forty_plain_questions_at_least_thirty_five_agree(
    data: dict[str, FixedCatalog], warehouse: LocalWarehouse
) -> None:
    found = verdicts(PLAIN, data, warehouse)
    assert list(found.values()).count("agree") >= 35, found


@pytest.mark.parametrize(
    ("first", "verdict"),
    [("What was the total amount paid in 2024?", "agree"), ("What was the total amount in 2024?", "mixed")],
)
def test_the_date_that_a_thread_named_is_not_left_open_where_it_goes_on(
    first: str, verdict: str, data: dict[str, FixedCatalog], warehouse: LocalWarehouse
) -> None:
    said = Question(first, today=TODAY)
    told = answer(said, catalog=data["invoices"], warehouse=warehouse, learned=False, onward=False)
    turns = (Turn(first, told.plan, told.text),)
    assert checked(Planted("invoices", "only 2023"), data, warehouse, turns=turns).verdict == verdict


def test_at_least_three_ways_answer_without_any_model(data: dict[str, FixedCatalog], warehouse: LocalWarehouse) -> None:
    found = checked(PLAIN[1], data, warehouse)
    assert [one.approach for one in found.checked] == ["builtin", "frames", "sheet"]
    assert [one.standing.group for one in found.checked] == ["A", "A", "A"]
    assert [one.standing.best for one in found.checked] == [True, False, False]


def test_the_file_that_is_asked_for_is_no_word_of_the_question(
    data: dict[str, FixedCatalog], warehouse: LocalWarehouse
) -> None:
    found = checked(replace(PLAIN[1], text=f"{PLAIN[1].text.rstrip('?.')} as a PDF"), data, warehouse)
    assert found.checked[0].grounds is not None
    assert found.checked[0].grounds.unread == ()


@pytest.mark.parametrize(
    ("folder", "step", "words"),
    [
        ("invoices", "date field", "paid on"),
        ("projects", "join", "20 rows of projects become 120"),
        ("twins", "join", "first match"),
        ("regional", "filter", "All regions"),
        ("world", "grouping", "currency"),
        ("survey", "measure", "missing values of score as 0"),
    ],
)
def test_the_first_step_at_which_a_way_parts_is_named(
    folder: str, step: str, words: str, data: dict[str, FixedCatalog], warehouse: LocalWarehouse
) -> None:
    found = checked(next(p for p in TRAPS if p.folder == folder), data, warehouse)
    parted = [one.parting for one in found.checked if one.parting is not None]
    assert [parting.step for parting in parted] == [step]
    assert words in parted[0].text
    assert found.checked[0].standing.best, "two of three agree with the selected answer"


def test_the_ways_that_recount_work_in_children_that_reach_only_their_tables(
    data: dict[str, FixedCatalog], warehouse: LocalWarehouse, tmp_path: Path
) -> None:
    here = checked(TRAPS[4], data, warehouse)
    there = checked(TRAPS[4], data, warehouse, recount_in_child)
    assert [(one.approach, one.standing, one.parting) for one in here.checked] == [
        (one.approach, one.standing, one.parting) for one in there.checked
    ]


def test_a_way_that_takes_too_long_is_ended_and_has_no_voice(
    data: dict[str, FixedCatalog], warehouse: LocalWarehouse
) -> None:
    def hasty(way: object, plan: object, catalog: object) -> object:
        return recount_in_child(way, plan, catalog, seconds=0.01)  # type: ignore[arg-type]

    with pytest.raises(PlanRejected, match="could not be checked"):
        checked(PLAIN[0], data, warehouse, hasty)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("code", "complaint", "told"),
    [
        (1, "Traceback:\n  ...\nMemoryError\n", "needed more memory than it may use"),
        (-6, "terminate called after throwing an instance of 'std::bad_alloc'\n", "needed more memory"),
        (1, "Traceback:\npyarrow.lib.ArrowMemoryError: malloc of size 64 failed\n", "needed more memory"),
        (-9, "", "ended by the system, most likely because the machine ran out of memory"),
        (-11, "", r"broke down \(SIGSEGV\)"),
        (1, "Traceback:\n  ...\nKeyError: 'a name of a customer'\n", r"broke down \(KeyError\)\.$"),
        (1, "Traceback:\nduckdb.duckdb.IOException: /data/7.parquet\n", r"broke down \(IOException\)\.$"),
        (0, "", "ended without an answer"),
    ],
)
def test_a_way_that_breaks_down_says_the_true_reason_and_nothing_of_the_data(
    code: int, complaint: str, told: str
) -> None:
    assert re.search(told, why_it_ended(code, complaint)) is not None


def test_a_recount_whose_table_is_gone_says_that_it_broke_down_and_not_that_memory_was_short(
    data: dict[str, FixedCatalog], tmp_path: Path
) -> None:
    from dataclasses import replace

    catalog = data["desk"]
    (table,) = catalog.tables()
    gone = FixedCatalog("gone", (replace(table, path=tmp_path / "gone.parquet"),))
    plan = Query(source=table.name, measures=(Output(label="n", expr=Aggregate(fn="count")),))
    with pytest.raises(QueryFailed, match=r"broke down \(\w+\)"):
        recount_in_child("sheet", plan, gone)


def test_an_answer_that_stands_beside_the_checked_one_is_compared_and_not_asked_for_again(
    data: dict[str, FixedCatalog], warehouse: LocalWarehouse
) -> None:
    question, catalog = Question("What is the total amount by region?", today=TODAY), data["shop"]
    given = answer(question, catalog=catalog, warehouse=warehouse, learned=False, onward=False)
    assert given.result is not None
    short = type(given.result)(given.result.columns, given.result.rows[:1], 1)

    def never() -> Given:
        raise AssertionError("asked although it had answered")

    ports = Ports(catalog, warehouse, recount_here, lambda step: None, (("a model", never),))
    found = check(
        question, Selected("builtin", given.plan, given.result), ports, [Selected("a model", given.plan, short)]
    )
    assert [one.approach for one in found.checked] == ["builtin", "a model", "frames", "sheet"]
    assert [one.standing.group for one in found.checked] == ["A", "B", "A", "A"]
    assert [one.parting is None for one in found.checked] == [True, False, True, True]
    assert found.verdict == "mixed"


def test_a_query_that_no_plan_says_over_a_question_that_nobody_here_reads_is_checked_by_another_model(
    data: dict[str, FixedCatalog], warehouse: LocalWarehouse
) -> None:
    question, catalog = Question("Zorp the quux, if you please?", today=TODAY), data["shop"]
    given = answer(Question("How many orders?", today=TODAY), catalog=catalog, warehouse=warehouse, learned=False)
    assert given.result is not None
    other = replace(given, approach="another model")
    ports = Ports(catalog, warehouse, recount_here, lambda step: None, (("another model", lambda: Given(other)),))
    found = check(question, Selected("a model", None, given.result), ports)
    assert [one.approach for one in found.checked] == ["a model", "another model"]
    assert found.verdict == "agree"
    grounds = found.checked[0].grounds
    assert grounds is not None
    assert grounds.computed_same == 0
    with pytest.raises(PlanRejected, match="could not be checked"):
        check(question, Selected("a model", None, given.result), replace(ports, models=()))


def test_an_answer_of_another_approach_is_checked_by_the_built_in_one_too(
    data: dict[str, FixedCatalog], warehouse: LocalWarehouse
) -> None:
    question = Question("What is the total amount by region?", today=TODAY)
    catalog = data["shop"]
    given = answer(question, catalog=catalog, warehouse=warehouse, learned=False, onward=False)
    assert given.result is not None
    assert isinstance(given.plan, Query)
    wrong = given.plan.model_copy(update={"source": "orders", "groups": given.plan.groups})
    short = type(given.result)(given.result.columns, given.result.rows[:1], 1)
    found = check(
        question, Selected("a model", wrong, short), Ports(catalog, warehouse, recount_here, lambda step: None)
    )
    assert found.verdict == "disagree"
    assert [one.approach for one in found.checked if one.standing.best] == ["builtin"]


def test_a_rate_that_guards_its_division_is_computed_over_frames_too(
    data: dict[str, FixedCatalog], warehouse: LocalWarehouse
) -> None:
    amount = ColumnRef(table="orders", column="amount")
    nought = Constant(value=0, type="number")
    rate = Arithmetic(
        op="/",
        left=Aggregate(fn="sum", of=amount),
        right=Call(name="nullif", args=(Aggregate(fn="count"), nought)),
    )
    plan = Query(source="orders", measures=(Output(label="Rate", expr=rate),))
    by_sql = compute(plan, data["shop"], warehouse).result
    assert same(by_sql, recount_here("frames", plan, data["shop"]).result)
