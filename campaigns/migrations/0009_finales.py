from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0008_front_pages")]

    operations = [
        migrations.AddField(
            model_name="round",
            name="is_finale",
            field=models.BooleanField(default=False),
        ),
    ]
