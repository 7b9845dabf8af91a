import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("integrations", "0010_sheets_and_slack")]

    operations = [
        migrations.RenameModel("HubSpotSettings", "RefreshSchedule"),
        migrations.AlterField(
            model_name="refreshschedule",
            name="connection",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE, related_name="schedule", to="integrations.connection"
            ),
        ),
    ]
