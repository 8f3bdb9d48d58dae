import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("rosters", "0009_worker_seen"),
    ]

    operations = [
        migrations.CreateModel(
            name="KeptAnswer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("asked", models.CharField(max_length=64)),
                ("status", models.PositiveSmallIntegerField()),
                ("answer", models.TextField()),
                ("at", models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
            ],
        ),
    ]
