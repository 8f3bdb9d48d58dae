"""Drop the token table of knox: tokens are in `AccessToken`. In a new database knox's own migrations have created it."""

from django.db import migrations


def drop_table(apps, schema_editor):
    model = apps.get_model("knox", "AuthToken")
    if model._meta.db_table in schema_editor.connection.introspection.table_names():
        schema_editor.delete_model(model)


class Migration(migrations.Migration):
    dependencies = [
        ("knox", "0009_extend_authtoken_field"),
        ("rosters", "0001_squashed_0040_company_origins"),
    ]

    operations = [migrations.RunPython(drop_table, migrations.RunPython.noop)]
