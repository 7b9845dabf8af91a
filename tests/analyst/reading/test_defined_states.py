"""A figure whose definition names a state is read over things in that state."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.conversation.readas.marks import unread
from apps.analyst.pipeline import answer
from apps.analyst.plan import Aggregate, AllOf, Among, ColumnRef, Compare, Constant, Output, Predicate, Query
from apps.analyst.reading.defined_states import defined_in, defined_of
from apps.analyst.reading.linking import link, tokens_of
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Question

STAGES = ["Discovery", "Proposal", "Closed Won", "Closed Lost"]
TODAY = date(2026, 3, 31)


def of(where: Predicate | None = None) -> Query:
    figure = Aggregate(fn="sum", of=ColumnRef(table="opportunities", column="Amount"))
    return Query(source="opportunities", where=where, measures=(Output(label="Total amount", expr=figure),))


def stages(*values: str, negated: bool = False) -> Among:
    of = ColumnRef(table="opportunities", column="Stage")
    return Among(of=of, values=tuple(Constant(value=value) for value in values), negated=negated)


def marked(column: str, value: bool) -> Compare:
    of = ColumnRef(table="opportunities", column=column)
    return Compare(op="=", left=of, right=Constant(value=value, type="boolean"))


def said(column: str, value: str) -> Compare:
    of = ColumnRef(table="opportunities", column=column)
    return Compare(op="=", left=of, right=Constant(value=value))


def both(*tests: Predicate) -> AllOf:
    return AllOf(of=tests)


OPEN = stages("Closed Won", "Closed Lost", negated=True)


@pytest.mark.parametrize(
    ("text", "where", "agrees"),
    [
        ("pipeline by owner", OPEN, True),
        ("pipeline by owner", stages("Discovery", "Proposal"), True),
        ("pipeline by owner", stages("Closed Won"), False),
        ("pipeline by owner", stages("Closed Lost", negated=True), False),
        ("pipeline by owner", both(stages("Closed Lost", negated=True), stages("Closed Won", negated=True)), True),
        ("pipeline by owner", None, False),
        ("pipeline by owner", marked("Is won", True), False),
        ("pipeline by owner", marked("Is won", False), False),
        ("bookings last month", stages("Closed Won"), True),
        ("bookings last month", OPEN, False),
        ("win rate by owner", stages("Closed Won"), True),
        ("win rate by owner", stages("Closed Lost"), False),
        ("cancellation rate by month", said("Cancelled", "Yes"), True),
        ("cancellation rate by month", said("Cancelled", "No"), False),
    ],
)
def test_a_plan_agrees_that_keeps_what_the_definition_names(
    text: str, where: Predicate | None, agrees: bool, book: FixedCatalog
) -> None:
    defined = defined_in(tokens_of(text))
    assert defined is not None
    assert defined.agrees(of(where), book.tables()) == agrees


@pytest.mark.parametrize(
    "text",
    ["total amount by pipeline", "lost pipeline by owner", "average deal size by owner", "amount by stage", ""],
    ids=["what is grouped by", "the question says a state itself", "of each thing", "no such figure", "nothing"],
)
def test_all_other_questions_define_no_state(text: str) -> None:
    assert defined_in(tokens_of(text)) is None


def test_the_words_of_the_figure_are_found_where_they_stand() -> None:
    defined = defined_in(tokens_of("what is our pipeline by owner"))
    assert defined is not None
    assert defined.places == {3}


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    """Opportunities that have a column called as the figure is, too."""
    folder: Path = tmp_path_factory.mktemp("book")
    names = "Opportunity,Owner,Stage,Pipeline,Amount,Close Date"
    owner, kind = ("Ada", "Bo", "Cy"), ("New", "Renewals")
    rows = [
        f"Case {n},{owner[n % 3]},{STAGES[n % 4]},{kind[n % 2]},{1000 + n},2026-0{n % 6 + 1}-15" for n in range(120)
    ]
    (folder / "opportunities.csv").write_text("\n".join([names, *rows]))
    return catalog_from_files([folder / "opportunities.csv"], folder / "tables")


def test_pipeline_is_what_is_open_and_no_word_is_left_over(book: FixedCatalog) -> None:
    made = answer(Question("total pipeline by owner", TODAY), catalog=book, warehouse=LocalWarehouse())
    assert made.result is not None, made.text
    own = {
        owner: sum(1000 + n for n in range(120) if n % 4 < 2 and n % 3 == p)
        for p, owner in enumerate(("Ada", "Bo", "Cy"))
    }
    assert {str(row[0]): int(row[1]) for row in made.result.rows} == own
    assert made.read_as is not None
    assert made.read_as.unread == ()


@pytest.mark.parametrize(
    ("where", "left"), [(said("Status", "Churned"), []), (None, ["attrition"])], ids=["who left", "in any state"]
)
def test_the_word_of_the_figure_has_its_place_where_the_plan_has_the_state(
    where: Predicate | None, left: list[str], tmp_path: Path
) -> None:
    rows = [f"Case {n},{('Active', 'Churned')[n % 2]},{1000 + n}" for n in range(60)]
    (tmp_path / "opportunities.csv").write_text("\n".join(["Opportunity,Status,Amount", *rows]))
    catalog = catalog_from_files([tmp_path / "opportunities.csv"], tmp_path / "tables")
    text = "attrition rate by opportunity"
    assert [text[a:b] for a, b in unread(Question(text, TODAY), of(where), catalog)] == left


def test_what_a_column_of_figures_holds_is_not_defined_again(tmp_path: Path) -> None:
    rows = [f"S{n:03},{('Solo', 'Crew')[n % 2]},{('active', 'cancelled')[n % 3 == 0]},{20 + n}" for n in range(90)]
    (tmp_path / "subscriptions.csv").write_text("\n".join(["Subscription ID,Plan,Status,MRR", *rows]))
    catalog = catalog_from_files([tmp_path / "subscriptions.csv"], tmp_path / "tables")
    assert defined_in(tokens_of("total mrr by plan")) is not None
    assert defined_of(link(Question("total mrr by plan", TODAY), catalog)) is None
