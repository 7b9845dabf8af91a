"""A model's answer that the built-in analyst would have given otherwise: the other one can be chosen, whole."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from apps.analyst.approaches.models.layer import Reply
from apps.threads import copy, engine
from tests.apps.conftest import Cast
from tests.apps.threads.conftest import Member
from tests.apps.threads.readings import ASKED, PATH, asking, others, take
from tests.cast import client_of

pytestmark = pytest.mark.django_db(transaction=True)

BACKWARDS = "SELECT reverse(region) AS backwards, count(*) AS orders FROM orders GROUP BY 1"
"""No plan says this."""
LATE = (
    "SELECT order_id, max(gross_amount) AS most FROM orders WHERE ship_date > order_date AND order_date >="
    " DATE '2024-03-01' GROUP BY order_id ORDER BY most LIMIT 3"
)
"""A plan that shares nothing with the other reading."""


@pytest.fixture
def replies(ana: Member, cast: Cast, settings: Any, tmp_path: Path) -> Iterator[list[str]]:
    """The queries that a model replies with, over Ana's forty orders."""
    settings.MODEL_PROVIDERS = {"openai": {"api_key": "k", "base_url": "", "models": ["m"]}}
    said: list[str] = []

    def talk(*_: object, form: object = None, **__: object) -> Reply:
        return Reply(json.dumps({"sql": said[0]}) if form else "", 1, 1, 0.1)

    for _ in asking(ana, cast, tmp_path, "orders"):
        engine.use(replace(engine.current(), talk=talk))
        yield said


def answered(ana: Member) -> dict[str, Any]:
    done = ana.ask(ASKED, models=["m"])
    said = done["messages"][0]["children"][0]
    assert said["model"] == "m", said["answer"]["assumptions"]
    return {**said, "about": {"thread_id": done["thread_id"], "message_id": said["message_id"]}}


@pytest.mark.parametrize("query", [BACKWARDS, LATE])
def test_the_built_in_analysts_answer_is_taken_in_place_of_the_models_which_stays(
    query: str, ana: Member, replies: list[str]
) -> None:
    replies.append(query)
    said = answered(ana)
    assert said["answer"]["held"]["opens"] is True
    (other,) = others(ana, said, "held")
    assert (other["label"], other["figure"]) == ("As the built-in analyst reads it", "North: 4,200, …")
    done = take(ana, said, "held", other)
    assert done.status_code == 200, done.content
    former, new = done.json()["messages"][0]["children"]
    assert former["message_id"] == said["message_id"]
    assert new["metadata"]["is_selected_assistant"] is True
    assert [row[1] for row in new["answer"]["table"]["rows"]] == [4200, 4000]


def test_where_both_come_to_the_same_nothing_is_offered(ana: Member, replies: list[str]) -> None:
    replies.append("SELECT region, sum(net_amount) AS total_net_amount FROM orders GROUP BY region ORDER BY 2 DESC")
    said = answered(ana)
    assert said["answer"]["held"] == {"state": "same", "text": "", "opens": False}
    refused = ana.client.get(PATH, {**said["about"], "chip": "held"})
    assert refused.status_code == 404
    assert refused.json()["error"]["message"] == copy.NO_SUCH_READING


def test_a_query_that_no_plan_says_has_no_other_part_to_open(ana: Member, replies: list[str]) -> None:
    replies.append(BACKWARDS)
    said = answered(ana)
    assert ana.client.get(PATH, {**said["about"], "chip": "figure:0"}).status_code == 404


def test_nobody_else_finds_or_takes_the_other_answer(ana: Member, ben: Member, cast: Cast, replies: list[str]) -> None:
    replies.append(BACKWARDS)
    said = answered(ana)
    (other,) = others(ana, said, "held")
    for stranger in (cast.ben, cast.gus):
        client = client_of(stranger)
        assert client.get(PATH, {**said["about"], "chip": "held"}).status_code == 404
        body = {**said["about"], "chip": "held", "reading": other["key"]}
        assert client.post(PATH, body, format="json").status_code == 404
