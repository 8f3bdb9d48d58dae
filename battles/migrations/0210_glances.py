from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("battles", "0201_liveries_by_hand"),
    ]

    operations = [
        migrations.AddField(
            model_name="matrix",
            name="is_glance",
            field=models.BooleanField(default=False),
        ),
    ]
