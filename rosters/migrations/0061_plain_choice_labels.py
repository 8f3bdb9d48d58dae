"""Choices get plainer labels; nothing in the database changes."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('rosters', '0060_standard_field_names'),
    ]

    operations = [
        migrations.AlterField(
            model_name='companyorigin',
            name='kind',
            field=models.CharField(choices=[('signed', 'exported and signed by this site, unchanged since'), ('unsigned', 'not signed by this site'), ('archive', 'from a club archive')], max_length=8),
        ),
        migrations.AlterField(
            model_name='dataexport',
            name='status',
            field=models.CharField(choices=[('draft', 'Draft'), ('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('called-off', 'Cancelled')], db_index=True, default='queued', max_length=12),
        ),
        migrations.AlterField(
            model_name='printbatch',
            name='status',
            field=models.CharField(choices=[('draft', 'Draft'), ('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('called-off', 'Cancelled')], db_index=True, default='queued', max_length=12),
        ),
        migrations.AlterField(
            model_name='printerprofile',
            name='flip',
            field=models.CharField(choices=[('long-edge', 'on the long edge'), ('short-edge', 'on the short edge')], default='long-edge', max_length=10, verbose_name='turns the paper'),
        ),
        migrations.AlterField(
            model_name='printjob',
            name='status',
            field=models.CharField(choices=[('draft', 'Draft'), ('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('called-off', 'Cancelled')], db_index=True, default='queued', max_length=12),
        ),
    ]
