"""The version of an organization's tables, its lock, and the joins between its tables."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING
from uuid import UUID

from django.db import transaction
from django.db.models import F

from apps.analyst.errors import QueryFailed
from apps.core.jobs.interrupting import TimeUp, within
from apps.datasources.catalog import stored_tables
from apps.datasources.models import CatalogState
from apps.datasources.services.measuring import paths_anew, paths_keep
from apps.datasources.ways import JoinJson

if TYPE_CHECKING:
    from apps.accounts.models import Organization

logger = logging.getLogger("apps.datasources.catalogs")

JOIN_ATTEMPTS = 3
JOINING_SECONDS = 120.0
"""Usual tables take less than a second; only hundreds of wide ones come near."""


def catalog_lock(organization: Organization) -> CatalogState:
    """The organization's state, locked until the transaction ends; made where there is none. Needs a transaction."""
    return CatalogState.objects.select_for_update().get_or_create(organization=organization)[0]


def catalog_changed(organization: Organization) -> None:
    """Says that tables were added, changed or removed: every cached catalog of the organization is old now."""
    CatalogState.objects.of(organization).update(version=F("version") + 1)


def joins_refresh(organization_id: UUID) -> None:
    """Finds the joins of the present tables. Where tables change meanwhile it looks again, as does the change. Where it
    takes too long, or ends before it is done, the joins that were known before stay."""
    from apps.analyst.tables.codec import join_to_json
    from apps.analyst.tables.joins_aside import found_aside

    for _ in range(JOIN_ATTEMPTS):
        state = CatalogState.objects.at_work().filter(organization_id=organization_id).first()
        if state is None or state.joins_version == state.version:
            return
        paths: dict[str, JoinJson | None] = {}
        try:
            with within(JOINING_SECONDS):
                tables = stored_tables(organization_id)
                found = [join_to_json(join) for join in found_aside(tables)]
                paths = paths_anew(organization_id, tables, found)
        except (TimeUp, QueryFailed):
            logger.error("looking for joins of organization %s came to no end", organization_id)
            found = state.joins
        with transaction.atomic():
            paths_keep(organization_id, paths)
            kept = CatalogState.objects.filter(pk=state.pk, version=state.version).update(
                joins=found, joins_version=state.version
            )
            transaction.set_rollback(not kept)
        if kept:
            return
