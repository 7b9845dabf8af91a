"""The questions that the product itself words: the 16 presets and those of Trending Topics (SPEC section 9), which the
page reads from the same file. The built-in analyst keeps them on data of the CRM's shape."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

TOPICS = Path(__file__).parent / "topics.json"

PRESET_QUESTIONS: tuple[str, ...] = (
    "What is the total amount of our open deals?",
    "What is the total amount of open deals by stage?",
    "What are our 10 largest open deals?",
    "How many deals did we win last quarter?",
    "What was the total amount of won deals in each of the last 12 months?",
    "How does the amount of won deals this quarter compare with last quarter?",
    "What is our win rate by owner this year?",
    "Who are the top 5 owners by amount of won deals this year?",
    "What is the average amount of a won deal by quarter?",
    "How many deals were created each month this year?",
    "Which industries bring in the largest amount of won deals?",
    "How many meetings did each owner hold last month?",
    "How many emails were sent per week in the last quarter?",
    "How many open tickets are there by priority?",
    "How many customers churned in each quarter?",
    "How much did we win against target in each quarter this year?",
)


@cache
def topic_questions() -> frozenset[str]:
    """Every question that a prompt of Trending Topics may put in."""
    topics = json.loads(TOPICS.read_text(encoding="utf-8"))
    return frozenset(question for topic in topics for prompt in topic["prompts"] for question in prompt["questions"])


def is_offered(text: str) -> bool:
    """Whether the product itself words the question so."""
    return text.strip() in topic_questions() or text.strip() in PRESET_QUESTIONS
