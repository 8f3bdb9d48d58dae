import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('battles', '0008_job_waiting_since'),
        ('campaigns', '0006_job_waiting_since'),
    ]

    operations = [
        migrations.AlterField(
            model_name='friendly',
            name='battle',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='friendly', to='battles.battle'),
        ),
        migrations.AddField(
            model_name='friendly',
            name='outcome',
            field=models.CharField(blank=True, max_length=5),
        ),
        migrations.AddField(
            model_name='friendly',
            name='commitment',
            field=models.CharField(blank=True, max_length=64),
        ),
    ]
