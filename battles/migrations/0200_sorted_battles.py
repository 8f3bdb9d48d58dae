"""How long battles were and how many kills there were in them, as numbers that lists sort by."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

BATCH = 500


def count_what_is_over(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Of battles that are over, by their results; kills that were counted of a record stay."""
    battles = apps.get_model("battles", "Battle").objects.order_by("pk")
    last = 0
    while batch := list(battles.filter(pk__gt=last, result__isnull=False).only("result", "kills")[:BATCH]):
        for battle in batch:
            battle.rounds = battle.result.get("rounds") or 0
            if battle.kills is None:
                battle.kills = sum(bool(unit.get("lost")) for unit in battle.result.get("units", ()))
        battles.model.objects.bulk_update(batch, ["rounds", "kills"], batch_size=BATCH)
        last = batch[-1].pk


class Migration(migrations.Migration):
    dependencies = [("battles", "0196_by_hand_events")]

    operations = [
        migrations.AddField(
            model_name="battle", name="rounds", field=models.PositiveIntegerField(default=0, editable=False)
        ),
        migrations.RunPython(count_what_is_over, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="battle", name="kills", field=models.PositiveIntegerField(default=0, editable=False)
        ),
        migrations.AddIndex(
            model_name="battle", index=models.Index(fields=["-rounds", "-id"], name="battle_longest")
        ),
        migrations.AddIndex(
            model_name="battle", index=models.Index(fields=["-kills", "-id"], name="battle_deadliest")
        ),
    ]
