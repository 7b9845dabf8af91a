"""What the README says a service is asked for is what its consent page is asked for."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, urlsplit

import pytest
from django.conf import settings

from apps.integrations.registry import connector_of


def told(name: str) -> set[str]:
    """The scopes of a service's row in the README's table, without what stands in parentheses."""
    text = (settings.BASE_DIR / "README.md").read_text(encoding="utf-8")
    row = next(line for line in text.splitlines() if line.startswith(f"| {name} |"))
    words = re.sub(r"\(.*?\)|\boptional\b", "", row.split("|")[3])
    return {word for word in re.split(r"[,;\s]+", words) if word}


@pytest.mark.parametrize(("service", "name"), [("hubspot", "HubSpot"), ("google", "Google"), ("slack", "Slack")])
def test_the_readme_names_the_scopes_that_are_asked_for(service: str, name: str) -> None:
    address = connector_of(service).authorize_url(state="s", redirect_uri="r", challenge="c")
    sent = dict(parse_qsl(urlsplit(address).query))
    asked = re.split(r"[,\s]+", f"{sent['scope']} {sent.get('optional_scope', '')}".strip())
    assert told(name) == {scope.rpartition("/")[2] for scope in asked}
