"""The way to another version of the database, and back."""

from __future__ import annotations

from django.apps import apps
from django.db.migrations.loader import MigrationLoader

OURS = {config.label for config in apps.get_app_configs() if config.name.startswith("apps.")}


def test_every_migration_goes_both_ways() -> None:
    """docs/operating.md tells operators to go back with `migrate APP NUMBER`."""
    found = {key: one for key, one in MigrationLoader(None).disk_migrations.items() if key[0] in OURS}
    assert len(found) > 20
    one_way = [key for key, migration in found.items() if not all(step.reversible for step in migration.operations)]
    assert one_way == []
