"""Kills of results that were imported before they counted in the standings."""

from django.db import migrations


def count_kills(apps, schema_editor):
    rows = apps.get_model("campaigns", "Match").objects.filter(decided_by="import", past__isnull=False, figures={})
    for match in rows.only("past", "figures").iterator():
        kills = [match.past.get("attacker_kills"), match.past.get("defender_kills")]
        if kills != [None, None]:
            destroyed = [each or 0 for each in kills]
            match.figures = {"destroyed": destroyed, "lost": destroyed[::-1]}
            match.save(update_fields=["figures"])


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0210_ground_of_fair_draws"),
    ]

    operations = [migrations.RunPython(count_kills, migrations.RunPython.noop, elidable=True)]
