from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("campaigns", "0171_web_push"),
    ]

    operations = [
        migrations.AddField(
            model_name="handicap",
            name="basis",
            field=models.JSONField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="seasonpairing",
            name="told",
            field=models.JSONField(blank=True, default=dict),
        ),
    ]
