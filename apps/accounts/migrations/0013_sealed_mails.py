from __future__ import annotations

from collections.abc import Callable

import apps.core.sealed_text
from apps.core.sealed_text import seal, unseal
from django.db import migrations


def sealed(apps, schema_editor):
    _rewrite(apps, seal)


def opened(apps, schema_editor):
    _rewrite(apps, unseal)


def _rewrite(apps, change: Callable[[str], str]) -> None:
    """Changes what waiting mails say, while the model still has plain texts."""
    for mail in apps.get_model("accounts", "OutgoingMail").objects.all():
        mail.text, mail.html = change(mail.text), change(mail.html)
        mail.save(update_fields=["text", "html"])


class Migration(migrations.Migration):
    dependencies = [("accounts", "0012_inactive_organizations")]

    operations = [
        migrations.RunPython(sealed, opened),
        migrations.AlterField("outgoingmail", "text", apps.core.sealed_text.SealedTextField()),
        migrations.AlterField("outgoingmail", "html", apps.core.sealed_text.SealedTextField(blank=True)),
    ]
