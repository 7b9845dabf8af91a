from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('feedback', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='feedback',
            name='passing',
            field=models.CharField(choices=[('kept', 'Kept here only'), ('waiting', 'Waiting'), ('passed-on', 'Passed on'), ('given-up', 'Given up')], default='kept', max_length=12, verbose_name='passed on'),
        ),
        migrations.AddField(
            model_name='feedback',
            name='tries',
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='feedback',
            name='next_try_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='feedback',
            name='passed_on_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='feedback',
            name='last_failure',
            field=models.CharField(blank=True, max_length=200),
        ),
        migrations.AddIndex(
            model_name='feedback',
            index=models.Index(fields=['passing', 'next_try_at'], name='feedback_waiting'),
        ),
    ]
