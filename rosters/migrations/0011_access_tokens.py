"""Tokens get scopes and an end, and what is counted at the doors a table for all processes.

A token from before keeps its rights and is good for another 90 days. The table that it was in goes: its model gives way
to ours, so nothing would empty it or know that it refers to players.
"""

from datetime import timedelta

import django.db.models.deletion
from django.conf import settings
from django.core.management import call_command
from django.db import migrations, models
from django.utils import timezone

ALL = "read companies club"
LEFT = timedelta(days=90)
CACHE = "rosters_cache"


def bring_over(apps, schema_editor):
    try:
        model = apps.get_model("knox", "AuthToken")
    except LookupError:  # knox hasn't been migrated yet, so there are no tokens; 0041 drops its table
        return
    new = apps.get_model("rosters", "AccessToken").objects.using(schema_editor.connection.alias)
    latest = timezone.now() + LEFT
    for row in model.objects.using(schema_editor.connection.alias):
        new.create(
            digest=row.digest,
            token_key=row.token_key,
            user_id=row.user_id,
            expiry=min(row.expiry or latest, latest),
            name="from before tokens had names",
            scopes=ALL,
        )
        new.filter(pk=row.pk).update(created=row.created)
    schema_editor.delete_model(model)


def bring_back(apps, schema_editor):
    model = apps.get_model("knox", "AuthToken")
    schema_editor.create_model(model)
    for row in apps.get_model("rosters", "AccessToken").objects.using(schema_editor.connection.alias):
        if row.scopes == ALL:
            model.objects.using(schema_editor.connection.alias).create(
                digest=row.digest, token_key=row.token_key, user_id=row.user_id, expiry=row.expiry
            )


def make_cache(apps, schema_editor):
    call_command("createcachetable", CACHE, database=schema_editor.connection.alias, verbosity=0)


def drop_cache(apps, schema_editor):
    schema_editor.execute(f"DROP TABLE {CACHE}")


class Migration(migrations.Migration):
    # No dependency on knox: its migrations depend on the first of rosters, so the squash would depend on itself.
    dependencies = [
        ("rosters", "0010_kept_answers"),
    ]

    operations = [
        migrations.CreateModel(
            name="AccessToken",
            fields=[
                ("digest", models.CharField(max_length=128, primary_key=True, serialize=False)),
                ("token_key", models.CharField(db_index=True, max_length=25)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("expiry", models.DateTimeField(blank=True, null=True)),
                ("name", models.CharField(blank=True, max_length=60)),
                ("scopes", models.CharField(default="read", max_length=60)),
                ("used_at", models.DateTimeField(blank=True, null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="auth_token_set",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"abstract": False},
        ),
        migrations.RunPython(bring_over, bring_back),
        migrations.RunPython(make_cache, drop_cache),
    ]
