"""Changing what an organization tells about itself: general context, keywords, contexts of files.

Each writes only where something differs, so that an unchanged text neither needs a right nor wakes any cache.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import F

from apps.accounts.audit import AuditAction, record
from apps.accounts.policy import Action, demand
from apps.preferences.models import FileContext, OrganizationContext

if TYPE_CHECKING:
    from apps.accounts.models import Organization, User


@transaction.atomic
def organization_context_update(*, by: User, text: str) -> None:
    """The general context becomes `text`. Raises Refused for members who may not edit it."""
    context = _context_of(by)
    if context.text == text.strip():
        return
    demand(by, Action.EDIT_CONTEXT)
    OrganizationContext.objects.filter(pk=context.pk).update(text=text.strip(), version=F("version") + 1)
    _written_down(by, "the organization's context")


@transaction.atomic
def keywords_replace(*, by: User, keywords: dict[str, str]) -> None:
    """The organization's keywords become these, in this order. Raises Refused for members who may not edit them."""
    context = _context_of(by)
    pairs = [[term, definition] for term, definition in keywords.items()]
    if context.keywords == pairs:
        return
    demand(by, Action.EDIT_CONTEXT)
    OrganizationContext.objects.filter(pk=context.pk).update(keywords=pairs, version=F("version") + 1)
    _written_down(by, "the organization's keywords")


@transaction.atomic
def file_context_update(*, by: User, file_name: str, text: str) -> None:
    """What is written about a file becomes `text`; an empty one removes it. The caller knows that the file exists."""
    context = _context_of(by)
    mine = FileContext.objects.of(context.organization).filter(file_name=file_name)
    if (mine.values_list("text", flat=True).first() or "") == text.strip():
        return
    demand(by, Action.EDIT_CONTEXT)
    if text.strip():
        FileContext.objects.update_or_create(
            organization=context.organization, file_name=file_name, defaults={"text": text.strip()}
        )
    else:
        mine.delete()
    OrganizationContext.objects.filter(pk=context.pk).update(version=F("version") + 1)
    _written_down(by, file_name)


@transaction.atomic
def file_context_forget(*, organization: Organization, file_name: str) -> None:
    """Removes what was written about a file that is gone."""
    if FileContext.objects.of(organization).filter(file_name=file_name).delete()[0]:
        OrganizationContext.objects.of(organization).update(version=F("version") + 1)


def _context_of(user: User) -> OrganizationContext:
    assert user.organization is not None, "only members reach the services"
    return OrganizationContext.objects.select_for_update().get_or_create(organization=user.organization)[0]


def _written_down(by: User, target: str) -> None:
    record(AuditAction.CONTEXT_CHANGED, organization=by.organization, actor=by, target=target)
