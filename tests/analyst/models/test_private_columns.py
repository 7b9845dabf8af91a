"""Private columns and what an organization lets models see: looked for in everything that a model is sent."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from apps.analyst.approaches.models.answering import Models
from apps.analyst.approaches.models.data import join_line
from apps.analyst.approaches.models.instead import INSTEAD
from apps.analyst.approaches.models.layer import Reply, Said
from apps.analyst.approaches.models.queried import COMPUTED_BY
from apps.analyst.approaches.models.specs import ModelSpec
from apps.analyst.approaches.models.told import SPEAKS, Told, told_catalog
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.pipeline import answer
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Answer, JoinPath, Proven, Question, Turn

MODEL = ModelSpec("m", "Model M", "openai", "m", "k")
TODAY = date(2026, 1, 10)
SECRET, VALUE = "blood_group", "Rh-null golden"
COUNT = json.dumps({"sql": "SELECT count(*) AS donors FROM donors"})
Sent = list[str]


@pytest.fixture
def clinic(tmp_path: Path) -> FixedCatalog:
    """Donors with a private column, and what they gave; a join runs over another private one."""
    donors = ["donor_no,town,badge,blood_group"]
    donors += [f"D{n:03},{('Leeds', 'York')[n % 2]},{700 + n},{VALUE if n % 3 else 'A plus'}" for n in range(1, 41)]
    gifts = ["gift_no,donor_no,badge,given_on,units"]
    gifts += [f"G{n:04},D{n % 40 + 1:03},{701 + n % 40},2025-03-{n % 28 + 1:02},{n % 5 + 1}" for n in range(1, 121)]
    files = []
    for name, lines in (("donors", donors), ("gifts", gifts)):
        files.append(tmp_path / f"{name}.csv")
        files[-1].write_text("\n".join(lines) + "\n", encoding="utf-8")
    catalog = catalog_from_files(files, tmp_path / "tables")
    marked = (replace(table, private=("Blood_Group", "badge")) for table in catalog.tables())
    return FixedCatalog(catalog.version, tuple(marked), tuple(catalog.joins()))


def asked(
    text: str,
    catalog: FixedCatalog,
    say: Callable[[Sequence[Said]], str] = lambda turns: COUNT,
    told: Told = "values",
    **more: object,
) -> tuple[Answer, str]:
    """The answer, and everything that was sent to the model for it."""
    sent: Sent = []

    def talk(spec: ModelSpec, system: str, turns: Sequence[Said], **limits: object) -> Reply:
        sent.extend([system, *(turn.text for turn in turns)])
        return Reply(say(turns), 10, 10, 0.1)

    question, warehouse = replace(Question(text, today=TODAY), **more), LocalWarehouse()  # type: ignore[arg-type]
    models = Models([MODEL], talk, told=told)
    given = models.answer(
        question,
        catalog=catalog,
        warehouse=warehouse,
        emit=lambda step: None,
        builtin=lambda: answer(question, catalog=catalog, warehouse=warehouse, learned=False, onward=False),
    )
    warehouse.close()
    return given, "\n".join(sent)


def data_of(sent: str) -> str:
    """What stands in the prompt between the rules and the question."""
    return sent.split("\n<data>\n")[1].split("\n</data>")[0]


def test_neither_name_nor_values_nor_joins_of_a_private_column_are_sent(clinic: FixedCatalog) -> None:
    open_to_all = FixedCatalog(clinic.version, tuple(replace(t, private=()) for t in clinic.tables()), clinic.joins())
    _, before = asked("How many donors are there?", open_to_all)
    assert SECRET in before
    assert VALUE in before
    assert "badge" in before
    _, sent = asked("How many donors are there?", clinic)
    assert 'table "donors"' in sent
    for private in (SECRET, "blood group", VALUE, "badge"):
        assert private not in sent
    assert "join gifts.donor_no -> donors.donor_no" in sent


@pytest.mark.parametrize(
    "question",
    [
        "How many donors are there by blood group?",
        "How many donors are there for each blood_group?",
        f"How many donors are {VALUE}?",
        "How many donors have the blood group 'A plus'?",
    ],
)
def test_a_question_that_speaks_of_one_is_the_built_in_analysts(question: str, clinic: FixedCatalog) -> None:
    given, sent = asked(question, clinic)
    assert sent == ""
    assert given.approach == "builtin"
    assert given.status == "answered"
    assert given.assumptions[-2:] == (SPEAKS, INSTEAD)
    assert given.instead == SPEAKS


def test_texts_of_before_and_of_the_organization_are_sent_without_what_speaks_of_one(clinic: FixedCatalog) -> None:
    before = answer(
        Question("How many donors are there by blood group?", today=TODAY),
        catalog=clinic, warehouse=LocalWarehouse(), learned=False, onward=False,
    )  # fmt: skip
    assert before.plan is not None
    turns = (
        Turn("How many donors are there by blood group?", before.plan, before.text),
        Turn("And the rare ones?", None, f"26 are {VALUE}."),
        Turn("How many gifts are there?", None, "There are 120."),
    )
    _, sent = asked(
        "How many donors are there?",
        clinic,
        context=f"We run a clinic. Most are {VALUE}. Years begin in April.",
        keywords={"rare": f"{SECRET} is {VALUE}", "regular": "at least two gifts"},
        proven=(Proven("Who is rare?", before.plan, "rated"),),
        turns=turns,
    )
    for private in (SECRET, "blood group", VALUE, "Who is rare?"):
        assert private not in sent
    for open_text in ("We run a clinic.", "Years begin in April.", "at least two gifts", "How many gifts are there?"):
        assert open_text in sent


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * FROM donors",
        "SELECT d.* FROM donors d QUALIFY row_number() OVER (ORDER BY d.donor_no) < 9 -- all",
        "WITH donors AS (SELECT * FROM donors) SELECT *, dense_rank() OVER (ORDER BY town) AS place FROM donors",
        "SELECT *, reverse(town) AS backwards FROM donors",
        f"SELECT reverse({SECRET}) AS backwards FROM donors",
        f"WITH donors AS (SELECT * FROM donors) SELECT reverse(donors.{SECRET}) AS backwards FROM donors",
        "SELECT COLUMNS('.*') FROM donors",
        f"SELECT {SECRET}, count(*) FROM donors GROUP BY 1",
        f"SELECT town FROM donors d WHERE d.{SECRET} = 'A plus' QUALIFY row_number() OVER () < 3",
    ],
)
def test_no_query_of_a_model_reaches_one(query: str, clinic: FixedCatalog) -> None:
    given, sent = asked("Which donors are there?", clinic, lambda turns: json.dumps({"sql": query}))
    ours = sent.replace(json.dumps({"sql": query}), "").replace(query, "")
    for private in (VALUE, "A plus", "badge"):
        assert private not in ours
    if SECRET not in query:
        assert SECRET not in ours
        assert given.result is not None
        assert VALUE not in str(given.result.rows)
    else:
        assert given.approach == "builtin"


def test_a_query_outside_the_plans_still_runs_over_what_is_told(clinic: FixedCatalog) -> None:
    query = "SELECT *, reverse(town) AS backwards FROM donors ORDER BY donor_no DESC LIMIT 2 -- the last"
    given, _ = asked("Which donors are there?", clinic, lambda turns: json.dumps({"sql": query}))
    assert given.approach == "m"
    assert given.result is not None
    assert given.evidence.plan_sentence == COMPUTED_BY
    assert [column.name for column in given.result.columns][1:] == ["Town", "Backwards"]
    assert [row[0] for row in given.result.rows] == ["D040", "D039"]


def test_names_only_sends_no_value_no_range_and_no_count(clinic: FixedCatalog) -> None:
    turns = (Turn("How many gifts are there?", None, "There are 120."),)
    given, sent = asked("How many donors are in Leeds?", clinic, told="names", turns=turns)
    data = data_of(sent)
    assert "units integer" in data
    assert "asked before: How many gifts are there?" in data
    for value in ("Leeds", "York", "2025", "120", "40 rows", "1 to 5"):
        assert value not in data
    assert "Its template text" not in sent
    assert given.approach == "m"


def test_names_and_ranges_sends_ranges_and_no_value_and_no_result(clinic: FixedCatalog) -> None:
    _, sent = asked("How many donors are in Leeds?", clinic, told="ranges")
    data = data_of(sent)
    assert "1 to 5" in data
    assert "2025-03-01 to 2025-03-28" in data
    assert "40 rows" in data
    assert "Leeds" not in data
    assert "Its template text" not in sent


def test_what_the_engine_says_of_a_cell_is_not_sent_below_values(clinic: FixedCatalog) -> None:
    query = "SELECT CAST(town AS INTEGER) + row_number() OVER () AS n FROM donors"
    _, sent = asked("Number the towns.", clinic, lambda turns: json.dumps({"sql": query}), told="ranges")
    assert "Leeds" not in sent
    assert "York" not in sent


def test_a_table_of_private_columns_alone_is_not_there_for_a_model(clinic: FixedCatalog) -> None:
    hidden = tuple(
        replace(table, private=tuple(c.name for c in table.columns)) if table.name == "donors" else table
        for table in clinic.tables()
    )
    told = told_catalog(FixedCatalog("v", hidden, clinic.joins()))
    assert [table.name for table in told.tables()] == ["gifts"]
    assert told.joins() == ()


def test_how_many_find_a_partner_is_no_name() -> None:
    join = JoinPath("a", ("code",), "b", ("code",), 0.9, right_unique=True)
    assert "90 %" in join_line(join)
    assert "90 %" in join_line(join, "ranges")
    assert join_line(join, "names") == "join a.code -> b.code: many to one"


GIFTS = {"sql": "SELECT count(*) AS gifts FROM gifts"}


def test_what_is_private_in_a_file_that_is_not_asked_about_stays_private(clinic: FixedCatalog) -> None:
    _, sent = asked(
        "How many gifts are there?",
        clinic,
        lambda turns: json.dumps(GIFTS),
        files=("gifts.csv",),
        context=f"We run a clinic. Most are {VALUE}.",
        keywords={"rare": f"{SECRET} is {VALUE}"},
        turns=(Turn("And the rare ones?", None, f"26 are {VALUE}."), Turn("How many are there by blood group?")),
    )
    assert "We run a clinic." in sent
    for private in (SECRET, "blood group", VALUE):
        assert private not in sent


def test_a_question_that_speaks_of_what_another_file_keeps_private_is_the_built_in_analysts(
    clinic: FixedCatalog,
) -> None:
    given, sent = asked(
        f"How many gifts are there of {VALUE}?", clinic, lambda turns: json.dumps(GIFTS), files=("gifts.csv",)
    )
    assert sent == ""
    assert SPEAKS in given.assumptions
