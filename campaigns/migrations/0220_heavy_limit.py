"""The limit on heavy mechs becomes a house rule of Mech Campaign, off by default; campaigns under way keep it."""

from django.db import migrations


def keep_the_limit(apps, schema_editor):
    """Campaigns of Mech Campaign that have begun were played with the limit, so it becomes a house rule of theirs."""
    begun = apps.get_model("campaigns", "Campaign").objects.filter(system="mech-campaign").exclude(state="draft")
    for campaign in begun.only("pk", "options"):
        campaign.options = {**campaign.options, "heavy-limit": "half"}
        campaign.save(update_fields=["options"])


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0210_ground_of_fair_draws"),
    ]

    operations = [migrations.RunPython(keep_the_limit, migrations.RunPython.noop)]
