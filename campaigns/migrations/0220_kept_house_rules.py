"""House rules whose defaults change: campaigns that have begun keep what they were played with."""

from django.db import migrations

KEPT = {
    "mech-campaign": {"heavy-limit": "half"},
    "hex-core": {"freeze-roll": "at-or-under", "two-handed": "both-hands"},
}


def keep_house_rules(apps, schema_editor):
    begun = apps.get_model("campaigns", "Campaign").objects.filter(system__in=KEPT).exclude(state="draft")
    for campaign in begun.only("pk", "system", "options"):
        campaign.options = {**KEPT[campaign.system], **campaign.options}
        campaign.save(update_fields=["options"])
    open_ones = apps.get_model("campaigns", "Match").objects.filter(
        round__campaign__in=begun, state__in=("scheduled", "reported", "disputed"), setup__isnull=False, battle__isnull=True
    )
    for match in open_ones.only("pk", "setup").iterator():  # their lists are revealed, under the house rules of that day
        match.setup["options"] = {**KEPT[match.setup["system"]], **match.setup.get("options", {})}
        match.save(update_fields=["setup"])


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0211_kills_of_imported_results"),
    ]

    operations = [migrations.RunPython(keep_house_rules, migrations.RunPython.noop)]
