"""Times and players get standard field names; their columns keep theirs, so nothing in the database changes."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from rosters.database.operations import ChangeState

CREATED = {"auto_now_add": True}
CHANGEABLE = {"default": django.utils.timezone.now}
TIMES = (  # model, name of its field `at`, options of the field
    ("ActivityLogEntry", "created_at", CREATED),
    ("ArbiterConsent", "created_at", CREATED),
    ("ClubDisplay", "created_at", CREATED),
    ("Friendly", "created_at", CREATED),
    ("Gazette", "published_at", CREATED),
    ("Guest", "created_at", CREATED),
    ("GuestLink", "created_at", CHANGEABLE),
    ("Invitation", "created_at", CREATED),
    ("JoinRequest", "asked_at", CREATED),
    ("MatchmakingEntry", "created_at", CREATED),
    ("MatchmakingOffer", "created_at", CREATED),
    ("NotificationEvent", "occurred_at", CHANGEABLE),
    ("Placeholder", "created_at", CHANGEABLE),
    ("PushDevice", "created_at", CREATED),
    ("PushKey", "created_at", CREATED),
    ("Report", "submitted_at", CREATED),
    ("Ruling", "decided_at", CREATED),
    ("SeasonEntrant", "joined_at", CREATED),
    ("SubmittedList", "submitted_at", CREATED),
    ("SupportRoll", "created_at", CREATED),
    ("WatchParty", "starts_at", {}),
)

KEPT = {"on_delete": django.db.models.deletion.PROTECT}
CLEARED = {"null": True, "on_delete": django.db.models.deletion.SET_NULL}
OPTIONAL = {**CLEARED, "blank": True}
PLAYERS = (  # model, name of its field `by`, options of the field
    ("ActivityLogEntry", "created_by", OPTIONAL),
    ("ArbiterConsent", "created_by", KEPT),
    ("ClubDisplay", "created_by", CLEARED),
    ("Friendly", "created_by", OPTIONAL),
    ("Gazette", "published_by", OPTIONAL),
    ("Guest", "created_by", OPTIONAL),
    ("GuestLink", "created_by", OPTIONAL),
    ("Invitation", "created_by", CLEARED),
    ("MatchPreparation", "rolled_by", OPTIONAL),
    ("NotificationEvent", "created_by", CLEARED),
    ("Report", "submitted_by", KEPT),
    ("Ruling", "decided_by", KEPT),
    ("SubmittedList", "submitted_by", OPTIONAL),
    ("WatchParty", "announced_by", OPTIONAL),
)


def renamed(model, old, new, field):
    """Return the operations that give a field its new name and keep its column."""
    return [migrations.AlterField(model, old, field), migrations.RenameField(model, old, new)]


def time(**options):
    return models.DateTimeField(db_column="at", **options)


def player(**options):
    return models.ForeignKey(settings.AUTH_USER_MODEL, db_column="by_id", related_name="+", **options)


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0270_standard_field_names"),
    ]

    operations = [
        ChangeState(
            state_operations=[
                migrations.RemoveIndex("NotificationEvent", "news_by_age"),
                *(each for model, name, options in TIMES for each in renamed(model, "at", name, time(**options))),
                *(each for model, name, options in PLAYERS for each in renamed(model, "by", name, player(**options))),
                *renamed("MatchmakingEntry", "until", "expires_at", models.DateTimeField(db_column="until")),
                migrations.AddIndex("NotificationEvent", models.Index(fields=["occurred_at"], name="news_by_age")),
            ]
        )
    ]
