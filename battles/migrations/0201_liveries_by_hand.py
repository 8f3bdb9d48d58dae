from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("battles", "0200_sorted_battles")]

    operations = [
        migrations.AddField(model_name="solobattle", name="liveries", field=models.JSONField(default=dict)),
    ]
