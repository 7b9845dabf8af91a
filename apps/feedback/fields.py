"""The fields of a feedback as SPEC section 7 lists them, for the outside endpoint and for exports. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

if TYPE_CHECKING:
    from datetime import datetime

    from apps.feedback.models import Feedback

NEW_YORK = ZoneInfo("America/New_York")


def new_york_time(moment: datetime) -> str:
    """As the browser writes it: 11/21/2026, 9:05:00 AM."""
    local = moment.astimezone(NEW_YORK)
    return f"{local.month}/{local.day}/{local.year}, {local.hour % 12 or 12}:{local:%M:%S %p}"


def feedback_fields(feedback: Feedback) -> dict[str, str]:
    """What is passed on. `Id` lets the receiver know a repetition; optional fields stand only where something is."""
    thumb = feedback.is_thumbs_up
    fields = {
        "Id": str(feedback.pk),
        "Kind": feedback.kind,
        "Datetime": new_york_time(feedback.created_at),
        "Feedback": feedback.text,
        "ChatHistory": feedback.chat_history,
        "UserSelectedFiles": "\n".join(feedback.files),
        "ThumbUp": "" if thumb is None else str(thumb).lower(),
    }
    return {name: value for name, value in fields.items() if value}
