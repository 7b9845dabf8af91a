"""Bodies of the feedback routes, parsed once. Pure: no database."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from apps.core.errors import Invalid

KINDS = ("feedback", "thumbs", "source-request")
MAX_TEXT = 20_000
MAX_HISTORY = 500_000
MAX_FILES = 1_000
_FLAGS: dict[object, bool] = {True: True, False: False, "true": True, "false": False, "True": True, "False": False}


@dataclass(frozen=True, slots=True)
class FeedbackForm:
    """What POST /feedback says: the fields of SPEC section 7 and the kind."""

    kind: str
    text: str
    chat_history: str
    files: tuple[str, ...]
    is_thumbs_up: bool | None
    about: tuple[UUID, UUID] | None = None
    """The thread and the answer that a thumb's words are about."""


@dataclass(frozen=True, slots=True)
class RatingForm:
    """What POST /rate-answer says."""

    thread_id: UUID
    message_id: UUID
    is_thumbs_up: bool


def parse_feedback(body: object) -> FeedbackForm:
    """The feedback in a form or JSON body. `Datetime` is not read: the server's clock is kept. Raises Invalid."""
    fields = _fields(body)
    thumb = fields.get("ThumbUp")
    kind = fields.get("kind") or ("thumbs" if thumb not in (None, "") else "feedback")
    if kind not in KINDS:
        raise Invalid(f"kind must be one of: {', '.join(KINDS)}.", code="unknown_kind")
    files = _text(fields.get("UserSelectedFiles"), "UserSelectedFiles", MAX_TEXT * 10).splitlines()
    if len(files) > MAX_FILES:
        raise Invalid(f"UserSelectedFiles names more than {MAX_FILES:,} files.", code="too_many_files")
    return FeedbackForm(
        kind=str(kind),
        text=_text(fields.get("Feedback"), "Feedback", MAX_TEXT),
        chat_history=_text(fields.get("ChatHistory"), "ChatHistory", MAX_HISTORY),
        files=tuple(name for line in files if (name := line.strip())),
        is_thumbs_up=None if thumb in (None, "") else _flag(thumb, "ThumbUp"),
        about=_about(fields),
    )


def _about(fields: Mapping[str, Any]) -> tuple[UUID, UUID] | None:
    if not fields.get("MessageId"):
        return None
    return _uuid(fields.get("ThreadId"), "ThreadId"), _uuid(fields.get("MessageId"), "MessageId")


def parse_rating(body: object) -> RatingForm:
    """The rating in a body. Raises Invalid naming the field."""
    fields = _fields(body)
    return RatingForm(
        thread_id=_uuid(fields.get("thread_id"), "thread_id"),
        message_id=_uuid(fields.get("message_id"), "message_id"),
        is_thumbs_up=_flag(fields.get("is_thumbs_up"), "is_thumbs_up"),
    )


def _fields(body: object) -> Mapping[str, Any]:
    if not isinstance(body, Mapping):
        raise Invalid("The request must be an object.", code="not_an_object")
    return body


def _text(value: object, field: str, limit: int) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise Invalid(f"{field} must be a text.", code="not_text")
    if len(value) > limit:
        raise Invalid(f"{field} is too long: at most {limit:,} characters.", code="too_long")
    if "\x00" in value or any("\ud800" <= mark <= "\udfff" for mark in value):
        raise Invalid(f"{field} holds characters that cannot be kept.", code="bad_characters")
    return value.strip()


def _uuid(value: object, field: str) -> UUID:
    try:
        return UUID(value if isinstance(value, str) else "")
    except ValueError:
        raise Invalid(f"{field} must be an id.", code="invalid_id") from None


def _flag(value: object, field: str) -> bool:
    if not isinstance(value, str | bool) or value not in _FLAGS:
        raise Invalid(f"{field} must be true or false.", code="not_a_flag")
    return _FLAGS[value]
