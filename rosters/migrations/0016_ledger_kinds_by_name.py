from django.db import migrations, models

import rosters.ledger.kinds


class Migration(migrations.Migration):

    dependencies = [
        ("rosters", "0014_leaving"),
    ]

    operations = [
        migrations.AlterField(
            model_name="ledgerentry",
            name="kind",
            field=models.CharField(choices=rosters.ledger.kinds.kind_choices, max_length=20),
        ),
    ]
