from datetime import datetime, timedelta

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


def in_a_week() -> datetime:
    """What waits already may be an invitation."""
    return django.utils.timezone.now() + timedelta(days=7)


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0003_temporary_passwords_expire'),
    ]

    operations = [
        migrations.AddField(
            model_name='outgoingmail',
            name='due_at',
            field=models.DateTimeField(default=django.utils.timezone.now, help_text='When a worker may try (again).'),
        ),
        migrations.AddField(
            model_name='outgoingmail',
            name='expires_at',
            field=models.DateTimeField(default=in_a_week, help_text='From then on it would tell nobody anything: it is thrown away.'),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='outgoingmail',
            name='organization',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.organization'),
        ),
        migrations.AddField(
            model_name='outgoingmail',
            name='sender',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='outgoingmail',
            name='tries',
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddIndex(
            model_name='outgoingmail',
            index=models.Index(fields=['due_at'], name='mail_due'),
        ),
    ]
