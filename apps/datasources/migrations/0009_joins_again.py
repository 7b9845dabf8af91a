"""Ways between tables are looked for again: those over several columns together are found now."""

from __future__ import annotations

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def look_again(apps: Apps, _: BaseDatabaseSchemaEditor) -> None:
    """A version that no catalog has: the sweep looks for the joins of each organization anew."""
    apps.get_model("datasources", "CatalogState").objects.update(joins_version=0)


class Migration(migrations.Migration):
    dependencies = [("datasources", "0008_american_spelling")]
    operations = [migrations.RunPython(look_again, migrations.RunPython.noop)]
