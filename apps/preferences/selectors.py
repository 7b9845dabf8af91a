"""Reads of preferences and contexts."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from apps.preferences.models import FileContext, OrganizationContext, Preferences, PrivateColumn
from apps.preferences.values import ResponsePreference

if TYPE_CHECKING:
    from apps.accounts.models import Organization, User


@dataclass(frozen=True, slots=True)
class AnswerPreferences:
    """What of a member's and the organization's settings shapes an answer."""

    style: ResponsePreference
    keywords: dict[str, str]
    context: str


def preferences_document(user: User) -> dict[str, str]:
    """`{explanation, user_preferences}` as the API says it; the second is JSON text (PRODUCT "preferences path")."""
    own = _own(user)
    shared = _shared(user.organization)
    document = {
        "chart_formatting": own.chart_formatting,
        "keywords": dict(shared.keywords),
        "colors": own.colors,
        "theme": own.theme,
        "audio": own.audio,
        "response_preference": own.response_preference,
    }
    return {"explanation": shared.text, "user_preferences": json.dumps(document, ensure_ascii=False)}


def answer_preferences(user: User) -> AnswerPreferences:
    """The response style of the member, keywords and general context of the organization."""
    shared = _shared(user.organization)
    style = cast(ResponsePreference, _own(user).response_preference)
    return AnswerPreferences(style=style, keywords=dict(shared.keywords), context=shared.text)


def organization_context(organization: Organization) -> str:
    """The organization's general context, "" where nobody wrote one."""
    return _shared(organization).text


def file_contexts(organization: Organization) -> dict[str, str]:
    """What members wrote about files, by file name."""
    return dict(FileContext.objects.of(organization).order_by("file_name").values_list("file_name", "text"))


def private_columns(organization: Organization) -> dict[str, tuple[str, ...]]:
    """The columns that no language model is told of, by the key of their table's name."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    marked = PrivateColumn.objects.of(organization).order_by("table_key", "column")
    for table_key, column in marked.values_list("table_key", "column"):
        found[table_key].append(column)
    return {table_key: tuple(columns) for table_key, columns in found.items()}


def context_version(organization: Organization) -> int:
    """Changes with every text of the organization and what is private: what is derived from them is cached by it."""
    version = OrganizationContext.objects.of(organization).values_list("version", flat=True).first()
    return version or 0


def _own(user: User) -> Preferences:
    return Preferences.objects.filter(user=user).first() or Preferences(user=user)


def _shared(organization: Organization | None) -> OrganizationContext:
    found = OrganizationContext.objects.of(organization).first() if organization else None
    return found or OrganizationContext(organization=organization)
