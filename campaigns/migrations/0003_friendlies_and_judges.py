
import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('battles', '0004_sealed_dice'),
        ('campaigns', '0002_what_a_campaign_allows'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='campaign',
            name='friendlies',
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='match',
            name='no_odds',
            field=models.CharField(blank=True, max_length=300),
        ),
        migrations.CreateModel(
            name='Friendly',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('opponent', models.CharField(max_length=60)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('battle', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='friendly', to='battles.battle')),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('enrolment', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='friendlies', to='campaigns.enrolment')),
                ('round', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='friendlies', to='campaigns.round')),
            ],
            options={
                'verbose_name_plural': 'friendlies',
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='JudgeConsent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('side', models.PositiveSmallIntegerField()),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='consents', to='campaigns.match')),
                ('ruling', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='consents', to='campaigns.ruling')),
            ],
            options={
                'ordering': ['pk'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('ruling__isnull', True)), fields=('match', 'side'), name='judge_consent_once')],
            },
        ),
    ]
