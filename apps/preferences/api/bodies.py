"""The body of POST /preferences, parsed once."""

from __future__ import annotations

from dataclasses import dataclass

from apps.core.api.parameters import json_object
from apps.core.errors import Invalid
from apps.preferences.values import MAX_CONTEXT_LENGTH, PreferencesChange, parse_preferences, plain_text


@dataclass(frozen=True, slots=True)
class PreferencesBody:
    """What to change; None leaves the general context as it is."""

    change: PreferencesChange
    explanation: str | None


def parse_preferences_body(data: object) -> PreferencesBody:
    """Raises Invalid for anything but an object with `user_preferences`, `explanation` or both."""
    body = json_object(data)
    explanation, sent = body.get("explanation"), body.get("user_preferences")
    if explanation is None and sent is None:
        raise Invalid("Send explanation, user_preferences or both.", code="nothing_sent")
    return PreferencesBody(
        change=parse_preferences(sent) if sent is not None else PreferencesChange(),
        explanation=plain_text(explanation, "explanation", MAX_CONTEXT_LENGTH) if explanation is not None else None,
    )
