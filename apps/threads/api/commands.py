"""The body of POST /ask, parsed once into one of its six meanings (SPEC section 7). Pure: no database, no request."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from apps.core.api.parameters import json_object
from apps.core.errors import Invalid
from apps.threads import copy, limits


@dataclass(frozen=True, slots=True)
class SendQuestion:
    """Ask something, in a new thread where `thread_id` is None."""

    prompt: str
    thread_id: UUID | None
    parent_message_id: UUID | None
    models: tuple[str, ...]
    temperature: float
    files: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class PollRun:
    """How far is the run?"""

    thread_id: UUID
    run_id: UUID


@dataclass(frozen=True, slots=True)
class ListThreads:
    """The member's history."""


@dataclass(frozen=True, slots=True)
class LoadThread:
    """A thread with its messages."""

    thread_id: UUID


@dataclass(frozen=True, slots=True)
class ValidateRun:
    """Check the answer with other approaches."""

    thread_id: UUID
    run_id: UUID


@dataclass(frozen=True, slots=True)
class SelectAnswer:
    """Make another approach's answer the selected one."""

    thread_id: UUID
    run_id: UUID
    message_id: UUID


Command = SendQuestion | PollRun | ListThreads | LoadThread | ValidateRun | SelectAnswer


def parse_command(body: object) -> Command:
    """What the body asks for. Raises Invalid with a sentence that names the field.

    The organization that older clients send along is not read: it comes from the session.
    """
    body = json_object(body)
    if body.get("give") is not None:
        if body["give"] != "threads":
            raise Invalid('give can only be "threads".', code="unknown_list")
        return ListThreads()
    if "prompt" in body:
        return _send(body)
    if body.get("should_validate") is not None:
        if body["should_validate"] is not True:
            raise Invalid("should_validate can only be true.", code="invalid_flag")
        return ValidateRun(thread_id=uuid_of(body, "thread_id"), run_id=uuid_of(body, "run_id"))
    if body.get("selected_assistant_message_id") is not None:
        return SelectAnswer(
            thread_id=uuid_of(body, "thread_id"),
            run_id=uuid_of(body, "run_id"),
            message_id=uuid_of(body, "selected_assistant_message_id"),
        )
    if body.get("run_id") is not None:
        return PollRun(thread_id=uuid_of(body, "thread_id"), run_id=uuid_of(body, "run_id"))
    if body.get("thread_id") is not None:
        return LoadThread(thread_id=uuid_of(body, "thread_id"))
    raise Invalid("The request names neither a prompt, a run, a thread nor a list.", code="unknown_command")


def uuid_of(body: Mapping[str, Any], field: str) -> UUID:
    """The id in a field of a body. Raises Invalid naming the field."""
    value = body.get(field)
    if not isinstance(value, str):
        raise Invalid(f"{field} must be an id.", code="invalid_id")
    try:
        return UUID(value)
    except ValueError:
        raise Invalid(f"{field} must be an id.", code="invalid_id") from None


def text_of(value: object, field: str, limit: int) -> str:
    """A text that every database can keep, without surrounding space. Raises Invalid naming the field."""
    if not isinstance(value, str):
        raise Invalid(f"{field} must be a text.", code="not_text")
    if "\x00" in value or any("\ud800" <= mark <= "\udfff" for mark in value):
        raise Invalid(f"{field} holds characters that cannot be kept.", code="bad_characters")
    if len(value) > limit:
        raise Invalid(f"{field} is too long: at most {limit:,} characters.", code="too_long")
    return value.strip()


def texts_of(value: object, field: str, *, count: int, length: int) -> tuple[str, ...]:
    """A list of texts, without repetitions. Raises Invalid naming the field."""
    if not isinstance(value, list) or len(value) > count:
        raise Invalid(f"{field} must be a list of at most {count:,} texts.", code="not_a_list")
    return tuple(dict.fromkeys(text_of(item, field, length) for item in value))


def _send(body: Mapping[str, Any]) -> SendQuestion:
    if isinstance(body["prompt"], str) and len(body["prompt"]) > limits.MAX_PROMPT:
        raise Invalid(copy.LONG_PROMPT.format(limit=f"{limits.MAX_PROMPT:,}"), code="long_prompt")
    prompt = text_of(body["prompt"], "prompt", limits.MAX_PROMPT)
    if not prompt:
        raise Invalid(copy.EMPTY_PROMPT, code="empty_prompt")
    files = body.get("user_specified_files")
    chosen = (
        None if files is None else texts_of(files, "user_specified_files", count=limits.MAX_CHOSEN_FILES, length=300)
    )
    models = body.get("models")
    return SendQuestion(
        prompt=prompt,
        thread_id=uuid_of(body, "thread_id") if body.get("thread_id") is not None else None,
        parent_message_id=uuid_of(body, "parent_message_id") if body.get("parent_message_id") is not None else None,
        models=() if models is None else texts_of(models, "models", count=limits.MAX_MODELS, length=100),
        temperature=_temperature(body.get("temperature")),
        files=chosen or None,
    )


def _temperature(value: object) -> float:
    if value is None:
        return limits.DEFAULT_TEMPERATURE
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Invalid("temperature must be a number.", code="invalid_temperature")
    if not (0 <= value <= limits.MAX_TEMPERATURE) or not math.isfinite(value):
        raise Invalid(f"temperature must be between 0 and {limits.MAX_TEMPERATURE:g}.", code="invalid_temperature")
    return float(value)
