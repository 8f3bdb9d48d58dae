from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("battles", "0210_glances"),
    ]

    operations = [
        migrations.AddField(
            model_name="forecast",
            name="picks_styles",
            field=models.BooleanField(default=False),
        ),
    ]
