"""Choices get plainer labels; nothing in the database changes."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('campaigns', '0280_names_of_times_and_players'),
    ]

    operations = [
        migrations.AlterField(
            model_name='campaign',
            name='absent_rule',
            field=models.CharField(choices=[('forfeit', 'the side that did nothing forfeits'), ('draw', 'a draw'), ('orders', 'played by autoplay orders')], default='forfeit', max_length=8),
        ),
        migrations.AlterField(
            model_name='campaign',
            name='attack_rule',
            field=models.CharField(choices=[('free', 'any'), ('neighbours', 'neighbours of its territories; any while it has none')], default='free', max_length=10),
        ),
        migrations.AlterField(
            model_name='campaign',
            name='pairing',
            field=models.CharField(choices=[('round-robin', 'round robin'), ('swiss', 'Swiss, no rematches'), ('fair', 'fair matches, by the odds'), ('knock-out', 'knock-out: the loser is out'), ('groups', 'groups, then play-offs of the best'), ('arc', 'storyline: the next scenario, attackers against defenders'), ('by-hand', 'by the organiser')], default='swiss', max_length=12),
        ),
        migrations.AlterField(
            model_name='campaign',
            name='state',
            field=models.CharField(choices=[('draft', 'draft'), ('mustering', 'open for sign-up'), ('running', 'running'), ('finished', 'finished')], default='draft', max_length=9),
        ),
        migrations.AlterField(
            model_name='correction',
            name='mode',
            field=models.CharField(choices=[('compensate', "change this match's own effects and nothing later"), ('cascade', 'recalculate everything later'), ('flag', 'leave the ledgers and flag what depends on it')], max_length=10),
        ),
        migrations.AlterField(
            model_name='cup',
            name='seeding',
            field=models.CharField(choices=[('table', 'by the standings: the best meet last'), ('lot', 'drawn by lot'), ('by-hand', 'by the organiser')], default='lot', max_length=7),
        ),
        migrations.AlterField(
            model_name='match',
            name='decided_by',
            field=models.CharField(blank=True, choices=[('agreement', 'both reports agree'), ('other-side', 'the other side confirmed the report'), ('deadline', 'the report stood at the deadline'), ('ruling', "an arbiter's ruling"), ('orders', 'played by autoplay orders'), ('organiser', 'the organiser'), ('import', 'imported')], max_length=10),
        ),
        migrations.AlterField(
            model_name='season',
            name='state',
            field=models.CharField(choices=[('gathering', 'open for sign-up'), ('running', 'running'), ('finished', 'finished')], default='gathering', max_length=9),
        ),
        migrations.AlterField(
            model_name='seasonround',
            name='way',
            field=models.CharField(choices=[('round-robin', 'round robin'), ('swiss', 'Swiss, no rematches'), ('teams', 'team against team'), ('cup', 'the cup: the loser is out'), ('by-hand', 'by the organiser')], max_length=11),
        ),
    ]
