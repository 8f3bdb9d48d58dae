from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.utils import timezone


def told_before(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """What is proposed was told when it was: nobody is told of it a second time."""
    now = timezone.now().isoformat()
    for row in apps.get_model("campaigns", "SeasonPairing").objects.filter(state="agreeing", proposed__isnull=False):
        row.told = {str(row.proposing): {"game": row.proposed_id, "at": now}}
        row.save(update_fields=["told"])


class Migration(migrations.Migration):

    dependencies = [
        ("campaigns", "0171_web_push"),
    ]

    operations = [
        migrations.AddField(
            model_name="handicap",
            name="basis",
            field=models.JSONField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="seasonpairing",
            name="told",
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.RunPython(told_before, migrations.RunPython.noop),
    ]
