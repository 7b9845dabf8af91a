"""Keys of sessions are stored as digests from here on: rows with the keys themselves are worth nothing, and go."""

from django.db import migrations


def forget(apps, schema_editor):
    for app, model in (("sessions", "Session"), ("usersessions", "UserSession")):
        apps.get_model(app, model).objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0007_names_of_the_administration"),
        ("sessions", "0001_initial"),
        ("usersessions", "0001_initial"),
    ]

    operations = [migrations.RunPython(forget, migrations.RunPython.noop, elidable=True)]
