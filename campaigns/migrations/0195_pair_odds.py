"""The odds of pairs that are made by hand."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('campaigns', '0181_even_games_at_tables'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='PairOdds',
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
                ('counted', models.JSONField(default=dict)),
                ('asked_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('round', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='pair_odds', to='campaigns.round')),
            ],
            options={
                'abstract': False,
            },
        ),
    ]
