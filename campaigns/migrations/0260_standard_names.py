"""Models get their standard names; their tables keep theirs, so no row moves."""

from django.db import migrations

from rosters.database.operations import RenameModels

RENAMED = (
    ("News", "NotificationEvent"),
    ("Letter", "Notification"),
    ("Wishes", "NotificationPreferences"),
    ("Wall", "ClubDisplay"),
    ("Premiere", "WatchParty"),
    ("ReleaseAdoption", "CatalogueUpgrade"),
    ("EvenGame", "MatchmakingOffer"),
    ("ReadyCompany", "MatchmakingEntry"),
    ("Arc", "Storyline"),
    ("ArcRole", "StorylineRole"),
    ("ArcRound", "StorylineRound"),
    ("MatchMuster", "MatchPreparation"),
    ("SavedForce", "SavedList"),
    ("MatchForce", "SubmittedList"),
    ("CupPlace", "CupEntrant"),
    ("DiaryEntry", "ActivityLogEntry"),
    ("Balance", "BalanceReport"),
    ("Delivery", "WebhookDelivery"),
    ("Push", "PushNotification"),
    ("JudgeConsent", "ArbiterConsent"),
)


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0250_calendar_changes"),
    ]

    operations = [
        RenameModels(RENAMED, "campaigns"),
        migrations.AlterModelOptions(
            "ActivityLogEntry", {"ordering": ["-pk"], "verbose_name_plural": "activity log entries"}
        ),
        migrations.AlterModelOptions(
            "MatchmakingEntry", {"ordering": ["pk"], "verbose_name_plural": "matchmaking entries"}
        ),
        migrations.AlterModelOptions("NotificationEvent", {"ordering": ["-pk"]}),
        migrations.AlterModelOptions(
            "NotificationPreferences", {"verbose_name_plural": "notification preferences"}
        ),
        migrations.AlterModelOptions("PushNotification", {"ordering": ["-pk"]}),
        migrations.AlterModelOptions(
            "WebhookDelivery", {"ordering": ["-pk"], "verbose_name_plural": "webhook deliveries"}
        ),
    ]
