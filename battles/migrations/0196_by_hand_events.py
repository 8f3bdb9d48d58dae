from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("battles", "0195_best_answers_in_the_field")]

    operations = [
        migrations.AddField(
            model_name="solobattle",
            name="events",
            field=models.PositiveIntegerField(default=0),
        ),
    ]
