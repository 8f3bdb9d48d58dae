"""Models get their standard names; their tables keep theirs, so no row moves."""

from django.db import migrations

from rosters.database.operations import RenameModels

RENAMED = (
    ("Words", "Description"),
    ("KeptAnswer", "IdempotentResponse"),
    ("WorkerSeen", "WorkerHeartbeat"),
    ("Takeout", "DataExport"),
    ("PlayerSuccession", "AccountMerge"),
)


class Migration(migrations.Migration):
    dependencies = [
        ("rosters", "0041_no_table_of_knox"),
    ]

    operations = [
        RenameModels(RENAMED, "rosters"),
        migrations.AlterModelOptions("Description", {"ordering": ["pk"]}),
    ]
