"""A season says whether the points of its games may differ; those that there are may, for nobody asked them."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0200_handicaps_by_objective"),
    ]

    operations = [
        migrations.AddField(
            model_name="season",
            name="points_may_differ",
            field=models.BooleanField(default=True),
            preserve_default=False,
        ),
        migrations.AlterField(
            model_name="season",
            name="points_may_differ",
            field=models.BooleanField(default=False),
        ),
    ]
