from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("battles", "0190_best_changes")]

    operations = [
        migrations.AddField(
            model_name="solobattle",
            name="events",
            field=models.PositiveIntegerField(default=0),
        ),
    ]
