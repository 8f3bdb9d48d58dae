from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("rosters", "0008_jobs_outlive_blips"),
    ]

    operations = [
        migrations.CreateModel(
            name="WorkerSeen",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=120, unique=True)),
                ("queues", models.CharField(max_length=120)),
                ("seen_at", models.DateTimeField()),
            ],
        ),
    ]
