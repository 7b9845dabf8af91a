"""What the first question of a process would wait for, done ahead: imports, the query child, the busiest catalogs."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from django.apps import apps
from django.db.models import F, Max

from apps.threads import engine
from apps.threads.providers import model_specs
from apps.threads.suggestions import suggestions_find

if TYPE_CHECKING:
    from apps.accounts.models import Organization

ORGANIZATIONS = 3
"""Those that asked last are likely to ask next; more would make a start busy for long."""


def warm() -> None:
    """Readies this process for questions. Takes seconds; meant to run beside serving."""
    import_module("apps.threads.runner")
    analyst = engine.current()
    for place, organization in enumerate(_lately_active()):
        catalog = analyst.catalog_of(organization)
        if place == 0 and catalog.tables():  # a child that may read all of these serves every question about them
            analyst.over(catalog).warehouse.query(
                "SELECT 1", (), tables={table.name: table.path for table in catalog.tables()}
            )
        suggestions_find(organization.pk)
    specs = model_specs()
    if specs and analyst.talk is not None:
        import_module("apps.analyst.approaches.models.layer").ready(specs)


def _lately_active() -> list[Organization]:
    active = apps.get_model("accounts", "Organization").objects.filter(is_active=True)
    organizations = active.annotate(asked=Max("threads__updated_at"))
    return list(organizations.order_by(F("asked").desc(nulls_last=True), "created_at")[:ORGANIZATIONS])
