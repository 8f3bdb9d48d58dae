"""On which ground the odds of a fair draw were counted; of one from before nobody knows."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0202_balance"),
    ]

    operations = [
        migrations.AddField(
            model_name="fairdraw",
            name="ground",
            field=models.CharField(blank=True, default="", max_length=12),
            preserve_default=False,
        ),
    ]
