"""Questions that the product itself words: the engine is told so, and of nothing else."""

from __future__ import annotations

import json

import pytest

from apps.threads.presets import PRESET_QUESTIONS, TOPICS, is_offered, topic_questions
from tests.apps.threads.conftest import Member, Script

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_engine_is_told_what_the_product_words(ana: Member, script: Script) -> None:
    texts = [PRESET_QUESTIONS[0], min(topic_questions()), "What is the total amount of our open deals, roughly?"]
    for text in texts:
        ana.ask(text)
    assert [(question.text, question.offered) for question in script.asked] == [
        (text, text != texts[-1]) for text in texts
    ]


def test_every_prompt_may_put_in_at_least_three_questions() -> None:
    prompts = [prompt for topic in json.loads(TOPICS.read_text(encoding="utf-8")) for prompt in topic["prompts"]]
    assert len(prompts) > 50
    assert all(len(set(prompt["questions"])) >= 3 and all(map(is_offered, prompt["questions"])) for prompt in prompts)
