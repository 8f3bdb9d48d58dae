"""Who came with an archive has no user name here until he takes his place; places that are kept already give theirs back."""

import secrets

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def give_back(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    for place in apps.get_model("campaigns", "Placeholder").objects.select_related("player"):
        player = place.player
        place.username = player.username
        place.save(update_fields=["username"])
        player.name_shown = player.name_shown or player.username[:60]
        player.username = f"place-{secrets.token_hex(8)}"
        player.save(update_fields=["username", "name_shown"])


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0172_recounts_and_notices"), ("rosters", "0031_guests")]

    operations = [
        migrations.AddField(
            model_name="placeholder", name="username", field=models.CharField(blank=True, max_length=150)
        ),
        migrations.RunPython(give_back, migrations.RunPython.noop),
    ]
