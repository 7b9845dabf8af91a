"""Where the figure lies in another file, too, and nothing says which is meant, the answer says of which it is."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.conversation.readas.also_held import also_held
from apps.analyst.pipeline import answer
from apps.analyst.plan import Aggregate, Between, ColumnRef, Compare, Constant, Output, Plan, Predicate, Query
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Question, Turn

TODAY = date(2025, 5, 15)
SAID = "Taken from harbour post alone; river mail has amount spent, too"
Ask = Callable[..., str]


@pytest.fixture
def catalog(tmp_path: Path) -> FixedCatalog:
    """Two platforms that ads of a ferry are run on, and what the ferry sold."""
    days = [date(2025, 4, 1 + n % 28) for n in range(60)]
    made = {
        "harbour post": ["Day,Campaign,Clicks,Ad spend,Placement,Headline"]
        + [f"{day},Spring {n % 4},{n * 3},{20 + n},{('Top', 'Side')[n % 2]},H{n}" for n, day in enumerate(days)],
        "river mail": ["Reporting starts,Audience,Amount spent,Results,Frequency,Campaign name,Reach"]
        + [f"{day},A{n % 3},{9 + n % 7}.5,{n % 5},1.{n},Summer {n % 4},{n * 90}" for n, day in enumerate(days)],
        "crossings": ["Crossing No,Sailed On,Passengers,Fare total"]
        + [f"X{n},{day},{n + 4},{n * 8 + 3}" for n, day in enumerate(days)],
    }
    for name, lines in made.items():
        (tmp_path / f"{name}.csv").write_text("\n".join(lines), encoding="utf-8")
    return catalog_from_files(sorted(tmp_path.glob("*.csv")), tmp_path / "tables")


@pytest.fixture
def told(catalog: FixedCatalog) -> Ask:
    def ask(text: str, plan: Plan, *before: Plan) -> str:
        turns = tuple(Turn("before", one, "") for one in before)
        return also_held(Question(text, today=TODAY, turns=turns), plan, catalog)

    return ask


def col(name: str, table: str = "harbour post") -> ColumnRef:
    return ColumnRef(table=table, column=name)


def spent(where: Predicate | None = None, by: str = "") -> Query:
    groups = (Output(label="Group", expr=col(by)),) if by else ()
    measure = Output(label="Spend", expr=Aggregate(fn="sum", of=col("Ad spend")))
    return Query(source="harbour post", measures=(measure,), groups=groups, where=where)


APRIL = Between(
    of=col("Day"), low=Constant(value="2025-04-01", type="date"), high=Constant(value="2025-04-30", type="date")
)
TOP = Compare(op="=", left=col("Placement"), right=Constant(value="Top"))


def test_a_figure_that_lies_in_two_files_is_said_to_be_of_one(told: Ask) -> None:
    assert told("spend last month", spent(APRIL)) == SAID
    assert told("spend", spent()) == SAID
    assert told("spend by campaign", spent(by="Campaign")) == SAID


def test_nothing_is_said_where_the_question_its_thread_or_a_column_tells_which(told: Ask) -> None:
    assert told("spend on the harbour post last month", spent(APRIL)) == ""
    assert told("spend at the top last month", spent(TOP)) == ""
    assert told("spend by placement", spent(by="Placement")) == ""
    assert told("and last month", spent(APRIL), spent()) == ""


def test_nothing_is_said_where_no_other_file_has_the_figure(told: Ask) -> None:
    sold = Output(label="Fares", expr=Aggregate(fn="sum", of=col("Fare total", "crossings")))
    assert told("fares last month", Query(source="crossings", measures=(sold,))) == ""


def test_an_answer_says_of_which_file_it_is(catalog: FixedCatalog) -> None:
    question = Question("What is the total ad spend by campaign?", today=TODAY)
    said = answer(question, catalog=catalog, warehouse=LocalWarehouse())
    assert said.status == "answered", said.text
    assert SAID in said.assumptions
