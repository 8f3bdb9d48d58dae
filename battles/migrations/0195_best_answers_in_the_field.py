"""A best answer may be searched for against the published forces."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('battles', '0190_best_changes'),
    ]

    operations = [
        migrations.AddField(
            model_name='bestanswer',
            name='foes',
            field=models.JSONField(default=list),
        ),
    ]
