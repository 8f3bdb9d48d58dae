"""Create all tables of rosters. A new database runs this; one that has some of the replaced migrations runs the others."""

import django.contrib.auth.models
import django.contrib.auth.validators
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
import rosters.entries
import rosters.ledger.triggers
import systems
import uuid
from django.conf import settings
from django.core.management import call_command
from django.db import migrations, models

from rosters.database.operations import CreateModels

CACHE = "rosters_cache"


def make_cache(apps, schema_editor):
    call_command("createcachetable", CACHE, database=schema_editor.connection.alias, verbosity=0)


def drop_cache(apps, schema_editor):
    schema_editor.execute(f"DROP TABLE {CACHE}")


class Migration(migrations.Migration):

    replaces = [
        ('rosters', '0001_initial'),
        ('rosters', '0002_print_job_progress'),
        ('rosters', '0003_ledger_kinds_of_careers'),
        ('rosters', '0004_scenario'),
        ('rosters', '0005_print_batch'),
        ('rosters', '0006_print_shop'),
        ('rosters', '0007_ledger_kinds_of_units'),
        ('rosters', '0008_jobs_outlive_blips'),
        ('rosters', '0009_worker_seen'),
        ('rosters', '0010_kept_answers'),
        ('rosters', '0011_access_tokens'),
        ('rosters', '0012_sign_ins'),
        ('rosters', '0013_job_waiting_since'),
        ('rosters', '0014_leaving'),
        ('rosters', '0016_ledger_kinds_by_name'),
        ('rosters', '0017_searched_names'),
        ('rosters', '0020_livery'),
        ('rosters', '0031_guests'),
        ('rosters', '0040_company_origins'),
    ]

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        CreateModels([
            migrations.CreateModel(
                name='Player',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('password', models.CharField(max_length=128, verbose_name='password')),
                    ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                    ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                    ('username', models.CharField(error_messages={'unique': 'A user with that username already exists.'}, help_text='Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.', max_length=150, unique=True, validators=[django.contrib.auth.validators.UnicodeUsernameValidator()], verbose_name='username')),
                    ('first_name', models.CharField(blank=True, max_length=150, verbose_name='first name')),
                    ('last_name', models.CharField(blank=True, max_length=150, verbose_name='last name')),
                    ('email', models.EmailField(blank=True, max_length=254, verbose_name='email address')),
                    ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
                    ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                    ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='date joined')),
                    ('name_shown', models.CharField(blank=True, max_length=60, verbose_name='name shown')),
                    ('time_zone', models.CharField(blank=True, max_length=64)),
                    ('paper', models.CharField(choices=[('a4', 'A4'), ('letter', 'Letter')], default='a4', max_length=8)),
                    ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                    ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
                    ('leaves_as', models.CharField(blank=True, editable=False, max_length=60)),
                    ('leaves_at', models.DateTimeField(blank=True, editable=False, null=True)),
                    ('left_at', models.DateTimeField(blank=True, editable=False, null=True)),
                    ('names_before', models.JSONField(blank=True, default=list, editable=False)),
                    ('is_guest', models.BooleanField(default=False, editable=False)),
                ],
                options={
                    'verbose_name': 'user',
                    'verbose_name_plural': 'users',
                    'abstract': False,
                },
                managers=[
                    ('objects', django.contrib.auth.models.UserManager()),
                ],
            ),
            migrations.CreateModel(
                name='Company',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('system', models.SlugField(choices=systems.system_choices, max_length=40)),
                    ('name', models.CharField(max_length=60)),
                    ('motto', models.CharField(blank=True, max_length=120)),
                    ('colour', models.CharField(default='#8a2b1d', max_length=7, validators=[django.core.validators.RegexValidator('^#[0-9a-f]{6}$')])),
                    ('visibility', models.CharField(choices=[('private', 'only me'), ('link', 'anyone with the link'), ('public', 'everybody')], default='private', max_length=8)),
                    ('link_key', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                    ('catalogue_release', models.CharField(max_length=20)),
                    ('disbanded_at', models.DateTimeField(blank=True, null=True)),
                    ('founded_at', models.DateTimeField(auto_now_add=True)),
                    ('owner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='companies', to=settings.AUTH_USER_MODEL)),
                    ('name_upper', models.GeneratedField(db_persist=True, expression=django.db.models.functions.text.Upper('name'), output_field=models.TextField())),
                    ('emblem', models.CharField(blank=True, max_length=5)),
                ],
                options={
                    'verbose_name_plural': 'companies',
                    'ordering': ['name', 'pk'],
                    'indexes': [models.Index(fields=['owner', 'name', 'id'], name='company_of_owner'), models.Index(condition=models.Q(('disbanded_at__isnull', True), ('visibility', 'public')), fields=['name', 'id'], include=('name_upper', 'owner', 'system'), name='company_public_names')],
                },
            ),
            migrations.CreateModel(
                name='Design',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('system', models.SlugField(choices=systems.system_choices, max_length=40)),
                    ('name', models.CharField(max_length=60)),
                    ('spec', models.JSONField()),
                    ('visibility', models.CharField(choices=[('private', 'only me'), ('link', 'anyone with the link'), ('public', 'everybody')], default='private', max_length=8)),
                    ('link_key', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                    ('created_at', models.DateTimeField(auto_now_add=True)),
                    ('changed_at', models.DateTimeField(auto_now=True)),
                    ('author', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='designs', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'ordering': ['name', 'pk'],
                    'constraints': [models.UniqueConstraint(fields=('author', 'system', 'name'), name='design_name_once_per_author')],
                },
            ),
            migrations.CreateModel(
                name='Pilot',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('name', models.CharField(max_length=60)),
                    ('callsign', models.CharField(blank=True, max_length=30)),
                    ('status', models.CharField(choices=[('active', 'Active'), ('wounded', 'Wounded'), ('dead', 'Dead'), ('retired', 'Retired'), ('undone', 'hiring undone')], default='active', max_length=8)),
                    ('company', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='pilots', to='rosters.company')),
                ],
                options={
                    'ordering': ['pk'],
                },
            ),
            migrations.CreateModel(
                name='PrintJob',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('status', models.CharField(choices=[('draft', 'Draft'), ('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('called-off', 'called off')], db_index=True, default='queued', max_length=12)),
                    ('lease', models.UUIDField(editable=False, null=True)),
                    ('lease_until', models.DateTimeField(editable=False, null=True)),
                    ('tries', models.PositiveSmallIntegerField(default=0, editable=False)),
                    ('failure', models.CharField(blank=True, max_length=500)),
                    ('queued_at', models.DateTimeField(auto_now_add=True)),
                    ('started_at', models.DateTimeField(null=True)),
                    ('ended_at', models.DateTimeField(null=True)),
                    ('key', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                    ('title', models.CharField(max_length=120)),
                    ('content', models.JSONField()),
                    ('pages', models.PositiveIntegerField(null=True)),
                    ('seconds', models.FloatField(null=True)),
                    ('file', models.FileField(blank=True, upload_to='prints/')),
                    ('asked_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='prints', to=settings.AUTH_USER_MODEL)),
                    ('company', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='prints', to='rosters.company')),
                    ('asked_from', models.CharField(blank=True, db_index=True, editable=False, max_length=32)),
                    ('parts', models.PositiveIntegerField(default=0)),
                    ('parts_done', models.PositiveIntegerField(default=0)),
                    ('warning', models.CharField(blank=True, max_length=300)),
                    ('choice', models.JSONField(blank=True, default=dict)),
                    ('form_path', models.TextField(blank=True)),
                    ('previews', models.PositiveSmallIntegerField(null=True)),
                    ('subjects', models.JSONField(blank=True, default=dict)),
                    ('blips', models.PositiveSmallIntegerField(default=0, editable=False)),
                    ('not_before', models.DateTimeField(editable=False, null=True)),
                    ('waiting_since', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ],
                options={
                    'ordering': ['-pk'],
                    'indexes': [models.Index(condition=models.Q(('previews__isnull', True), ('status', 'done')), fields=['lease_until'], name='print_without_pictures')],
                },
            ),
            migrations.CreateModel(
                name='Unit',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('name', models.CharField(max_length=60)),
                    ('design_name', models.CharField(max_length=60)),
                    ('spec', models.JSONField()),
                    ('condition', models.JSONField(blank=True, default=dict)),
                    ('status', models.CharField(choices=[('ready', 'Ready'), ('destroyed', 'Destroyed'), ('sold', 'Sold'), ('undone', 'purchase undone')], default='ready', max_length=9)),
                    ('position', models.PositiveIntegerField(default=0)),
                    ('company', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='units', to='rosters.company')),
                    ('pilot', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='unit', to='rosters.pilot')),
                ],
                options={
                    'ordering': ['position', 'pk'],
                },
            ),
            migrations.CreateModel(
                name='LedgerEntry',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('act', models.UUIDField(db_index=True)),
                    ('kind', models.CharField(choices=rosters.entries.kind_choices, max_length=20)),
                    ('points', models.IntegerField(default=0)),
                    ('facts', models.JSONField(default=dict)),
                    ('cause', models.CharField(max_length=20)),
                    ('cause_ref', models.CharField(blank=True, max_length=60)),
                    ('at', models.DateTimeField(default=django.utils.timezone.now)),
                    ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('company', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='ledger', to='rosters.company')),
                    ('reverses', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='reversed_by', to='rosters.ledgerentry')),
                    ('pilot', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='ledger', to='rosters.pilot')),
                    ('unit', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='ledger', to='rosters.unit')),
                ],
                options={
                    'verbose_name_plural': 'ledger entries',
                    'ordering': ['pk'],
                    'indexes': [models.Index(fields=['company', 'id'], name='ledger_of_company'), models.Index(condition=models.Q(('cause_ref', ''), _negated=True), fields=['company', 'cause_ref'], name='ledger_by_cause')],
                },
            ),
            migrations.CreateModel(
                name='Scenario',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('system', models.SlugField(choices=systems.system_choices, max_length=40)),
                    ('name', models.CharField(max_length=60)),
                    ('spec', models.JSONField()),
                    ('visibility', models.CharField(choices=[('private', 'only me'), ('link', 'anyone with the link'), ('public', 'everybody')], default='private', max_length=8)),
                    ('link_key', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                    ('created_at', models.DateTimeField(auto_now_add=True)),
                    ('changed_at', models.DateTimeField(auto_now=True)),
                    ('author', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='scenarios', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'ordering': ['name', 'pk'],
                    'indexes': [models.Index(condition=models.Q(('visibility', 'public')), fields=['name', 'id'], name='scenario_public')],
                    'constraints': [models.UniqueConstraint(fields=('author', 'system', 'name'), name='scenario_name_once_per_author')],
                },
            ),
            migrations.CreateModel(
                name='PrintBatch',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('status', models.CharField(choices=[('draft', 'Draft'), ('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('called-off', 'called off')], db_index=True, default='queued', max_length=12)),
                    ('lease', models.UUIDField(editable=False, null=True)),
                    ('lease_until', models.DateTimeField(editable=False, null=True)),
                    ('tries', models.PositiveSmallIntegerField(default=0, editable=False)),
                    ('failure', models.CharField(blank=True, max_length=500)),
                    ('queued_at', models.DateTimeField(auto_now_add=True)),
                    ('started_at', models.DateTimeField(null=True)),
                    ('ended_at', models.DateTimeField(null=True)),
                    ('number', models.PositiveIntegerField()),
                    ('items', models.JSONField()),
                    ('job', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='batches', to='rosters.printjob')),
                    ('blips', models.PositiveSmallIntegerField(default=0, editable=False)),
                    ('not_before', models.DateTimeField(editable=False, null=True)),
                    ('waiting_since', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ],
                options={
                    'ordering': ['job', 'number'],
                    'constraints': [models.UniqueConstraint(fields=('job', 'number'), name='print_batch_once')],
                },
            ),
            migrations.CreateModel(
                name='PrinterProfile',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('name', models.CharField(max_length=60)),
                    ('paper', models.CharField(choices=[('a4', 'A4'), ('letter', 'Letter')], default='a4', max_length=8)),
                    ('flip', models.CharField(choices=[('long-edge', 'over the long edge'), ('short-edge', 'over the short edge')], default='long-edge', max_length=10, verbose_name='turns the paper')),
                    ('front_x', models.SmallIntegerField(default=0)),
                    ('front_y', models.SmallIntegerField(default=0)),
                    ('back_x', models.SmallIntegerField(default=0)),
                    ('back_y', models.SmallIntegerField(default=0)),
                    ('is_default', models.BooleanField(default=False)),
                    ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='printers', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'ordering': ['name', 'pk'],
                    'constraints': [models.UniqueConstraint(fields=('player', 'name'), name='printer_once'), models.UniqueConstraint(condition=models.Q(('is_default', True)), fields=('player',), name='printer_one_default')],
                },
            ),
            migrations.CreateModel(
                name='PrintPreset',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('name', models.CharField(max_length=60)),
                    ('company_name', models.CharField(blank=True, max_length=60)),
                    ('choice', models.JSONField()),
                    ('changed_at', models.DateTimeField(auto_now=True)),
                    ('company', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='print_presets', to='rosters.company')),
                    ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='print_presets', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'ordering': ['name', 'pk'],
                    'constraints': [models.UniqueConstraint(fields=('player', 'name'), name='print_preset_once')],
                },
            ),
            migrations.CreateModel(
                name='WorkerSeen',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('name', models.CharField(max_length=120, unique=True)),
                    ('queues', models.CharField(max_length=120)),
                    ('seen_at', models.DateTimeField()),
                ],
            ),
            migrations.CreateModel(
                name='KeptAnswer',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('digest', models.CharField(max_length=64, unique=True)),
                    ('asked', models.CharField(max_length=64)),
                    ('status', models.PositiveSmallIntegerField()),
                    ('answer', models.TextField()),
                    ('at', models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
                ],
            ),
            migrations.CreateModel(
                name='AccessToken',
                fields=[
                    ('digest', models.CharField(max_length=128, primary_key=True, serialize=False)),
                    ('token_key', models.CharField(db_index=True, max_length=25)),
                    ('created', models.DateTimeField(auto_now_add=True)),
                    ('expiry', models.DateTimeField(blank=True, null=True)),
                    ('name', models.CharField(blank=True, max_length=60)),
                    ('scopes', models.CharField(default='read', max_length=60)),
                    ('used_at', models.DateTimeField(blank=True, null=True)),
                    ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='auth_token_set', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'abstract': False,
                },
            ),
            migrations.CreateModel(
                name='SignIn',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('at', models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
                    ('address', models.CharField(max_length=50)),
                    ('agent', models.CharField(max_length=60)),
                    ('outcome', models.CharField(choices=[('ok', 'signed in'), ('password', 'wrong password'), ('code', 'wrong code')], max_length=8)),
                    ('second_factor', models.BooleanField(default=False)),
                    ('player', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='sign_ins', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'ordering': ['-at'],
                    'indexes': [models.Index(fields=['player', '-at'], name='sign_in_of_player')],
                },
            ),
            migrations.CreateModel(
                name='CompanyErasure',
                fields=[
                    ('company', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='+', serialize=False, to='rosters.company')),
                ],
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
            migrations.CreateModel(
                name='Portrait',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('digest', models.CharField(max_length=32)),
                    ('picture', models.BinaryField()),
                    ('width', models.PositiveSmallIntegerField()),
                    ('height', models.PositiveSmallIntegerField()),
                    ('put_up_at', models.DateTimeField(auto_now=True)),
                    ('company', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='portraits', to='rosters.company')),
                    ('pilot', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='portrait', to='rosters.pilot')),
                    ('unit', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='portrait', to='rosters.unit')),
                ],
                options={
                    'ordering': ['pk'],
                    'constraints': [models.UniqueConstraint(condition=models.Q(('pilot', None), ('unit', None)), fields=('company',), name='portrait_once_of_a_company'), models.CheckConstraint(condition=models.Q(('unit', None), ('pilot', None), _connector='OR'), name='portrait_of_one')],
                },
            ),
            migrations.CreateModel(
                name='Words',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('story', models.TextField(blank=True)),
                    ('notes', models.TextField(blank=True)),
                    ('changed_at', models.DateTimeField(auto_now=True)),
                    ('company', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='words', to='rosters.company')),
                    ('pilot', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='words', to='rosters.pilot')),
                    ('unit', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='words', to='rosters.unit')),
                ],
                options={
                    'verbose_name_plural': 'words',
                    'ordering': ['pk'],
                    'constraints': [models.UniqueConstraint(condition=models.Q(('pilot', None), ('unit', None)), fields=('company',), name='words_once_of_a_company'), models.CheckConstraint(condition=models.Q(('unit', None), ('pilot', None), _connector='OR'), name='words_of_one')],
                },
            ),
            migrations.CreateModel(
                name='PlayerSuccession',
                fields=[
                    ('before', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='+', serialize=False, to=settings.AUTH_USER_MODEL)),
                    ('heir', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ],
            ),
            migrations.CreateModel(
                name='CompanyOrigin',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('kind', models.CharField(choices=[('signed', 'exported and signed by this site, and unchanged since'), ('unsigned', 'a document that this site has not signed'), ('archive', 'the archive of a club')], max_length=8)),
                    ('at', models.DateTimeField(default=django.utils.timezone.now)),
                    ('stood_at', models.DateTimeField(blank=True, null=True)),
                    ('last_entry', models.PositiveBigIntegerField()),
                    ('claims', models.JSONField(default=dict)),
                    ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('company', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='origin', to='rosters.company')),
                ],
            ),
        ]),
        migrations.RunPython(make_cache, drop_cache),
        migrations.RunPython(rosters.ledger.triggers.install_with_successions, rosters.ledger.triggers.remove),
    ]
