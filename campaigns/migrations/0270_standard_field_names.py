"""Fields get their standard names; their columns keep theirs, so nothing in the database changes."""

import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from rosters.database.operations import ChangeState

PLAYER = {"null": True, "on_delete": django.db.models.deletion.SET_NULL, "related_name": "+"}


def renamed(model, old, new, field):
    """Return the operations that give a field its new name and keep its column."""
    return [migrations.AlterField(model, old, field), migrations.RenameField(model, old, new)]


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("campaigns", "0260_standard_names"),
    ]

    operations = [
        ChangeState(
            state_operations=[
                migrations.RemoveConstraint("StorylineRole", "arc_role_once"),
                migrations.RemoveConstraint("StorylineRound", "arc_step_once"),
                *renamed("Webhook", "is_on", "enabled", models.BooleanField(db_column="is_on", default=True)),
                *renamed(
                    "Webhook",
                    "off_because",
                    "disabled_reason",
                    models.CharField(blank=True, db_column="off_because", max_length=300),
                ),
                *renamed(
                    "Webhook",
                    "by",
                    "created_by",
                    models.ForeignKey(settings.AUTH_USER_MODEL, db_column="by_id", **PLAYER),
                ),
                *renamed("Webhook", "at", "created_at", models.DateTimeField(auto_now_add=True, db_column="at")),
                *renamed(
                    "NotificationPreferences", "ways", "channels", models.JSONField(db_column="ways", default=dict)
                ),
                *renamed(
                    "NotificationPreferences",
                    "rhythm",
                    "digest_frequency",
                    models.CharField(
                        choices=[("daily", "every day"), ("weekly", "every week")],
                        db_column="rhythm",
                        default="daily",
                        max_length=6,
                    ),
                ),
                *renamed(
                    "NotificationPreferences",
                    "off_key",
                    "unsubscribe_key",
                    models.UUIDField(db_column="off_key", default=uuid.uuid4, editable=False, unique=True),
                ),
                *renamed(
                    "SeasonPairing",
                    "proposing",
                    "proposing_side",
                    models.PositiveSmallIntegerField(blank=True, db_column="proposing", null=True),
                ),
                *renamed(
                    "SeasonPairing",
                    "told",
                    "last_notices",
                    models.JSONField(blank=True, db_column="told", default=dict),
                ),
                *renamed(
                    "SeasonPairing",
                    "obstacle",
                    "blocked_reason",
                    models.CharField(blank=True, db_column="obstacle", max_length=300),
                ),
                *renamed("WatchParty", "is_off", "is_cancelled", models.BooleanField(db_column="is_off", default=False)),
                *(
                    operation
                    for model, related_name in (("StorylineRole", "roles"), ("StorylineRound", "rounds"))
                    for operation in renamed(
                        model,
                        "arc",
                        "storyline",
                        models.ForeignKey(
                            db_column="arc_id",
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name=related_name,
                            to="campaigns.storyline",
                        ),
                    )
                ),
                migrations.AddConstraint(
                    "StorylineRole",
                    models.UniqueConstraint(fields=["storyline", "enrolment"], name="arc_role_once"),
                ),
                migrations.AddConstraint(
                    "StorylineRound",
                    models.UniqueConstraint(fields=["storyline", "step"], name="arc_step_once"),
                ),
                *(
                    migrations.AlterField(
                        "ActivityLogEntry",
                        name,
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.CASCADE, related_name="activity", to=f"campaigns.{name}", **optional
                        ),
                    )
                    for name, optional in (
                        ("club", {}),
                        ("campaign", {"blank": True, "null": True}),
                        ("match", {"blank": True, "null": True}),
                    )
                ),
                migrations.AlterField(
                    "MatchPreparation",
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="preparations", to="campaigns.match"
                    ),
                ),
                migrations.AlterField(
                    "MatchPreparation",
                    "dice",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="preparation",
                        to="battles.sealeddice",
                    ),
                ),
                migrations.AlterField(
                    "ClubDisplay",
                    "club",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="club_display",
                        to="campaigns.club",
                    ),
                ),
                migrations.AlterField(
                    "Notification",
                    "mail",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="notifications",
                        to="campaigns.mail",
                    ),
                ),
                migrations.AlterField(
                    "Notification",
                    "news",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notifications",
                        to="campaigns.notificationevent",
                    ),
                ),
                migrations.AlterField(
                    "Notification",
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notifications",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                migrations.AlterField(
                    "NotificationPreferences",
                    "player",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notification_preferences",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                migrations.AlterField(
                    "Storyline",
                    "campaign",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="storyline",
                        to="campaigns.campaign",
                    ),
                ),
                migrations.AlterField(
                    "StorylineRound",
                    "round",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="storyline_round",
                        to="campaigns.round",
                    ),
                ),
                migrations.AlterField(
                    "WatchParty",
                    "match",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="watch_party",
                        to="campaigns.match",
                    ),
                ),
            ]
        )
    ]
