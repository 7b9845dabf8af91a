"""Very wide tables are read before anybody asks about them: when they came, when a page shows what can be asked, and
while a question is typed. What reads them ends by itself when no question comes."""

from __future__ import annotations

from uuid import UUID

from django.apps import apps
from django.core.cache import cache

from apps.core.jobs.sending import actor_named, send_after_commit
from apps.datasources.selectors import columns_kept
from apps.threads import limits


def tables_came(organization_id: UUID) -> None:
    """Sends for a worker where the organization's tables are wide; others are read faster than this takes."""
    from apps.analyst.tables.width import WIDE

    organization = apps.get_model("accounts", "Organization").objects.get(pk=organization_id)
    if columns_kept(organization) >= WIDE:
        send_after_commit(actor_named("threads.find_suggestions"), organization_id)


def question_expected(organization_id: UUID) -> None:
    """Sends for a worker, once in a while: somebody is about to ask about wide tables."""
    if cache.add(f"expected.{organization_id}", 1, limits.EXPECTED_EVERY):
        send_after_commit(actor_named("threads.find_suggestions"), organization_id)
