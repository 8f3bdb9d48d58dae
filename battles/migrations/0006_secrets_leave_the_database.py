from django.conf import settings
from django.db import migrations, models

from systems.engine.dice import hide_secret as hidden
from systems.engine.dice import key_name


def hide_secrets(apps, schema_editor):
    """Secrets of dice that are still sealed go under the key; seeds made of them are worked out when they are needed."""
    dice_rows, battles = apps.get_model("battles", "SealedDice"), apps.get_model("battles", "Battle")
    key = settings.DICE_KEYS[0]
    for dice in dice_rows.objects.filter(revealed_at=None, hidden="").exclude(secret="").iterator():
        dice.hidden, dice.hidden_under, dice.secret = hidden(dice.secret, key, str(dice.key)), key_name(key), ""
        dice.save(update_fields=["secret", "hidden", "hidden_under"])
    battles.objects.filter(dice__revealed_at=None, dice__isnull=False).exclude(status="done").update(seed="")


def show_secrets(apps, schema_editor):
    """Back in clear, as far as the keys are there."""
    dice_rows = apps.get_model("battles", "SealedDice")
    keys = {key_name(key): key for key in settings.DICE_KEYS}
    for dice in dice_rows.objects.filter(hidden_under__in=keys).iterator():
        dice.secret = hidden(dice.hidden, keys[dice.hidden_under], str(dice.key))
        dice.hidden, dice.hidden_under = "", ""
        dice.save(update_fields=["secret", "hidden", "hidden_under"])


class Migration(migrations.Migration):
    dependencies = [("battles", "0005_jobs_outlive_blips")]

    operations = [
        migrations.AlterField("sealeddice", "secret", models.CharField(blank=True, max_length=64)),
        migrations.AddField(
            "sealeddice", "hidden", models.CharField(blank=True, default="", editable=False, max_length=64), False
        ),
        migrations.AddField(
            "sealeddice", "hidden_under", models.CharField(blank=True, default="", editable=False, max_length=16), False
        ),
        migrations.RunPython(hide_secrets, show_secrets),
    ]
