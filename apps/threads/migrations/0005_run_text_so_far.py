from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('threads', '0004_model_usage'),
    ]

    operations = [
        migrations.AddField(
            model_name='run',
            name='text_so_far',
            field=models.TextField(blank=True, default=''),
        ),
    ]
