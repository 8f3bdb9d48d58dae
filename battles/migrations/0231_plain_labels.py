"""A model gets a plainer name in the admin; nothing in the database changes."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('battles', '0230_standard_field_names'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='sealeddice',
            options={'verbose_name_plural': 'provably fair dice'},
        ),
    ]
