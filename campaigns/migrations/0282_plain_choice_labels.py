"""Choices get plainer labels; nothing in the database changes."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('campaigns', '0281_plain_labels'),
    ]

    operations = [
        migrations.AlterField(
            model_name='campaign',
            name='absent_rule',
            field=models.CharField(choices=[('forfeit', 'forfeit by the side that did nothing'), ('draw', 'a draw'), ('orders', 'simulated with autoplay orders')], default='forfeit', max_length=8),
        ),
        migrations.AlterField(
            model_name='campaign',
            name='attack_rule',
            field=models.CharField(choices=[('free', 'any'), ('neighbours', 'only neighbours of its own, or any if it has none')], default='free', max_length=10),
        ),
        migrations.AlterField(
            model_name='campaign',
            name='pairing',
            field=models.CharField(choices=[('round-robin', 'round robin'), ('swiss', 'Swiss, no rematches'), ('fair', 'even matches, by the odds'), ('knock-out', 'knock-out: the loser is out'), ('groups', 'groups, then play-offs'), ('arc', 'storyline: linked scenarios, attackers against defenders'), ('by-hand', 'by the organiser')], default='swiss', max_length=12),
        ),
        migrations.AlterField(
            model_name='catalogueupgrade',
            name='state',
            field=models.CharField(choices=[('planned', 'planned'), ('adopted', 'adopted'), ('called-off', 'cancelled'), ('undone', 'undone')], default='planned', max_length=10),
        ),
        migrations.AlterField(
            model_name='clubarchive',
            name='status',
            field=models.CharField(choices=[('draft', 'Draft'), ('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('called-off', 'Cancelled')], db_index=True, default='queued', max_length=12),
        ),
        migrations.AlterField(
            model_name='clubrestore',
            name='status',
            field=models.CharField(choices=[('draft', 'Draft'), ('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('called-off', 'Cancelled')], db_index=True, default='queued', max_length=12),
        ),
        migrations.AlterField(
            model_name='correction',
            name='mode',
            field=models.CharField(choices=[('compensate', 'recalculate only this match'), ('cascade', 'recalculate this match and later ones'), ('flag', 'change no ledger, only flag')], max_length=10),
        ),
        migrations.AlterField(
            model_name='enrolment',
            name='state',
            field=models.CharField(choices=[('asked', 'asked to join'), ('accepted', 'accepted'), ('declined', 'declined'), ('withdrawn', 'withdrawn')], default='asked', max_length=9),
        ),
        migrations.AlterField(
            model_name='fairdraw',
            name='status',
            field=models.CharField(choices=[('draft', 'Draft'), ('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('called-off', 'Cancelled')], db_index=True, default='queued', max_length=12),
        ),
        migrations.AlterField(
            model_name='gazetteprint',
            name='status',
            field=models.CharField(choices=[('draft', 'Draft'), ('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('called-off', 'Cancelled')], db_index=True, default='queued', max_length=12),
        ),
        migrations.AlterField(
            model_name='handicap',
            name='status',
            field=models.CharField(choices=[('draft', 'Draft'), ('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('called-off', 'Cancelled')], db_index=True, default='queued', max_length=12),
        ),
        migrations.AlterField(
            model_name='joinrequest',
            name='state',
            field=models.CharField(choices=[('asked', 'asked to join'), ('accepted', 'accepted'), ('declined', 'declined'), ('withdrawn', 'withdrawn')], default='asked', max_length=10),
        ),
        migrations.AlterField(
            model_name='mail',
            name='status',
            field=models.CharField(choices=[('draft', 'Draft'), ('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('called-off', 'Cancelled')], db_index=True, default='queued', max_length=12),
        ),
        migrations.AlterField(
            model_name='match',
            name='decided_by',
            field=models.CharField(blank=True, choices=[('agreement', 'both reports agree'), ('other-side', 'confirmed by the other side'), ('deadline', 'only one report by the deadline'), ('ruling', "an arbiter's ruling"), ('orders', 'simulated with autoplay orders'), ('organiser', 'the organiser'), ('import', 'imported')], max_length=10),
        ),
        migrations.AlterField(
            model_name='match',
            name='outcome',
            field=models.CharField(blank=True, choices=[('', 'not decided yet'), ('attacker', 'attacker won'), ('defender', 'defender won'), ('draw', 'draw'), ('none', 'no result')], default='', max_length=8),
        ),
        migrations.AlterField(
            model_name='match',
            name='state',
            field=models.CharField(choices=[('scheduled', 'scheduled'), ('reported', 'reported'), ('disputed', 'disputed'), ('confirmed', 'confirmed'), ('ruled', 'ruled'), ('auto-resolved', 'simulated'), ('forfeited', 'forfeited'), ('refused', 'refused'), ('void', 'void'), ('bye', 'bye')], default='scheduled', max_length=13),
        ),
        migrations.AlterField(
            model_name='notification',
            name='way',
            field=models.CharField(choices=[('page', 'on the site only'), ('now', 'by mail, at once'), ('digest', 'by mail, in the digest')], default='page', max_length=6),
        ),
        migrations.AlterField(
            model_name='pairodds',
            name='status',
            field=models.CharField(choices=[('draft', 'Draft'), ('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('called-off', 'Cancelled')], db_index=True, default='queued', max_length=12),
        ),
        migrations.AlterField(
            model_name='pushnotification',
            name='status',
            field=models.CharField(choices=[('draft', 'Draft'), ('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('called-off', 'Cancelled')], db_index=True, default='queued', max_length=12),
        ),
        migrations.AlterField(
            model_name='roundclose',
            name='status',
            field=models.CharField(choices=[('draft', 'Draft'), ('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('called-off', 'Cancelled')], db_index=True, default='queued', max_length=12),
        ),
        migrations.AlterField(
            model_name='season',
            name='settle_rule',
            field=models.CharField(choices=[('order', "the first game in the season's order that both play"), ('lot', 'a random game that both play')], default='order', max_length=5),
        ),
        migrations.AlterField(
            model_name='seasonpairing',
            name='settled_by',
            field=models.CharField(blank=True, choices=[('agreement', 'both agreed'), ('only', 'the only game that both play'), ('order', "no agreement: first in the season's order"), ('lot', 'no agreement: drawn by lot'), ('organiser', 'the organiser')], max_length=9),
        ),
        migrations.AlterField(
            model_name='seasonpairing',
            name='state',
            field=models.CharField(choices=[('agreeing', 'choosing a game'), ('settled', 'game chosen'), ('bye', 'bye'), ('awarded', 'awarded'), ('called-off', 'cancelled')], default='agreeing', max_length=10),
        ),
        migrations.AlterField(
            model_name='watchparty',
            name='status',
            field=models.CharField(choices=[('draft', 'Draft'), ('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('called-off', 'Cancelled')], db_index=True, default='queued', max_length=12),
        ),
        migrations.AlterField(
            model_name='webhookdelivery',
            name='status',
            field=models.CharField(choices=[('draft', 'Draft'), ('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('called-off', 'Cancelled')], db_index=True, default='queued', max_length=12),
        ),
    ]
