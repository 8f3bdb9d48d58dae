"""An even game that both have accepted has its table."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("battles", "0170_paired_dice"),
        ("campaigns", "0180_odds_of_their_own"),
    ]

    operations = [
        migrations.AddField(
            model_name="evengame",
            name="table",
            field=models.OneToOneField(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="even_game",
                to="battles.livetable",
            ),
        ),
    ]
