"""A handicap can be of the objective."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0195_pair_odds"),
    ]

    operations = [
        migrations.AlterField(
            model_name="handicap",
            name="kind",
            field=models.CharField(blank=True, max_length=12),
        ),
    ]
