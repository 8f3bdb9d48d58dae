"""Fields get their standard names; their columns keep theirs, so nothing in the database changes."""

from django.db import migrations, models

from rosters.database.operations import ChangeState

RENAMED = (  # model, name of its field `at`, options of the field
    ("LiveEvent", "occurred_at", {}),
    ("LiveSeat", "joined_at", {}),
    ("LiveTable", "created_at", {}),
    ("PairedDice", "created_at", {"db_index": True}),
    ("PairedList", "created_at", {}),
    ("Record", "created_at", {}),
    ("SealedDice", "sealed_at", {}),
    ("SoloBattle", "created_at", {}),
)


def renamed(model, old, new, field):
    """Return the operations that give a field its new name and keep its column."""
    return [migrations.AlterField(model, old, field), migrations.RenameField(model, old, new)]


class Migration(migrations.Migration):
    dependencies = [
        ("battles", "0221_best_styles"),
    ]

    operations = [
        ChangeState(
            state_operations=[
                operation
                for model, name, options in RENAMED
                for operation in renamed(
                    model, "at", name, models.DateTimeField(auto_now_add=True, db_column="at", **options)
                )
            ]
        )
    ]
