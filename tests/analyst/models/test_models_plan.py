"""Models plan, the engine computes: what does not fit goes back, what fails gives way, no figure is taken on trust."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from apps.analyst.approaches.models import prompt
from apps.analyst.approaches.models.answering import Models, plan_of
from apps.analyst.approaches.models.layer import Reply, Said
from apps.analyst.approaches.models.specs import ModelSpec
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.conversation.memory import STEP
from apps.analyst.errors import PlanRejected, ProviderFailed, Unclear
from apps.analyst.pipeline import answer
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Answer, Proven, Question, Result, Step, Turn

ONE = ModelSpec("one", "Model One", "openai", "one", "secret-key", None, Decimal(2), Decimal(8))
TWO = ModelSpec("two", "Model Two", "anthropic", "two", "secret-key")
COUNT = json.dumps(
    {"kind": "query", "source": "deals", "measures": [{"label": "Deals", "expr": {"kind": "aggregate", "fn": "count"}}]}
)
INVENTED = COUNT.replace('"deals"', '"customers"', 1)
ASKED = Question("How many deals are there?", today=date(2025, 1, 10))
UNASKED = Answer("declined", "The built-in analyst was asked.")
Script = Callable[[ModelSpec, Sequence[Said]], str]


def asked(
    script: Script, sales: FixedCatalog, warehouse: LocalWarehouse, *specs: ModelSpec, question: Question = ASKED
) -> tuple[Answer, Models, list[Step]]:
    steps: list[Step] = []

    def talk(spec: ModelSpec, system: str, turns: Sequence[Said], **limits: object) -> Reply:
        return Reply(script(spec, turns), 1000, 100, 0.1)

    models = Models(specs or (ONE, TWO), talk)
    given = models.answer(
        question,
        catalog=sales,
        warehouse=warehouse,
        emit=steps.append,
        builtin=lambda: answer(question, catalog=sales, warehouse=warehouse, learned=False, onward=False),
    )
    return given, models, steps


def planning(plan: str, words: str = "There are 240 deals.") -> Script:
    return lambda spec, turns: words if "Its template text:" in turns[-1].text else plan


def test_a_models_plan_is_computed_and_its_words_are_taken_where_the_figures_hold(
    sales: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    given, models, steps = asked(planning(COUNT), sales, warehouse)
    assert (given.approach, given.text) == ("one", "There are 240 deals.")
    assert given.result is not None
    assert given.result.rows == ((240,),)
    assert [step.label for step in steps] == ["Asking a model to plan", "Computing", "Writing the answer"]
    (usage,) = models.usage
    assert (usage.calls, usage.input_tokens, usage.output_tokens) == (2, 2000, 200)
    assert usage.cost == Decimal("0.005600")


@pytest.mark.parametrize("words", ["There are 241 deals.", "![x](http://evil.example/240)", "", "About 12 k deals."])
def test_words_with_a_figure_of_their_own_or_markup_give_way_to_the_template(
    words: str, sales: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    given, _, _ = asked(planning(COUNT, words), sales, warehouse)
    assert "240" in given.text
    assert given.text != words


def test_a_plan_that_does_not_fit_goes_back_with_the_reason_and_the_names_there_are(
    sales: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    heard: list[str] = []

    def script(spec: ModelSpec, turns: Sequence[Said]) -> str:
        heard.append(turns[-1].text)
        return INVENTED if len(heard) == 1 else planning(COUNT)(spec, turns)

    given, _, _ = asked(script, sales, warehouse)
    assert given.approach == "one"
    assert "There is no table 'customers'" in heard[1]
    assert "Tables: deals, owners, activities" in heard[1]


def test_after_two_rejections_the_next_model_is_asked_and_the_answer_says_so(
    sales: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    calls: list[str] = []

    def script(spec: ModelSpec, turns: Sequence[Said]) -> str:
        calls.append(spec.id)
        return INVENTED if spec is ONE else planning(COUNT)(spec, turns)

    given, models, _ = asked(script, sales, warehouse)
    assert given.approach == "two"
    assert calls.count("one") == 3
    assert any("Model One made no plan" in told for told in given.assumptions)
    assert [usage.failed for usage in models.usage] == [True, False]


def test_when_every_model_fails_the_built_in_analyst_answers_and_says_so(
    sales: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    def down(spec: ModelSpec, turns: Sequence[Said]) -> str:
        raise ProviderFailed(f"{spec.name} could not be reached (ConnectError).", retryable=True)

    given, _, _ = asked(down, sales, warehouse)
    assert given.approach == "builtin"
    assert given.result is not None
    assert given.result.rows == ((240,),)
    assert given.assumptions[-1] == "The built-in analyst answered instead."


def test_when_the_time_of_all_models_is_over_no_further_call_is_made(
    sales: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    now = [0.0]
    seen: list[float] = []

    def slow(spec: ModelSpec, system: str, turns: Sequence[Said], *, seconds: float, **more: object) -> Reply:
        seen.append(seconds)
        now[0] += seconds
        raise ProviderFailed("too slow", retryable=True)

    many = [ModelSpec(f"m{n}", f"M{n}", "openai", "m", "k") for n in range(8)]
    models = Models(many, slow, clock=lambda: now[0])
    builtin = Answer("declined", "The built-in words.")
    models.answer(ASKED, catalog=sales, warehouse=warehouse, emit=lambda step: None, builtin=lambda: builtin)
    assert sum(seen) <= 75
    assert all(seconds <= 30 for seconds in seen)


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        ("Sure! Here you go.", PlanRejected),
        ('{"kind": "query", "source": ', PlanRejected),
        ('{"kind": "sql", "text": "DROP TABLE deals"}', PlanRejected),
        ('{"kind": "query", "source": "deals", "sql": "SELECT 1"}', PlanRejected),
        ('{"unclear": "No such data."}', Unclear),
    ],
)
def test_what_is_no_plan_is_refused(reply: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        plan_of(reply)


def overheard(question: Question, sales: FixedCatalog, warehouse: LocalWarehouse) -> tuple[Answer, str]:
    """The answer, and what its model was told first."""
    told: list[str] = []

    def script(spec: ModelSpec, turns: Sequence[Said]) -> str:
        told.append(turns[0].text)
        return planning(COUNT)(spec, turns)

    given, _, _ = asked(script, sales, warehouse, question=question)
    return given, told[0]


def test_a_plan_may_stand_between_words_and_fences() -> None:
    assert plan_of(f"Here is the plan:\n```json\n{COUNT}\n```").kind == "query"


def test_the_prompt_holds_profiles_and_never_a_key_or_a_whole_table(
    sales: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    question = Question(
        "How many deals?",
        today=date(2025, 1, 10),
        keywords={"Win rate": "won / (won + lost)"},
        context="We sell bikes.",
    )
    _, told = overheard(question, sales, warehouse)
    assert 'table "deals": 240 rows' in told
    assert "keyword Win rate: won / (won + lost)" in told
    assert "We sell bikes." in told
    assert "Deal 100" not in told
    assert "secret-key" not in told + repr(ONE)


def test_of_two_hundred_runs_with_faults_nearly_all_are_answered_and_no_figure_is_invented(
    sales: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    """Three calls in five go wrong: an outage, no JSON, an invented table, an attack, a false figure."""
    chance = random.Random(11)

    def faulty(spec: ModelSpec, turns: Sequence[Said]) -> str:
        wording = "Its template text:" in turns[-1].text
        fault = (
            chance.choice(("down", "no json", "invented", "injected", "false figure")) if chance.random() < 0.6 else ""
        )
        if fault == "down":
            raise ProviderFailed("429")
        if wording:
            return "There are 1,000,000 deals." if fault else "There are 240 deals."
        return {"": COUNT, "no json": '{"kind": "que', "invented": INVENTED, "injected": '{"kind": "attach"}'}.get(
            fault, COUNT
        )

    answered = 0
    for _ in range(200):
        given, _, _ = asked(faulty, sales, warehouse)
        answered += given.status == "answered"
        assert given.result is not None
        assert given.result.rows == ((240,),)
        assert "240" in given.text
        assert "1,000,000" not in given.text
    assert answered == 200


def test_a_query_of_a_model_that_a_plan_can_say_is_worded_drawn_and_shown_as_that_plan(
    sales: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    sql = "SELECT stage, count(*) AS deals FROM deals GROUP BY stage"
    plan = json.loads(COUNT) | {
        "groups": [{"label": "stage", "expr": {"kind": "column", "table": "deals", "column": "stage"}}],
        "measures": [{"label": "deals", "expr": {"kind": "aggregate", "fn": "count"}}],
    }
    queried, planned = (asked(planning(json.dumps(said), ""), sales, warehouse)[0] for said in ({"sql": sql}, plan))
    assert queried.plan == planned.plan
    assert (queried.text, queried.chart, queried.follow_ups) == (planned.text, planned.chart, planned.follow_ups)
    assert queried.evidence.plan_sentence == planned.evidence.plan_sentence
    assert queried.chart is not None


def test_a_query_of_a_model_that_no_plan_can_say_runs_once_it_passes_the_gate_and_is_told_by_its_figures(
    sales: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    place = "dense_rank() OVER (ORDER BY count(*) DESC) AS place"
    sql = f"SELECT stage, {place} FROM deals GROUP BY stage ORDER BY stage"
    given, _, _ = asked(planning(json.dumps({"sql": sql}), "The figure is 999."), sales, warehouse)
    assert given.approach == "one"
    assert given.result is not None
    assert [(column.name, column.kind) for column in given.result.columns] == [
        ("Stage", "dimension"),
        ("Place", "measure"),
    ]
    assert given.text == "The place is highest for **Negotiation** (**5**) and lowest for Closed won (1)."
    assert given.chart is not None
    assert given.evidence.query == sql
    assert given.evidence.plan_sentence.startswith("Computed by a query of the model")
    assert [source.name for source in given.evidence.sources] == ["deals"]
    assert given.evidence.row_count == 240


def test_a_table_that_a_query_only_spells_is_no_source_of_its_answer(warehouse: LocalWarehouse, tmp_path: Path) -> None:
    (tmp_path / "deals.csv").write_text("amount\n" + "".join(f"{n}\n" for n in range(30)))
    (tmp_path / "won_deals.csv").write_text("amount,stage\n" + "".join(f"{n},s{n % 3}\n" for n in range(12)))
    catalog = catalog_from_files([tmp_path / "deals.csv", tmp_path / "won_deals.csv"], tmp_path / "tables")
    sql = "SELECT stage, dense_rank() OVER (ORDER BY sum(amount)) AS place FROM won_deals GROUP BY stage"
    given, _, _ = asked(planning(json.dumps({"sql": sql}), ""), catalog, warehouse)
    assert [source.name for source in given.evidence.sources] == ["won_deals"]
    assert given.evidence.row_count == 12


@pytest.mark.parametrize(
    ("select", "told"),
    [
        ("count(*) * sign(count(*)) AS deals", "**240**"),
        ("sum(amount) * sign(1) AS total, count(*) AS deals", "deals are **240**"),
        ("owner_id, sum(amount) * sign(1) AS total", "The total is highest for **owner id 3** (**702,704**)"),
        ("deal_name, amount * sign(1) AS size", "The size is highest for **Deal 209** (**22,475**)"),
    ],
)
def test_the_sentence_about_a_query_names_its_figures_and_never_ranks_by_a_number_that_only_identifies(
    select: str, told: str, sales: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    group = " GROUP BY ALL" if "sum(" in select and "owner_id" in select else ""
    said = json.dumps({"sql": f"SELECT {select} FROM deals{group}"})
    given, _, _ = asked(planning(said, ""), sales, warehouse)
    assert given.plan is None
    assert told in given.text


def test_a_query_that_the_engine_cannot_read_goes_back_with_the_columns_there_are(
    sales: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    heard: list[str] = []

    def script(spec: ModelSpec, turns: Sequence[Said]) -> str:
        heard.append(turns[-1].text)
        column = "profit" if len(heard) == 1 else "amount"
        return planning(json.dumps({"sql": f"SELECT count({column}) AS n FROM deals"}), "")(spec, turns)

    given, models, _ = asked(script, sales, warehouse)
    assert (given.approach, len(models.usage)) == ("one", 1)
    assert 'Referenced column "profit" not found' in heard[1]
    assert "Columns of deals: deal_id, deal_name" in heard[1]


def test_a_query_of_a_model_runs_in_the_sandbox_even_where_plans_are_computed_elsewhere(
    sales: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    class Cluster:
        def query(self, *args: object, **limits: object) -> Result:
            raise AssertionError("this query was not checked for the cluster")

    said = planning(json.dumps({"sql": "SELECT count(*) * sign(count(*)) AS n FROM deals"}), "")
    models = Models([ONE], lambda spec, system, turns, **limits: Reply(said(spec, turns), 1, 1, 0.1), sandbox=warehouse)
    given = models.answer(ASKED, catalog=sales, warehouse=Cluster(), emit=lambda step: None, builtin=lambda: UNASKED)
    assert given.result is not None
    assert given.result.rows == ((240,),)


def by_stage(spec: ModelSpec, turns: Sequence[Said]) -> str:
    plan = json.loads(COUNT) | {
        "groups": [{"label": "Stage", "expr": {"kind": "column", "table": "deals", "column": "stage"}}]
    }
    return planning(json.dumps(plan), "")(spec, turns)


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("Deals by stage as a pie", "pie"),
        ("Show a doughnut chart of the deals by stage", "doughnut"),
        ("Deals by stage", "bar"),
    ],
)
def test_a_model_s_answer_shows_the_chart_that_was_asked_for_and_how_to_go_on(
    text: str, mark: str, sales: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    given, _, _ = asked(by_stage, sales, warehouse, question=replace(ASKED, text=text))
    assert (given.approach, given.chart is not None) == ("one", True)
    assert given.chart is not None
    assert given.chart.document["type"] == mark
    assert given.follow_ups


def test_a_model_is_told_what_was_proven_and_the_answer_says_where_it_plans_the_same(
    sales: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    known = Proven("How many deals are there?", plan_of(COUNT), "verified by an admin on 3 May 2026")  # type: ignore[arg-type]
    question = replace(ASKED, proven=(known,))
    given, _, steps = asked(planning(COUNT), sales, warehouse, question=question)
    assert (given.memory, steps[0].label) == (known, STEP)
    other, _, _ = asked(by_stage, sales, warehouse, question=question)
    assert other.memory is None


def test_keywords_that_the_question_says_reach_the_model_and_are_shown_however_many_there_are(
    sales: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    keywords = {f"Term {n}": f"meaning {n}" for n in range(300)}
    question = replace(ASKED, text="How many term 299 deals are there?", keywords=keywords)
    given, told = overheard(question, sales, warehouse)
    assert "keyword Term 299: meaning 299" in told
    assert given.evidence.definitions[0] == "Term 299 (as your organization defines it, told to the model): meaning 299"


def test_of_many_tables_and_columns_a_model_sees_those_that_the_question_names(tmp_path: Path) -> None:
    files = []
    for number in range(30):
        files.append(tmp_path / f"list_{number}.csv")
        files[-1].write_text("code,note\n" + "".join(f"{n},plain {n}\n" for n in range(9)), encoding="utf-8")
    wide = tmp_path / "zebras.csv"
    heads = [f"measure {n}" for n in range(90)] + ["stripes"]
    wide.write_text(",".join(heads) + "\n" + "\n".join(",".join(["1"] * 91) for _ in range(4)) + "\n", encoding="utf-8")
    catalog = catalog_from_files([*files, wide], tmp_path / "tables")
    told = prompt.asked(Question("What is the total stripes of the zebras?", today=ASKED.today), catalog)
    assert told.index('table "zebras"') < told.index('table "list')
    assert "  stripes " in told
    assert 'further columns: "measure 5' in told
    assert 'further tables: "list' in told


def test_a_model_hears_what_was_answered_before_and_the_query_where_there_was_no_plan(sales: FixedCatalog) -> None:
    turns = (Turn("How many deals?", None, "There are **240**.", "SELECT count(*) FROM deals"),)
    told = prompt.asked(replace(ASKED, text="and by stage?", turns=turns), sales)
    assert "its query: SELECT count(*) FROM deals" in told
    assert 'it was answered: "There are **240**."' in told


@pytest.mark.parametrize("sql", ["SELECT * FROM read_csv('/etc/passwd')", "DROP TABLE deals", "SELECT * FROM others"])
def test_a_query_that_the_gate_refuses_never_runs(sql: str, sales: FixedCatalog, warehouse: LocalWarehouse) -> None:
    given, models, _ = asked(planning(json.dumps({"sql": sql})), sales, warehouse)
    assert given.approach == "builtin"
    assert [usage.calls for usage in models.usage] == [3, 3]
    assert given.result is not None
    assert given.result.rows == ((240,),)
