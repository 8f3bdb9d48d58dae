"""Guests: players who can't sign in, and whose place an account may take."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from rosters.ledger import triggers as ledger_guard


class Migration(migrations.Migration):

    dependencies = [
        ('rosters', '0020_livery'),
    ]

    operations = [
        migrations.AddField(
            model_name='player',
            name='is_guest',
            field=models.BooleanField(default=False, editable=False),
        ),
        migrations.CreateModel(
            name='PlayerSuccession',
            fields=[
                ('before', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='+', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('heir', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.RunPython(ledger_guard.install_with_successions, ledger_guard.install_with_erasures),
    ]
