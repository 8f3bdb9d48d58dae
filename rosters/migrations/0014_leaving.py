"""Players take their data and leave: the companies that only they needed go with their ledgers."""

import django.db.models.deletion
import django.utils.timezone
import uuid
from django.conf import settings
from django.db import migrations, models

from rosters.ledger import triggers as ledger_guard


class Migration(migrations.Migration):

    dependencies = [
        ('rosters', '0013_job_waiting_since'),
    ]

    operations = [
        migrations.CreateModel(
            name='CompanyErasure',
            fields=[
                ('company', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='+', serialize=False, to='rosters.company')),
            ],
        ),
        migrations.AddField(
            model_name='player',
            name='leaves_as',
            field=models.CharField(blank=True, editable=False, max_length=60),
        ),
        migrations.AddField(
            model_name='player',
            name='leaves_at',
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name='player',
            name='left_at',
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name='player',
            name='names_before',
            field=models.JSONField(blank=True, default=list, editable=False),
        ),
        migrations.CreateModel(
            name='Takeout',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('status', models.CharField(choices=[('draft', 'Draft'), ('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('called-off', 'called off')], db_index=True, default='queued', max_length=12)),
                ('lease', models.UUIDField(editable=False, null=True)),
                ('lease_until', models.DateTimeField(editable=False, null=True)),
                ('tries', models.PositiveSmallIntegerField(default=0, editable=False)),
                ('blips', models.PositiveSmallIntegerField(default=0, editable=False)),
                ('not_before', models.DateTimeField(editable=False, null=True)),
                ('failure', models.CharField(blank=True, max_length=500)),
                ('waiting_since', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('queued_at', models.DateTimeField(auto_now_add=True)),
                ('started_at', models.DateTimeField(null=True)),
                ('ended_at', models.DateTimeField(null=True)),
                ('key', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('parts_done', models.PositiveIntegerField(default=0)),
                ('parts', models.PositiveIntegerField(default=0)),
                ('size', models.PositiveBigIntegerField(null=True)),
                ('file', models.FileField(blank=True, upload_to='takeouts/')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='takeouts', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-pk'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('status__in', ['queued', 'running'])), fields=('player',), name='takeout_one_at_a_time')],
            },
        ),
        migrations.RunPython(ledger_guard.install_with_erasures, ledger_guard.install_without_erasures),
    ]
