"""The body of POST /preferences, parsed once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from apps.core.errors import Invalid
from apps.preferences.values import MAX_CONTEXT_LENGTH, PreferencesChange, parse_preferences, plain_text


@dataclass(frozen=True, slots=True)
class PreferencesBody:
    """What to change; None leaves the general context as it is."""

    change: PreferencesChange
    explanation: str | None


def parse_preferences_body(data: object) -> PreferencesBody:
    """Raises Invalid for anything but an object with `user_preferences`, `explanation` or both."""
    if not isinstance(data, Mapping):
        raise Invalid("The request body must be a JSON object.", code="not_an_object")
    explanation, sent = data.get("explanation"), data.get("user_preferences")
    if explanation is None and sent is None:
        raise Invalid("Send explanation, user_preferences or both.", code="nothing_sent")
    return PreferencesBody(
        change=parse_preferences(sent) if sent is not None else PreferencesChange(),
        explanation=plain_text(explanation, "explanation", MAX_CONTEXT_LENGTH) if explanation is not None else None,
    )
