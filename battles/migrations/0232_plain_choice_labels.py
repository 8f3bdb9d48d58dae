"""Choices get plainer labels; nothing in the database changes."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('battles', '0231_plain_labels'),
    ]

    operations = [
        migrations.AlterField(
            model_name='battle',
            name='status',
            field=models.CharField(choices=[('draft', 'Draft'), ('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('called-off', 'Cancelled')], db_index=True, default='queued', max_length=12),
        ),
        migrations.AlterField(
            model_name='bestanswer',
            name='status',
            field=models.CharField(choices=[('draft', 'Draft'), ('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('called-off', 'Cancelled')], db_index=True, default='queued', max_length=12),
        ),
        migrations.AlterField(
            model_name='bestbuild',
            name='status',
            field=models.CharField(choices=[('draft', 'Draft'), ('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('called-off', 'Cancelled')], db_index=True, default='queued', max_length=12),
        ),
        migrations.AlterField(
            model_name='bestchange',
            name='status',
            field=models.CharField(choices=[('draft', 'Draft'), ('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('called-off', 'Cancelled')], db_index=True, default='queued', max_length=12),
        ),
        migrations.AlterField(
            model_name='curve',
            name='status',
            field=models.CharField(choices=[('draft', 'Draft'), ('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('called-off', 'Cancelled')], db_index=True, default='queued', max_length=12),
        ),
        migrations.AlterField(
            model_name='forecast',
            name='status',
            field=models.CharField(choices=[('draft', 'Draft'), ('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('called-off', 'Cancelled')], db_index=True, default='queued', max_length=12),
        ),
        migrations.AlterField(
            model_name='fork',
            name='status',
            field=models.CharField(choices=[('draft', 'Draft'), ('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('called-off', 'Cancelled')], db_index=True, default='queued', max_length=12),
        ),
        migrations.AlterField(
            model_name='matrix',
            name='status',
            field=models.CharField(choices=[('draft', 'Draft'), ('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('called-off', 'Cancelled')], db_index=True, default='queued', max_length=12),
        ),
        migrations.AlterField(
            model_name='recordcheck',
            name='status',
            field=models.CharField(choices=[('draft', 'Draft'), ('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('called-off', 'Cancelled')], db_index=True, default='queued', max_length=12),
        ),
        migrations.AlterField(
            model_name='whatif',
            name='status',
            field=models.CharField(choices=[('draft', 'Draft'), ('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('called-off', 'Cancelled')], db_index=True, default='queued', max_length=12),
        ),
    ]
