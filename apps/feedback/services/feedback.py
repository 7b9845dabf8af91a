"""Keeping what members say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from apps.core.errors import Invalid
from apps.feedback.models import Feedback, Kind

if TYPE_CHECKING:
    from apps.accounts.models import User

EMPTY = "Please provide feedback before submitting."
"""SPEC section 8."""


def feedback_give(
    *,
    author: User,
    kind: str,
    text: str,
    chat_history: str = "",
    files: Sequence[str] = (),
    is_thumbs_up: bool | None = None,
) -> Feedback:
    """Stores feedback. Raises Invalid where it says nothing."""
    if not text:
        raise Invalid(EMPTY, code="empty_feedback")
    assert author.organization is not None, "only members reach the services"
    return Feedback.objects.create(
        organization=author.organization,
        author=author,
        kind=Kind(kind),
        text=text,
        chat_history=chat_history,
        files=list(files),
        is_thumbs_up=is_thumbs_up,
    )
