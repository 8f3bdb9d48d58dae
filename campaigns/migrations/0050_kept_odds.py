from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

FEWEST_BATTLES = 1_000


def keep_odds(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """The odds of matches whose round is closed, as they stand now."""
    rows = apps.get_model("campaigns", "Match").objects.filter(
        round__state="closed", setup__isnull=False, forecast__runs_done__gte=FEWEST_BATTLES
    )
    for match in rows.select_related("forecast").only("forecast__counts", "forecast__runs_done").iterator():
        battle = match.forecast.counts["battle"]
        match.odds = {
            "runs": match.forecast.runs_done,
            "attacker_wins": battle["attacker_wins"],
            "defender_wins": battle["defender_wins"],
            "margins": match.forecast.counts.get("margins", {}),
        }
        match.save(update_fields=["odds"])


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0040_musters")]

    operations = [
        migrations.AddField(model_name="match", name="odds", field=models.JSONField(blank=True, null=True)),
        migrations.RunPython(keep_odds, migrations.RunPython.noop),
    ]
