from django.db import migrations, models


def tell(apps, schema_editor):
    """Of editions that were written without, from their documents; gazette/1 is read by every version."""
    from campaigns.gazette.document import GazetteDocument
    from campaigns.gazette.prose import build_headline
    from campaigns.gazette.prose import build_lead

    rows = apps.get_model("campaigns", "Gazette").objects
    for row in rows.only("content").iterator(chunk_size=100):
        content = GazetteDocument.model_validate(row.content)
        rows.filter(pk=row.pk).update(headline=build_headline(content), lead=build_lead(content))


class Migration(migrations.Migration):

    dependencies = [
        ('campaigns', '0007_friendlies_without_their_battle'),
    ]

    operations = [
        migrations.AddField(
            model_name='gazette',
            name='headline',
            field=models.TextField(default=''),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='gazette',
            name='lead',
            field=models.TextField(default=''),
            preserve_default=False,
        ),
        migrations.RunPython(tell, migrations.RunPython.noop),
    ]
