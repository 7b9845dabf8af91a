"""Marking columns as private: no language model is told of them."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import F

from apps.accounts.audit import AuditAction, record
from apps.accounts.policy import Action, demand
from apps.preferences.models import OrganizationContext, PrivateColumn

if TYPE_CHECKING:
    from apps.accounts.models import Organization, User


@transaction.atomic
def column_private_set(*, by: User, table_key: str, column: str, private: bool, target: str) -> None:
    """Marks a column, or takes the mark away; `target` names it in the audit log. The caller knows that it exists.

    Raises Refused for members who may not change what the data mean.
    """
    demand(by, Action.EDIT_DICTIONARY)
    assert by.organization is not None, "only members reach the services"
    context, _ = OrganizationContext.objects.select_for_update().get_or_create(organization=by.organization)
    marked = PrivateColumn.objects.of(by.organization).filter(table_key=table_key, column=column)
    if marked.exists() == private:
        return
    if private:
        PrivateColumn.objects.create(organization=by.organization, table_key=table_key, column=column)
    else:
        marked.delete()
    OrganizationContext.objects.filter(pk=context.pk).update(version=F("version") + 1)
    record(AuditAction.CONTEXT_CHANGED, organization=by.organization, actor=by, target=target, private=private)


def private_columns_forget(*, organization: Organization, table_keys: Collection[str]) -> None:
    """Removes the marks of tables that are gone, inside the caller's transaction."""
    PrivateColumn.objects.of(organization).filter(table_key__in=list(table_keys)).delete()
