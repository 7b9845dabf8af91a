"""Questions about the data itself, and sentences that only look like them."""

from __future__ import annotations

import pytest

from apps.analyst.plan import Describe
from apps.analyst.reading.rules.about import about
from apps.analyst.tables.catalog import FixedCatalog


@pytest.mark.parametrize(
    ("text", "table", "column"),
    [
        ("What can I ask?", None, None),
        ("Which tables do you have?", None, None),
        ("describe the data", None, None),
        ("What is in deals?", "deals", None),
        ("Describe the deals table", "deals", None),
        ("Please describe deals.csv", "deals", None),
        ("What columns does owners have?", "owners", None),
        ("tell me about the activities file", "activities", None),
        ("give me an overview of the deals", "deals", None),
        ("Describe the amount column", "deals", "amount"),
        ("What are the values of stage?", "deals", "stage"),
        ("what are the different values of lead source", "deals", "lead_source"),
        ("describe owner_id in owners", "owners", "owner_id"),
    ],
)
def test_the_data_itself_is_described(catalog: FixedCatalog, text: str, table: str | None, column: str | None) -> None:
    reading = about(text, catalog)
    assert reading is not None
    assert reading.plan == Describe(table=table, column=column)


@pytest.mark.parametrize(
    "text",
    [
        "What is the total amount by stage?",
        "What is in Germany?",
        "describe the trend of amount",
        "what are the values of deals over 500",
        "describe owner_id",
        "help me find the largest deal",
        "What is the amount of deals in stage Proposal?",
    ],
)
def test_questions_about_figures_are_left_to_the_readers(catalog: FixedCatalog, text: str) -> None:
    assert about(text, catalog) is None
