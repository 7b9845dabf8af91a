import uuid

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0005_audit_of_organizations'),
        ('threads', '0005_run_text_so_far'),
    ]

    operations = [
        migrations.CreateModel(
            name='ModelBudget',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('monthly', models.DecimalField(decimal_places=2, help_text='in the currency of the prices; 0: no limit', max_digits=12)),
                ('organization', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='model_budget', to='accounts.organization')),
            ],
        ),
    ]
