"""When deadlines and dates changed last, for the calendars that programs subscribe to."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0220_kept_house_rules"),
    ]

    operations = [
        migrations.AddField(
            model_name="round",
            name="deadline_set_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="matchdate",
            name="changed_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
