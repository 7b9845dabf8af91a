"""Context texts by name: one of the organization, one for each file (SPEC section 7, /explanation)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from apps.datasources.naming import name_key
from apps.datasources.selectors import file_names, source_named
from apps.preferences.selectors import file_contexts, organization_context
from apps.preferences.services.contexts import file_context_update, organization_context_update

if TYPE_CHECKING:
    from apps.accounts.models import User

ORGANIZATION_KEY = "Organization Level Context"
"""The name of the organization-level entry (SPEC section 3)."""


def explanations(user: User, names: Sequence[str] | None = None) -> dict[str, str]:
    """Texts by file name, the organization's among them; with `names` only those, "" where nothing is written yet."""
    assert user.organization is not None, "only members reach the services"
    written = {ORGANIZATION_KEY: organization_context(user.organization), **file_contexts(user.organization)}
    if names is None:
        return written
    known = {name_key(name): name for name in [ORGANIZATION_KEY, *file_names(user.organization)]}
    asked = [known[name_key(name)] for name in names if name_key(name) in known]
    return {name: written.get(name, "") for name in asked}


def explanation_update(*, by: User, text: str, file_name: str | None) -> None:
    """Writes the text of a file, or without one the organization's. Raises NotFound, Refused."""
    assert by.organization is not None, "only members reach the services"
    if file_name is None or file_name == ORGANIZATION_KEY:
        organization_context_update(by=by, text=text)
    else:
        source = source_named(by.organization, file_name)
        file_context_update(by=by, file_name=source.file_name, text=text)
