"""Odds of matches become a campaign's own switch; and what sides ordered is hidden until their match is decided."""

from django.db import migrations, models

UNDECIDED = ("scheduled", "reported", "disputed")
HIDDEN = "The odds that were counted of it told what its sides have ordered."


def keep_what_they_had(apps, schema_editor):
    """Campaigns that were begun have their odds counted as before: where absent players' matches are fought by orders."""
    campaigns = apps.get_model("campaigns", "Campaign").objects.exclude(state="draft")
    campaigns.exclude(absent_rule="orders").update(counts_odds=False)


def without_orders(setup):
    sides = []
    for side in setup["sides"]:
        kept = {name: value for name, value in side.items() if name not in ("orders", "standing")}
        kept["units"] = [{name: value for name, value in unit.items() if name != "standing"} for unit in side["units"]]
        sides.append(kept)
    return {**setup, "sides": sides}


def hide_orders(apps, schema_editor):
    """Of matches that are not decided: odds that were counted with orders are theirs no more, and tables lose them."""
    matches = apps.get_model("campaigns", "Match").objects.filter(state__in=UNDECIDED, setup__isnull=False)
    tables = apps.get_model("campaigns", "MatchTable").objects
    for match in matches.only("pk", "setup", "forecast").iterator(chunk_size=100):
        bare = without_orders(match.setup)
        if bare == match.setup:
            continue
        if match.forecast_id is not None:
            matches.filter(pk=match.pk).update(forecast=None, no_odds=HIDDEN)
        for row in tables.filter(match_id=match.pk).select_related("table"):
            row.table.setup = bare
            row.table.save(update_fields=["setup"])


class Migration(migrations.Migration):
    dependencies = [
        ("battles", "0170_paired_dice"),
        ("campaigns", "0173_names_of_places"),
    ]

    operations = [
        migrations.AddField(
            model_name="campaign",
            name="counts_odds",
            field=models.BooleanField(default=True, verbose_name="odds of its matches are counted and published"),
        ),
        migrations.RunPython(keep_what_they_had, migrations.RunPython.noop),
        migrations.RunPython(hide_orders, migrations.RunPython.noop),
    ]
