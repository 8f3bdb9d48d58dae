from django.db import migrations, models

import rosters.entries


class Migration(migrations.Migration):

    dependencies = [
        ("rosters", "0014_leaving"),
    ]

    operations = [
        migrations.AlterField(
            model_name="ledgerentry",
            name="kind",
            field=models.CharField(choices=rosters.entries.kind_choices, max_length=20),
        ),
    ]
