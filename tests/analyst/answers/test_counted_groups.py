"""The headline and the prose of answers that count groups, list them, or tell a figure over them."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from apps.analyst.computing.compute import compute
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.conversation.readas.phrasing import as_question
from apps.analyst.language.reading import Reading
from apps.analyst.plan import (
    Aggregate,
    Arithmetic,
    Between,
    Call,
    Compare,
    Constant,
    Expr,
    Join,
    JoinKey,
    Missing,
    Output,
    Query,
    ScalarQuery,
)
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.telling.answers import worded
from apps.analyst.types import Answer, Question
from tests.analyst.plans.short import col, is_, label, number, out, rows, total

KEY = out("client_id", col("client_id", "jobs"))
COUNT = out("Number", rows())
CLIENTS = Join(table="clients", on=(JoinKey(left=col("client_id", "jobs"), right=col("client_id", "clients")),))
FEE = total("fee_amt", "jobs")
DONE = is_("status", "done", "jobs")


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    """12 clients who signed up in 2023; client n has n % 4 + 1 jobs, the first of them 10 + n days later."""
    folder: Path = tmp_path_factory.mktemp("shop")
    clients, jobs = ["client_id,client_name,signed_up"], ["job_id,client_id,status,fee_amt,due_date,note"]
    for n in range(12):
        since = date(2023, 6, 1) + timedelta(days=20 * n)
        clients.append(f"C{n},Client {n},{since}")
        jobs += [
            f"J{n}{k},C{n},{('done', 'open')[k % 2]},{100 * (n + 1)},{since + timedelta(days=10 + n + 30 * k)},"
            f"{'late' if k else ''}"
            for k in range(n % 4 + 1)
        ]
    (folder / "clients.csv").write_text("\n".join(clients))
    (folder / "jobs.csv").write_text("\n".join(jobs))
    return catalog_from_files([folder / "clients.csv", folder / "jobs.csv"], folder / "tables")


def said(plan: Query, shop: FixedCatalog) -> Answer:
    return worded(
        Question("?", today=date(2024, 9, 1)), Reading(plan, 1.0), compute(plan, shop, LocalWarehouse(threads=1)), shop
    )


def jobs(**changes: object) -> Query:
    return Query(**{"source": "jobs", "groups": (KEY,), **changes})


def counted(op: str, left: Expr, right: Expr, **changes: object) -> Query:
    having = Compare(op=op, left=left, right=right)
    return Query(source=jobs(having=having, **changes), measures=(COUNT,))


def mean_per_client() -> ScalarQuery:
    inner = jobs(measures=(out("Total", FEE),))
    return ScalarQuery(query=Query(source=inner, measures=(out("x", Aggregate(fn="avg", of=label("Total"))),)))


DIFFERENT = Aggregate(fn="count", of=col("job_id", "jobs"), distinct=True)
TWICE = Arithmetic(op="*", left=mean_per_client(), right=number(2))


@pytest.mark.parametrize(
    ("plan", "title", "text"),
    [
        (counted(">=", rows(), number(3)), "Number of clients with at least 3 jobs",
         "There are **6 clients** with at least 3 jobs."),
        (counted("=", DIFFERENT, number(1)), "Number of clients with exactly 1 job",
         "There are **3 clients** with exactly 1 job."),
        (counted(">=", rows(), number(2), where=DONE), "Number of clients with at least 2 jobs with status done",
         "There are **6 clients** with at least 2 jobs with status done."),
        (counted(">", FEE, number(3_000)), "Number of clients whose total fee amount is over 3,000",
         "There are **3 clients** whose total fee amount is over 3,000."),
        (counted(">", FEE, number(3_900), where=DONE),
         "Number of clients whose total fee amount is over 3,900, counting only jobs with status done",
         "There are **no clients** whose total fee amount is over 3,900, counting only jobs with status done."),
        (counted(">", FEE, TWICE), "Number of clients whose total fee amount is over 2 times the average per client",
         "There is **1 client** whose total fee amount is over 2 times the average per client."),
    ],
)  # fmt: skip
def test_groups_that_are_counted_say_what_they_are_held_to(
    plan: Query, title: str, text: str, shop: FixedCatalog
) -> None:
    made = said(plan, shop)
    assert made.headline is not None
    assert made.headline.label == title
    assert made.text.startswith(text)
    assert as_question(plan, shop).startswith("Number of clients w")


def test_those_who_began_in_a_period_are_counted_by_their_first_event(shop: FixedCatalog) -> None:
    first = out("First due_date", Aggregate(fn="min", of=col("due_date", "jobs")))
    days = (Constant(value=f"{year}-01-01", type="date") for year in (2023, 2024))
    low, high = days
    began = Between(of=label(first.label), low=low, high=high, half_open=True)
    plan = Query(source=jobs(measures=(first,)), where=began, measures=(COUNT,))
    made = said(plan, shop)
    assert made.text.startswith("There are **10 clients** whose first due date is in 2023.")
    assert as_question(plan, shop) == "Number of clients whose first due date is in 2023"


def until_first(*groups: Output) -> Query:
    spread = Call(name="days_between", args=(col("signed_up", "clients"), col("due_date", "jobs")))
    each = jobs(joins=(CLIENTS,), groups=(*groups, KEY), measures=(out("Days", Aggregate(fn="min", of=spread)),))
    outer = tuple(out(group.label, label(group.label)) for group in groups)
    told = out("Average days from Signed up to first Due date", Aggregate(fn="avg", of=label("Days")), "days")
    return Query(source=each, groups=outer, measures=(told,))


def test_the_time_to_the_first_of_each_one_is_a_time_in_days(shop: FixedCatalog) -> None:
    made = said(until_first(), shop)
    assert made.text.startswith("The average time from signed up to first due date is **15.5 days**.")
    assert made.evidence.plan_sentence == (
        "Average days from signed up to first due date per client in jobs with clients."
    )
    assert as_question(until_first(), shop) == "Average days from signed up to first due date"
    by_status = said(until_first(out("Status", col("status", "jobs"))), shop)
    assert "has the highest average time from signed up to first due date: **" in by_status.text


def test_an_average_over_groups_has_its_conditions_where_they_belong(shop: FixedCatalog) -> None:
    inner = jobs(measures=(out("Jobs", rows()),), where=DONE)
    plan = Query(source=inner, measures=(out("Average of jobs", Aggregate(fn="avg", of=label("Jobs"))),))
    assert said(plan, shop).text.startswith("The average number of jobs with status done per client is **1.5**.")


def test_listed_groups_say_what_they_are_held_to(shop: FixedCatalog) -> None:
    rich = jobs(having=Compare(op=">", left=FEE, right=number(3_000)))
    assert said(rich, shop).text.startswith("3 clients whose total fee amount is over 3,000: ")


@pytest.mark.parametrize(
    ("other", "rest"),
    [
        (DONE.model_copy(update={"op": "!="}), "**12** others"),
        (is_("status", "open", "jobs"), "**12** with status open"),
    ],
)
def test_two_sides_are_told_in_one_sentence(other: Compare, rest: str, shop: FixedCatalog) -> None:
    figures = (out("A", Aggregate(fn="count", where=DONE)), out("B", Aggregate(fn="count", where=other)))
    made = said(Query(source="jobs", measures=figures), shop)
    assert made.text.startswith(f"There are **18 jobs** with status done and {rest}.")


def test_a_share_of_rows_with_a_value_says_so(shop: FixedCatalog) -> None:
    some = Aggregate(fn="count", where=Missing(of=col("note", "jobs"), negated=True))
    hundred = Arithmetic(op="*", left=number(100), right=some)
    share = out("Share of jobs (with note)", Arithmetic(op="/", left=hundred, right=rows()), "%")
    made = said(Query(source="jobs", measures=(share,)), shop)
    assert made.text.startswith("Jobs where note is given make up **60%** of all jobs.")
