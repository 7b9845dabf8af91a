"""What preferences may hold: the shape of SPEC section 3 "User preferences", parsed once from what a client sends.

Pure: no database, no request. Limits that the specification leaves open are decided here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

from apps.core.errors import Invalid

Theme = Literal["light", "dark"]
ResponsePreference = Literal["Standard", "Concise", "Explanatory"]

THEMES: tuple[Theme, ...] = ("light", "dark")
RESPONSE_PREFERENCES: tuple[ResponsePreference, ...] = ("Standard", "Concise", "Explanatory")
DEFAULT_COLORS = ("#F75D2C", "#BE58EA", "#EC8AB8")
"""The default chart palette (SPEC section 9)."""
TEXT_PARTS = ("title", "x_axis", "y_axis")
TEXT_FLAGS = ("bold", "underline", "italicize", "colors")

MAX_CONTEXT_LENGTH = 20_000
MAX_KEYWORDS = 500
MAX_TERM_LENGTH = 100
MAX_DEFINITION_LENGTH = 2_000

_HEX_COLOR = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")


def default_chart_formatting() -> dict[str, dict[str, bool]]:
    """Titles are bold by default, gridlines are drawn (SPEC section 9)."""
    parts = {part: dict.fromkeys(TEXT_FLAGS, False) for part in TEXT_PARTS}
    parts["title"]["bold"] = True
    return {**parts, "gridlines": {"enabled": True}}


def default_colors() -> list[str]:
    """The default palette as a fresh list, for a model field."""
    return list(DEFAULT_COLORS)


@dataclass(frozen=True, slots=True)
class PreferencesChange:
    """The fields a client sent; None stands for "not sent", which leaves the stored value as it is."""

    chart_formatting: dict[str, dict[str, bool]] | None = None
    colors: list[str] | None = None
    theme: Theme | None = None
    audio: bool | None = None
    response_preference: ResponsePreference | None = None
    keywords: dict[str, str] | None = None

    def own_fields(self) -> dict[str, Any]:
        """What changes of the member's own preferences; keywords belong to the organization."""
        names = ("chart_formatting", "colors", "theme", "audio", "response_preference")
        return {name: value for name in names if (value := getattr(self, name)) is not None}


def parse_preferences(sent: object) -> PreferencesChange:
    """The change that `user_preferences` (JSON text, or an object) asks for. Raises Invalid naming the field."""
    fields = _object(sent, "user_preferences")
    return PreferencesChange(
        chart_formatting=_chart_formatting(fields["chart_formatting"]) if _has(fields, "chart_formatting") else None,
        colors=_colors(fields["colors"]) if _has(fields, "colors") else None,
        theme=cast(Theme, _one_of(fields["theme"], THEMES, "theme")) if _has(fields, "theme") else None,
        audio=_flag(fields["audio"], "audio") if _has(fields, "audio") else None,
        response_preference=cast(
            ResponsePreference, _one_of(fields["response_preference"], RESPONSE_PREFERENCES, "response_preference")
        )
        if _has(fields, "response_preference")
        else None,
        keywords=_keywords(fields["keywords"]) if _has(fields, "keywords") else None,
    )


def plain_text(value: object, field: str, limit: int) -> str:
    """`value` as text that every database can keep, at most `limit` characters. Raises Invalid naming the field."""
    if not isinstance(value, str):
        raise Invalid(f"{field} must be a text.", code="not_text")
    if len(value) > limit:
        raise Invalid(f"{field} is too long: at most {limit:,} characters.", code="too_long")
    if "\x00" in value or any("\ud800" <= c <= "\udfff" for c in value):
        raise Invalid(f"{field} holds characters that cannot be kept.", code="bad_characters")
    return value


def _has(fields: Mapping[str, object], name: str) -> bool:
    return fields.get(name) is not None


def _object(value: object, field: str) -> dict[str, object]:
    if isinstance(value, str):
        try:
            value = json.loads(value) if value.strip() else {}
        except (ValueError, RecursionError) as error:
            raise Invalid(f"{field} is not valid JSON.", code="not_json") from error
    if not isinstance(value, dict):
        raise Invalid(f"{field} must be a JSON object.", code="not_an_object")
    return value


def _flag(value: object, field: str) -> bool:
    if not isinstance(value, bool):
        raise Invalid(f"{field} must be true or false.", code="not_a_flag")
    return value


def _one_of(value: object, allowed: tuple[str, ...], field: str) -> str:
    if not isinstance(value, str) or value not in allowed:
        raise Invalid(f"{field} must be one of: {', '.join(allowed)}.", code="not_a_choice")
    return value


def _colors(value: object) -> list[str]:
    if not isinstance(value, list) or len(value) != len(DEFAULT_COLORS):
        raise Invalid(f"colors must be a list of {len(DEFAULT_COLORS)} colors.", code="not_colors")
    for color in value:
        if not isinstance(color, str) or not _HEX_COLOR.fullmatch(color):
            raise Invalid("colors must be hex colors such as #F75D2C.", code="not_colors")
    return list(value)


def _chart_formatting(value: object) -> dict[str, dict[str, bool]]:
    """The flags sent, over the defaults for what was not sent; unknown names are refused, not kept."""
    sent = _object(value, "chart_formatting")
    formatting = default_chart_formatting()
    for part, flags in sent.items():
        if part not in formatting:
            raise Invalid(f"chart_formatting has no part named {part[:40]}.", code="unknown_part")
        for flag, setting in _object(flags, f"chart_formatting.{part}").items():
            if flag not in formatting[part]:
                raise Invalid(f"chart_formatting.{part} has no flag named {flag[:40]}.", code="unknown_flag")
            formatting[part][flag] = _flag(setting, f"chart_formatting.{part}.{flag}")
    return formatting


def _keywords(value: object) -> dict[str, str]:
    sent = _object(value, "keywords")
    if len(sent) > MAX_KEYWORDS:
        raise Invalid(f"There can be at most {MAX_KEYWORDS} keywords.", code="too_many_keywords")
    keywords: dict[str, str] = {}
    for term, definition in sent.items():
        name = plain_text(term, "A keyword", MAX_TERM_LENGTH).strip()
        meaning = plain_text(definition, f"The definition of the keyword {name}", MAX_DEFINITION_LENGTH).strip()
        if not name or not meaning:
            raise Invalid("A keyword needs a name and a definition.", code="empty_keyword")
        keywords[name] = meaning
    return keywords
