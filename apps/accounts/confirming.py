"""Pages of the administration that ask before something goes: they name what goes, and who."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.contrib import admin
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils.text import capfirst

from apps.accounts.holdings import Subject
from apps.accounts.services.erasure import erasure_files, erasure_preview
from apps.core.errors import ProductError

NAMES_SHOWN = 12


@dataclass(frozen=True, slots=True)
class Confirmation:
    """What a page asks. `problem` says why it cannot be done; then there is nothing to confirm."""

    title: str
    lead: str
    button: str
    going: tuple[tuple[str, str], ...] = ()
    problem: str = ""
    retype: str = ""
    """What must be typed before it is done; "" where a click is enough."""
    choice: tuple[str, str] | None = None
    """A box that may be ticked: its name and what it says."""
    sent: tuple[tuple[str, str], ...] = ()
    """What the form sends along, unseen."""


def erasing(subject: Subject, *, people: Sequence[str] = (), keep_files: bool = False) -> tuple[tuple[str, str], ...]:
    """What a deletion takes, by kind and number, and the names of people and files. Raises Conflict."""
    facts = erasure_preview(subject=subject, keep_files=keep_files)
    counted = [(_kind(label), f"{number:,}") for label, number in facts.rows.items()]
    named = [("Member names", _listed(people))] if people else []
    files = erasure_files(subject=subject, keep_files=keep_files)
    if files:
        named.append(("File names", _listed(files)))
    return (*named, *sorted(counted))


def asked(
    request: HttpRequest, shown: admin.ModelAdmin[Any], confirmation: Confirmation, *, missed: str = ""
) -> TemplateResponse:
    """The page that asks. `missed` says what was left out when it was sent."""
    context = {
        **shown.admin_site.each_context(request),
        "title": confirmation.title,
        "opts": shown.opts,
        "confirmation": confirmation,
        "missed": missed,
    }
    return TemplateResponse(request, "admin/accounts/confirm.html", context)


def blocked(title: str, error: ProductError) -> Confirmation:
    """A page that says why something cannot be done."""
    return Confirmation(title=title, lead="", button="", problem=error.message)


def _kind(label: str) -> str:
    return str(capfirst(apps.get_model(label)._meta.verbose_name_plural))


def _listed(names: Iterable[str]) -> str:
    listed = list(names)
    more = len(listed) - NAMES_SHOWN
    return ", ".join(listed[:NAMES_SHOWN]) + (f" and {more:,} more" if more > 0 else "")
