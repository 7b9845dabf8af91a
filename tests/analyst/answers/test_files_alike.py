"""What files alike give together, and what is told where the reading's own file gives nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from apps.analyst.computing.compute import compute
from apps.analyst.conversation.readas.elsewhere import together
from apps.analyst.conversation.readas.phrasing import as_questions
from apps.analyst.conversation.which_file import file_settled
from apps.analyst.language import Reading
from apps.analyst.plan import Aggregate, ColumnRef, Compare, Constant, Join, JoinKey, Output, Query
from apps.analyst.plan.sentence import plan_sentence
from apps.analyst.reading.reader import Weighed
from apps.analyst.telling.evidence import tables_of
from apps.analyst.telling.followups import suggest
from apps.analyst.types import Question
from tests.analyst.answers.orchards import HARVEST, PICKING, TODAY, Desk


def crates_of(orchard: str, table: str) -> Query:
    where = Compare(op="=", left=ColumnRef(table=table, column="Orchard"), right=Constant(value=orchard, type="text"))
    figure = Aggregate(fn="sum", of=ColumnRef(table=table, column="Crates"))
    return Query(source=table, where=where, measures=(Output(label="Total crates", expr=figure),))


@pytest.mark.parametrize(
    ("orchard", "text", "file"),
    [("Seaside", "Crates of Seaside", "picking"), ("Nowhere", "Crates of Nowhere in picking", "picking")],
)
def test_a_reading_over_a_file_that_gives_nothing_goes_over_to_the_one_that_is_meant(
    orchard: str, text: str, file: str, tmp_path: Path
) -> None:
    desk = Desk(tmp_path / "copy", {"harvest": HARVEST, "picking": PICKING, "picking copy": PICKING})
    plan = crates_of(orchard, "harvest")
    reading = Weighed(Reading(plan=plan, score=0.9), compute(plan, desk.catalog, desk.warehouse))
    settled, back = file_settled(Question(text, today=TODAY), [reading], desk.catalog, desk.warehouse)
    assert back is None
    assert tables_of(settled[0].reading.plan) == {file}
    assert tables_of(settled[0].computed.plan) == {file}


def test_a_file_that_has_nothing_of_what_is_asked_takes_nothing_from_the_others(tmp_path: Path) -> None:
    desk = Desk(tmp_path, {"harvest": HARVEST, "picking": PICKING})
    whole = together({name: crates_of("Seaside", name) for name in ("harvest", "picking")})
    assert whole is not None
    assert compute(whole, desk.catalog, desk.warehouse).result.rows == ((77, None, 77),)


def lent(first: int, names: str, wrong: int = 0) -> str:
    rows = [f"{n},{names[n % 4]} {n % 11},2025-0{n % 9 + 1}-1{n % 7},{first + n % 23 + (n < wrong)}" for n in range(60)]
    return "\n".join(["loan_no,borrower,lent_on,fine", *rows])


@pytest.mark.parametrize("numbers", ["the same loans", "other loans under the same numbers"])
def test_only_files_that_hold_other_things_are_added_up(numbers: str, tmp_path: Path) -> None:
    twice = numbers == "the same loans"
    other = lent(5, "ABCD", wrong=9) if twice else lent(40, "WXYZ").replace("2025-", "2024-")
    desk = Desk(tmp_path / "lent", {"loans east": lent(5, "ABCD"), "loans west": other})
    assert desk.catalog.joins(), "the numbers are found to be the same"
    offered = {choice.label for choice in desk.ask("What is the total of fines?").choices}
    assert offered == {"loans east", "loans west", *(() if twice else ("All together",))}
    named = desk.ask("Total fine in loans east and loans west")
    assert named.status == ("clarify" if twice else "answered")


def months(*names: str) -> dict[str, str]:
    """As many orders in each month, of the same customers, and no order twice."""
    return {
        f"orders_{name}": "\n".join(
            ["order_id,order_date,customer,amount"]
            + [f"{100 * at + n},2026-0{at}-{n % 28 + 1:02d},Customer {n % 12},{10 * at + n % 13}" for n in range(60)]
        )
        for at, name in enumerate(names, 1)
    }


def test_as_many_orders_in_each_month_are_no_answer_for_all_months(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "months", months("jan", "feb", "mar"))
    said = desk.go_on("How many orders were there?")
    assert (said.status, said.result) == ("clarify", None)
    assert said.text == "Each of orders_jan, orders_feb and orders_mar can answer this, each with the same figure."
    figures = {choice.label: choice.figure for choice in said.choices}
    assert figures == {"orders_jan": "60", "orders_feb": "60", "orders_mar": "60", "All together": "180"}
    together = desk.ask("All together")
    assert together.result is not None
    assert together.result.rows[0][0] == 180


def test_what_is_the_same_in_every_file_and_does_not_add_up_is_told(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "months", months("jan", "feb"))
    said = desk.ask("How many different customers were there?")
    assert said.status == "answered"
    assert [note.endswith(" gives the same.") for note in said.evidence.notes] == [True]


def test_files_are_put_in_the_order_of_their_days(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "months", months("march", "april", "february"))
    labels = [choice.label for choice in desk.ask("What is the total amount?").choices]
    assert labels == ["orders_march", "orders_april", "orders_february", "All together"]


def test_two_files_that_are_named_are_added_up_and_their_rows_are_not_matched(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "months", months("jan", "feb", "mar"))
    amounts = [ColumnRef(table=f"orders_{name}", column="amount") for name in ("jan", "feb")]
    keys = [ref.model_copy(update={"column": "customer"}) for ref in amounts]
    plan = Query(
        source="orders_jan",
        joins=(Join(table="orders_feb", on=(JoinKey(left=keys[0], right=keys[1]),)),),
        measures=tuple(Output(label=f"Total of {r.table}", expr=Aggregate(fn="sum", of=r)) for r in amounts),
    )
    reading = Weighed(Reading(plan=plan, score=0.9), compute(plan, desk.catalog, desk.warehouse))
    question = Question("total amount in orders_jan and orders_feb", today=TODAY)
    settled, back = file_settled(question, [reading], desk.catalog, desk.warehouse)
    assert back is None
    january, february = (sum(10 * at + n % 13 for n in range(60)) for at in (1, 2))
    assert settled[0].computed.result.rows == ((january + february, january, february),)
    _, back = file_settled(replace(question, text="total amount"), [reading], desk.catalog, desk.warehouse)
    assert back is not None
    labels = {choice.label for choice in back.choices}
    assert labels == {"orders_jan", "orders_feb", "All together", "Rows matched by customer"}


def test_a_figure_of_several_files_is_worded_once() -> None:
    whole = together({name: crates_of("Seaside", name) for name in ("harvest", "picking")})
    assert whole is not None
    said = "Total crates in harvest and picking, where Orchard is Seaside, added up."
    assert plan_sentence(whole).casefold() == said.casefold()


def test_a_reading_that_is_offered_names_its_file_where_others_are_like_it(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "months", months("jan", "feb"))
    figure = Aggregate(fn="sum", of=ColumnRef(table="orders_jan", column="amount"))
    plan = Query(source="orders_jan", measures=(Output(label="Total amount", expr=figure),))
    assert as_questions([plan], desk.catalog) == ["Total amount, in orders_jan"]


def test_of_files_alike_one_is_offered_to_be_asked_about_and_named(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "months", months("jan", "feb", "mar"))
    offered = suggest(desk.catalog, 4)
    assert len(offered) == 4
    assert len({name for text in offered for name in months("jan", "feb", "mar") if name in text}) == 1
    assert not any(text.startswith("How many rows of") for text in offered)
