"""Real matches beside their odds, over all clubs."""

from django.db import migrations, models

import systems


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0201_points_of_seasons"),
    ]

    operations = [
        migrations.CreateModel(
            name="Balance",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("system", models.SlugField(choices=systems.system_choices, max_length=40, unique=True)),
                ("seen", models.JSONField(default=list)),
                ("matches", models.PositiveIntegerField(default=0)),
                ("sheet", models.JSONField(default=dict)),
                ("counted_at", models.DateTimeField()),
            ],
            options={
                "ordering": ["system"],
            },
        ),
    ]
