"""Fields get their standard names; their columns keep theirs, so nothing in the database changes."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from rosters.database.operations import ChangeState


def renamed(model, old, new, field):
    """Return the operations that give a field its new name and keep its column."""
    return [migrations.AlterField(model, old, field), migrations.RenameField(model, old, new)]


def player(on_delete):
    return models.ForeignKey(
        settings.AUTH_USER_MODEL, blank=True, db_column="by_id", null=True, on_delete=on_delete, related_name="+"
    )


def time(**options):
    return models.DateTimeField(db_column="at", default=django.utils.timezone.now, **options)


class Migration(migrations.Migration):
    dependencies = [
        ("rosters", "0050_standard_names"),
    ]

    operations = [
        ChangeState(
            state_operations=[
                migrations.RemoveIndex("SignIn", "sign_in_of_player"),
                migrations.AlterModelOptions("SignIn", {"ordering": ["-occurred_at"]}),
                *renamed("CompanyOrigin", "at", "imported_at", time()),
                *renamed("CompanyOrigin", "by", "imported_by", player(django.db.models.deletion.SET_NULL)),
                *renamed("IdempotentResponse", "at", "created_at", time(db_index=True)),
                *renamed("LedgerEntry", "at", "created_at", time()),
                *renamed("LedgerEntry", "by", "created_by", player(django.db.models.deletion.PROTECT)),
                *renamed("SignIn", "at", "occurred_at", time(db_index=True)),
                migrations.AddIndex(
                    "SignIn", models.Index(fields=["player", "-occurred_at"], name="sign_in_of_player")
                ),
            ]
        )
    ]
