"""A log of sign-ins. Sessions from before end: they stand in nobody's list, so nobody could end them by hand."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


def end_sessions(apps, schema_editor):
    apps.get_model("sessions", "Session").objects.using(schema_editor.connection.alias).all().delete()


class Migration(migrations.Migration):
    dependencies = [
        ("sessions", "0001_initial"),
        ("rosters", "0011_access_tokens"),
    ]

    operations = [
        migrations.CreateModel(
            name="SignIn",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
                ("address", models.CharField(max_length=50)),
                ("agent", models.CharField(max_length=60)),
                (
                    "outcome",
                    models.CharField(
                        choices=[("ok", "signed in"), ("password", "wrong password"), ("code", "wrong code")],
                        max_length=8,
                    ),
                ),
                ("second_factor", models.BooleanField(default=False)),
                (
                    "player",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sign_ins",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-at"],
                "indexes": [models.Index(fields=["player", "-at"], name="sign_in_of_player")],
            },
        ),
        migrations.RunPython(end_sessions, migrations.RunPython.noop),
    ]
