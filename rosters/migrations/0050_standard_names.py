"""Models get their standard names; their tables keep theirs, so no row moves."""

from django.db import migrations

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
        operation
        for old, new in RENAMED
        for operation in (
            migrations.AlterModelTable(old, f"rosters_{old.lower()}"),
            migrations.RenameModel(old, new),
        )
    ] + [migrations.AlterModelOptions("Description", {"ordering": ["pk"]})]
