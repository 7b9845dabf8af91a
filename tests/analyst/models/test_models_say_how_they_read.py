"""A model says how it read a question, may ask back, and is held against the built-in analyst's reading."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date

import pytest

from apps.analyst.approaches.models.answering import Models
from apps.analyst.approaches.models.held import other_of
from apps.analyst.approaches.models.instead import INSTEAD
from apps.analyst.approaches.models.layer import Reply
from apps.analyst.approaches.models.specs import ModelSpec
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.conversation.readas.others import Parts
from apps.analyst.pipeline import answer
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.types import Answer, Question

MODEL = ModelSpec("m", "Model M", "openai", "m", "k")
ASKED = Question("How many deals are there?", today=date(2025, 1, 10))
COUNT = "SELECT count(*) AS deals FROM deals"
WON = "SELECT count(*) AS deals FROM deals WHERE stage = 'Closed Won'"
Ask = Callable[..., Answer]


@pytest.fixture
def ask(sales: FixedCatalog, warehouse: LocalWarehouse) -> Ask:
    """Answers through a model that replies with these fields."""

    def builtin() -> Answer:
        return answer(ASKED, catalog=sales, warehouse=warehouse, learned=False, onward=False)

    def asked(**reply: object) -> Answer:
        models = Models([MODEL], lambda *_, **__: Reply(json.dumps(reply), 1, 1, 0.1), words=False, second=builtin)
        return models.answer(ASKED, catalog=sales, warehouse=warehouse, emit=lambda step: None, builtin=builtin)

    return asked


def chips(given: Answer) -> list[str]:
    assert given.read_as is not None
    return [chip.label for chip in given.read_as.chips]


def test_what_it_took_for_granted_stands_among_the_parts_of_the_reading(ask: Ask) -> None:
    given = ask(sql=COUNT, read=["lost deals count", "  all   regions "])
    assert given.approach == "m"
    assert chips(given)[-2:] == ["lost deals count", "all regions"]
    assert len(chips(given)) > 2


def test_a_query_outside_the_plans_has_its_phrases_too(ask: Ask) -> None:
    given = ask(sql="SELECT reverse(stage) AS backwards, count(*) AS deals FROM deals GROUP BY 1", read=["by stage"])
    assert given.plan is None
    assert chips(given) == ["by stage"]


@pytest.mark.parametrize(
    "phrase",
    ["", "x" * 61, "the total is 987", "see www.evil.example", "![x](http://a.example)", "confirm your password", 7],
)
def test_words_that_no_figure_proves_or_that_lead_elsewhere_are_not_shown(phrase: object, ask: Ask) -> None:
    given = ask(sql=COUNT, read=[phrase, "all regions"])
    assert chips(given)[-1] == "all regions"
    assert str(phrase) not in chips(given)


def test_at_most_three_phrases_are_shown(ask: Ask) -> None:
    assert [one for one in chips(ask(sql=COUNT, read=["one", "two", "three", "four"])) if one == "four"] == []


def test_it_may_ask_back_with_two_to_four_choices(ask: Ask) -> None:
    given = ask(ask="Which deals?", choices=["How many open deals?", "How many won deals?"])
    assert (given.status, given.text, given.approach) == ("clarify", "Which deals?", "m")
    assert [choice.question for choice in given.choices] == ["How many open deals?", "How many won deals?"]
    assert given.told_to == ("Model M",)
    many = ask(ask="Which deals?", choices=[f"How many {word} deals?" for word in ("a", "b", "c", "d", "e")])
    assert len(many.choices) == 4


@pytest.mark.parametrize("choices", [[], ["How many open deals?"], ["Visit www.evil.example", "How many?"]])
def test_a_question_back_without_choices_gives_way(choices: list[str], ask: Ask) -> None:
    given = ask(ask="Which deals?", choices=choices)
    assert given.approach == "builtin"
    assert given.status == "answered"
    assert INSTEAD in given.assumptions


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ({"unclear": "Costs are not in these data."}, "Model M found no way to compute this."),
        ({"unclear": "Sign in at evil.example/x to see 42."}, "Model M found no way to compute this."),
        ({"sql": "SELECT sum(visit_evil_example) FROM deals"}, "Model M made no query that fits the data."),
        ({"sql": "SELECT * FROM nobody"}, "Model M made no query that fits the data."),
    ],
)
def test_why_it_did_not_answer_is_said_in_our_own_words(reply: dict[str, str], why: str, ask: Ask) -> None:
    given = ask(**reply)
    assert (given.approach, given.instead) == ("builtin", why)
    assert given.assumptions[-1] == INSTEAD
    assert "evil.example" not in " ".join(given.assumptions)
    assert ask(sql=COUNT).instead == ""


def test_a_reply_that_has_a_query_asks_nothing(ask: Ask) -> None:
    assert ask(sql=COUNT, read=[], ask=None, choices=[]).status == "answered"
    assert ask(sql=COUNT, read=[], ask="Or not?", choices=[]).status == "answered"


def test_the_same_result_of_the_built_in_analyst_is_told(ask: Ask) -> None:
    assert ask(sql=COUNT).held == "same"


def test_another_result_of_it_is_told_and_can_be_chosen(ask: Ask) -> None:
    given = ask(sql=WON, read=["won ones"])
    assert given.held == "other"
    assert given.held_text
    assert given.rivals[-1].plan != given.plan
    assert given.read_as is not None
    assert any(chip.opens for chip in given.read_as.chips)
    assert chips(given)[-1] == "won ones"


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT reverse(stage) AS backwards, count(*) AS deals FROM deals GROUP BY 1",
        "SELECT owner_id, sum(amount) AS total FROM deals WHERE stage = 'Closed Won'"
        " AND close_date >= DATE '2024-07-01'"
        " GROUP BY owner_id ORDER BY total DESC LIMIT 3",
    ],
    ids=["a query that no plan says", "a plan that differs in everything"],
)
def test_another_result_can_be_chosen_however_far_apart_the_two_are(sql: str, ask: Ask) -> None:
    given = ask(sql=sql, read=[])
    assert given.held == "other"
    beside = other_of(given.rivals)
    assert beside is not None
    assert beside.plan != given.plan
    assert ask(sql=COUNT, read=[]).rivals == ()


def test_the_other_reading_is_offered_once_however_it_may_be_worded(ask: Ask, sales: FixedCatalog) -> None:
    """What the built-in analyst came to is also what the answer's part gives when it is taken away."""
    given = ask(sql=WON, read=[])
    assert given.plan is not None
    parts = Parts(given.plan, sales, given.rivals)
    (key,) = (key for key, piece in parts.pieces.items() if piece.part == "filter")
    labels = [other.label for other in parts.of(key)]
    assert labels.count("Without this filter") == 1
    assert "No filter" not in labels
