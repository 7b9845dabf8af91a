"""The body of POST /ask has six meanings, and everything else is refused in words."""

from __future__ import annotations

from contextlib import suppress
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.core.errors import Invalid
from apps.threads.api.commands import (
    ListThreads,
    LoadThread,
    PollRun,
    SelectAnswer,
    SendQuestion,
    ValidateRun,
    parse_command,
)

ONE, TWO, THREE = (f"00000000-0000-0000-0000-00000000000{n}" for n in (1, 2, 3))


def test_a_prompt_is_a_question() -> None:
    body = {
        "prompt": "  Revenue? ",
        "thread_id": None,
        "models": ["a", "a", "b"],
        "temperature": 0.5,
        "parent_message_id": None,
        "user_specified_files": ["deals.csv"],
    }
    assert parse_command(body) == SendQuestion(
        prompt="Revenue?",
        thread_id=None,
        parent_message_id=None,
        models=("a", "b"),
        temperature=0.5,
        files=("deals.csv",),
    )


def test_what_a_question_leaves_out_has_its_default() -> None:
    assert parse_command({"prompt": "Revenue?"}) == SendQuestion("Revenue?", None, None, (), 1.0, None)


@pytest.mark.parametrize(
    ("body", "command"),
    [
        ({"thread_id": ONE, "run_id": TWO, "models": None, "parent_message_id": None}, PollRun(UUID(ONE), UUID(TWO))),
        ({"give": "threads"}, ListThreads()),
        ({"thread_id": ONE}, LoadThread(UUID(ONE))),
        (
            {"thread_id": ONE, "run_id": TWO, "organization": "Another", "should_validate": True},
            ValidateRun(UUID(ONE), UUID(TWO)),
        ),
        (
            {"thread_id": ONE, "run_id": TWO, "selected_assistant_message_id": THREE},
            SelectAnswer(UUID(ONE), UUID(TWO), UUID(THREE)),
        ),
    ],
)
def test_each_other_body_has_its_meaning(body: dict[str, Any], command: object) -> None:
    assert parse_command(body) == command


@pytest.mark.parametrize(
    ("body", "word"),
    [
        ([], "object"),
        (None, "object"),
        ({}, "names neither"),
        ({"give": "everything"}, "give"),
        ({"prompt": None}, "prompt"),
        ({"prompt": 5}, "prompt"),
        ({"prompt": " \n\t "}, "type a question"),
        ({"prompt": "x" * 10_001}, "shorten"),
        ({"prompt": "a\x00b"}, "prompt"),
        ({"prompt": "\ud800"}, "prompt"),
        ({"prompt": "x", "thread_id": 5}, "thread_id"),
        ({"prompt": "x", "thread_id": "../etc"}, "thread_id"),
        ({"prompt": "x", "parent_message_id": {}}, "parent_message_id"),
        ({"prompt": "x", "models": "gpt"}, "models"),
        ({"prompt": "x", "models": [1]}, "models"),
        ({"prompt": "x", "models": ["m"] * 11}, "models"),
        ({"prompt": "x", "temperature": True}, "temperature"),
        ({"prompt": "x", "temperature": "1"}, "temperature"),
        ({"prompt": "x", "temperature": float("nan")}, "temperature"),
        ({"prompt": "x", "temperature": 10**400}, "temperature"),
        ({"prompt": "x", "user_specified_files": "deals.csv"}, "user_specified_files"),
        ({"prompt": "x", "user_specified_files": [None]}, "user_specified_files"),
        ({"run_id": ONE}, "thread_id"),
        ({"thread_id": ONE, "run_id": ONE, "should_validate": "yes"}, "should_validate"),
        ({"thread_id": ONE, "selected_assistant_message_id": TWO}, "run_id"),
    ],
)
def test_anything_else_is_refused_and_the_field_named(body: object, word: str) -> None:
    with pytest.raises(Invalid) as refused:
        parse_command(body)
    assert word in refused.value.message


_names = st.sampled_from(
    [
        "prompt",
        "thread_id",
        "run_id",
        "models",
        "temperature",
        "give",
        "should_validate",
        "selected_assistant_message_id",
        "parent_message_id",
        "user_specified_files",
    ]
)
_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.just(ONE),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(_names, _values, max_size=6) | _values)
def test_no_body_breaks_the_parser(body: object) -> None:
    with suppress(Invalid):
        command = parse_command(body)
        assert isinstance(command, SendQuestion | PollRun | ListThreads | LoadThread | ValidateRun | SelectAnswer)
